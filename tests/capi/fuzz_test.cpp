// Random call sequences over the whole C ABI. Whatever the calls are, nothing crashes, every failure has a code and a
// message, none is an internal error, and nothing is left over. QD_FUZZ_SEED and QD_FUZZ_RUNS choose the sequences.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "capi/qd.h"
#include "tests/capi/builder_fuzzer.h"

namespace {

int64_t setting(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoll(text, nullptr, 10);
}

void fuzz(bool runnable, int64_t runs) {
  const auto first = static_cast<uint64_t>(setting("QD_FUZZ_SEED", 1));
  runs = setting("QD_FUZZ_RUNS", runs);
  qd_program_config config{};
  config.threads = 3;
  qd_error error{};
  qd_program* program = qd_program_create(&config, &error);
  ASSERT_NE(program, nullptr) << error.message;
  int accepted = 0, refused = 0, finished = 0, launched = 0;
  for (int64_t i = 0; i < runs && !testing::Test::HasFailure(); ++i) {
    const uint64_t seed = first + static_cast<uint64_t>(i);
    SCOPED_TRACE("QD_FUZZ_SEED=" + std::to_string(seed));
    BuilderFuzzer fuzzer(program, seed, runnable);
    fuzzer.run();
    accepted += fuzzer.accepted;
    refused += fuzzer.refused;
    finished += fuzzer.finished;
    launched += fuzzer.launched;
  }
  qd_leaks leaks{};
  EXPECT_EQ(qd_program_leaks(program, &leaks, &error), QD_OK);
  EXPECT_EQ(leaks.allocations + leaks.bytes + leaks.kernels + leaks.builders, 0);
  qd_program_destroy(program);
  // The sequences reach what they are to test.
  if (runs >= 50) {
    EXPECT_GT(accepted, runs * 5);
    EXPECT_GT(refused, runs * 5);
    EXPECT_GT(finished, runs / 4);
    if (runnable) {
      EXPECT_GT(launched, runs / 4);
    }
  }
  std::printf("%lld sequences: %d calls accepted, %d refused, %d kernels finished, %d launched\n",
              static_cast<long long>(runs), accepted, refused, finished, launched);
}

TEST(CapiFuzz, AnyCallsAreSafe) { fuzz(false, 300); }
TEST(CapiFuzz, WhatIsFinishedRuns) { fuzz(true, 150); }

TEST(CapiFuzz, NothingIsLeft) {
  qd_leaks leaks{};
  qd_process_leaks(&leaks);
  EXPECT_EQ(leaks.allocations + leaks.bytes + leaks.streams + leaks.events + leaks.kernels + leaks.builders, 0);
}

}  // namespace
