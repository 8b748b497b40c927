"""The acceptance programs as Bazel builds them."""

load("@io_bazel_rules_go//go:def.bzl", "go_binary")
load("//tools/bazel:program_test.bzl", "program_test")

_ARGS = {"mpm88": ["-steps", "200"]}

def program():
    """The program of this folder and its test."""
    name = native.package_name().split("/")[-1]
    go_binary(
        name = name,
        srcs = native.glob(["*.go"]),
        embedsrcs = native.glob(["*.go"]),
        importpath = "example.org/acceptance/" + name,
        deps = ["//qd"],
    )
    program_test(
        name = name + "_test",
        args = _ARGS.get(name, []),
        data = native.glob(["*.go"]),
        program = ":" + name,
    )
