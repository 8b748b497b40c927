"""What a WORKSPACE that uses quadrants declares; see docs/bazel.md. All of it is lazy: nothing is looked for before it is needed."""

load("//third_party:bazel4.bzl", "bazel4_repositories")
load("//third_party:skylib.bzl", "debian_skylib")
load("//third_party/cuda:cuda_configure.bzl", "cuda_configure")
load("//third_party/go:rules_go.bzl", "rules_go_repository")
load("//third_party/googletest:googletest.bzl", "googletest")
load("//third_party/llvm:llvm_configure.bzl", "llvm_configure")
load("//third_party/rocm:rocm_configure.bzl", "rocm_configure")

def quadrants_repositories(llvm_versions = ["22", "21", "20", "19"]):
    """LLVM, CUDA, ROCm and GoogleTest of this machine.

    Args:
      llvm_versions: the majors of LLVM to take, the first that is here
    """
    llvm_configure(name = "qd_llvm", versions = llvm_versions)
    cuda_configure(name = "qd_cuda")
    rocm_configure(name = "qd_rocm")
    googletest(name = "qd_googletest")

def quadrants_bazel4_repositories():
    """Rules for a workspace of Bazel 4 that has none of its own: rules_go, skylib, and what Bazel would download itself."""
    bazel4_repositories()
    if "bazel_skylib" not in native.existing_rules():
        debian_skylib(name = "bazel_skylib")
    if "io_bazel_rules_go" not in native.existing_rules():
        rules_go_repository(name = "io_bazel_rules_go")
