# make demo and make test are the two commands; both install what they need through tools/setup.

GO ?= go
CXX ?= g++
CC ?= gcc
JOBS ?= $(shell nproc)
MAKEFLAGS += --no-print-directory
# One set of flags for every Go command here, so that they share the build cache; warnings are errors in this repository.
export CGO_CXXFLAGS := -O2 -Werror

# The oldest LLVM that is supported has a flavour of its own.
LLVM_MAJOR := $(if $(filter llvm19,$(FLAVOUR)),19,22)
LLVM ?= /usr/lib/llvm-$(LLVM_MAJOR)
BUILD := build/$(or $(FLAVOUR),plain)
CXXFLAGS_plain := -O2 -Wall -Wextra -Werror
# No warnings: g++ has false alarms where code is instrumented.
CXXFLAGS_asan := -O1 -g1 -w -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
CXXFLAGS_tsan := -O1 -g1 -w -fsanitize=thread
CXXFLAGS_llvm19 := -O1 -Wall -Wextra -Werror
SANITIZE := $(CXXFLAGS_$(or $(FLAVOUR),plain))
CXXFLAGS := -std=c++20 -I. -I$(LLVM)/include $(SANITIZE)
CXXFLAGS_tests := -O0
LDLIBS := -L$(LLVM)/lib -Wl,-rpath,$(LLVM)/lib -lLLVM-$(LLVM_MAJOR) -lgtest -lpthread -ldl

CORE := $(shell find core capi -name '*.cpp')
TESTS := $(shell find tests/core tests/capi -name '*_test.cpp' 2>/dev/null)
CTESTS := $(shell find tests/capi -name '*_test.c' 2>/dev/null)
SHARES := $(wordlist 1,8,$(shell seq 0 $$(($(JOBS) - 1))))
OBJECTS := $(CORE:%.cpp=$(BUILD)/%.o)
TEST_OBJECTS := $(TESTS:%.cpp=$(BUILD)/%.o)

.PHONY: demo test test-go test-race test-core test-asan test-tsan test-llvm19 test-static test-examples bazel lint format bench setup-test core-tests clean

demo:
	@tools/setup build
	$(GO) run ./examples/mpm88

test: setup-test
	$(MAKE) test-core
	$(MAKE) test-asan
	$(MAKE) test-tsan
	$(MAKE) test-llvm19
	$(MAKE) test-static
	$(MAKE) test-examples
	$(MAKE) test-race
	$(MAKE) test-go

setup-test:
	@tools/setup test

# The Go tests: differential, parity, errors, fuzz seeds, acceptance programs.
test-go:
	$(GO) test ./...

test-race:
	$(GO) test -race ./qd/...

# The C++ unit tests and the programs against the C ABI, in one flavour: plain, asan (with undefined), tsan or llvm19. Each core runs
# a share of the tests, up to eight.
test-core: core-tests
	@$(MAKE) -j$(JOBS) --output-sync=target $(SHARES:%=test-share-%)
	@set -e; for t in $(notdir $(CTESTS:.c=)); do echo "$(BUILD)/$$t"; $(BUILD)/$$t; done

test-share-%:
	GTEST_TOTAL_SHARDS=$(words $(SHARES)) GTEST_SHARD_INDEX=$* $(BUILD)/core_tests --gtest_brief=1

test-asan:
	$(MAKE) test-core FLAVOUR=asan

test-tsan:
	$(MAKE) test-core FLAVOUR=tsan

test-llvm19:
	$(MAKE) test-core FLAVOUR=llvm19

core-tests:
	@$(MAKE) -j$(JOBS) $(BUILD)/core_tests $(addprefix $(BUILD)/,$(notdir $(CTESTS:.c=)))

$(BUILD)/core_tests: $(OBJECTS) $(TEST_OBJECTS) $(BUILD)/gtest_main.o
	$(CXX) $(CXXFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/gtest_main.o:
	@mkdir -p $(@D)
	@echo '#include <gtest/gtest.h>' > $(BUILD)/gtest_main.cpp
	@echo 'int main(int argc, char** argv) { testing::InitGoogleTest(&argc, argv); return RUN_ALL_TESTS(); }' >> $(BUILD)/gtest_main.cpp
	@$(CXX) $(CXXFLAGS) -c -o $@ $(BUILD)/gtest_main.cpp

# A C program uses capi/qd.h alone, compiled as C.
$(BUILD)/%_test: tests/capi/%_test.c capi/qd.h capi/qd_trace.h $(OBJECTS)
	$(CC) -std=c11 -I. $(SANITIZE) -c -o $@.o $<
	$(CXX) $(SANITIZE) -o $@ $@.o $(OBJECTS) $(LDLIBS)

$(OBJECTS): private KIND := core
$(TEST_OBJECTS): private KIND := tests

$(BUILD)/%.o: %.cpp
	@mkdir -p $(@D)
	@echo "$(CXX) $<"
	@$(CXX) $(CXXFLAGS) $(CXXFLAGS_$(KIND)) -include $(BUILD)/precompiled/$(KIND).h -Winvalid-pch -Wno-error=invalid-pch -MMD -MP -c -o $@ $<

# The headers that most files include, compiled once. That each file names what it uses is seen by `go build` and Bazel, which have no
# such headers. The copy beside the compiled header is what g++ takes, with a warning, where another g++ compiled it.
$(OBJECTS): $(BUILD)/precompiled/core.h.gch
$(TEST_OBJECTS): $(BUILD)/precompiled/tests.h.gch

$(BUILD)/precompiled/%.h.gch: tools/precompiled/%.h
	@mkdir -p $(@D)
	@echo "$(CXX) $<"
	@cp $< $(@:.gch=)
	@$(CXX) $(CXXFLAGS) $(CXXFLAGS_$*) -MD -MP -MF $(@:.gch=.d) -MT $@ -x c++-header -o $@ $<

-include $(OBJECTS:.o=.d) $(TEST_OBJECTS:.o=.d) $(wildcard $(BUILD)/precompiled/*.d)

# One file that runs without LLVM installed: no LLVM library among what it loads.
test-static:
	@mkdir -p build
	$(GO) build -tags qd_static -o build/saxpy_static ./examples/saxpy
	@! ldd build/saxpy_static | grep -i llvm
	QD_ARCH=cpu build/saxpy_static

test-examples:
	tools/run_examples

# The same code as Bazel builds and tests it, and a workspace that uses it from outside; see docs/bazel.md.
bazel:
	@tools/setup bazel
	tools/run_bazel

lint:
	@tools/setup test
	tools/lint

format:
	gofmt -w $$(git ls-files '*.go')
	clang-format-22 -i $$(git ls-files '*.cpp' '*.h' '*.c')

# Ratios against C with OpenMP, run in turn; the figures of docs/performance.md.
bench:
	@tools/setup bench
	$(GO) run ./bench

clean:
	rm -rf build
