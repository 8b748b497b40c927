"""The second step of rules_go's set-up: what can be loaded only once rules_go is there."""

load("//third_party/go:go_sdk.bzl", "host_go_sdk")
load("@io_bazel_rules_go//go/private:nogo.bzl", "DEFAULT_NOGO", "go_register_nogo")

def quadrants_go_toolchain():
    """Registers the Go of this machine; go_rules_dependencies() and what it would download are not needed."""
    go_register_nogo(name = "io_bazel_rules_nogo", nogo = DEFAULT_NOGO)
    host_go_sdk(name = "go_sdk", minor = 26)
    native.register_toolchains("@go_sdk//toolchain:go")
