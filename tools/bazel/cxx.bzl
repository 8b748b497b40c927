"""C++ as this repository compiles it, with the flags that each folder's doc.go gives to `go build`."""

load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")

_WARNINGS = ["-Wall", "-Wextra"]

# A consumer's kernels are compiled and launched by this code: it is optimised unless a debug build is asked for.
_CORE = ["-std=c++20"] + _WARNINGS + select({
    "//tools/bazel:debug": [],
    "//conditions:default": ["-O2", "-g0"],
})

def core_library(name, copts = [], **kwargs):
    """A room of the core."""
    cc_library(name = name, copts = _CORE + copts, **kwargs)

def gtests(srcs, deps, **kwargs):
    """A GoogleTest program a file, named as the file; not optimised, as in the Makefile.

    Args:
      srcs: the files
      deps: what all of them use
      **kwargs: attributes of all of them
    """
    for src in srcs:
        cc_test(
            name = src[:-len(".cpp")],
            srcs = [src],
            copts = ["-std=c++20", "-O0"] + _WARNINGS,
            deps = deps + ["@qd_googletest//:gtest_main"],
            **kwargs
        )
