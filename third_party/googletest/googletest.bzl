"""@qd_googletest: GoogleTest as Debian's libgtest-dev installs it."""

load("//third_party:host.bzl", "first_existing", "missing", "run")

_BUILD = """load("@rules_cc//cc:defs.bzl", "cc_import", "cc_library")

cc_import(
    name = "gtest_archive",
    static_library = "libgtest.a",
)

cc_import(
    name = "gtest_main_archive",
    static_library = "libgtest_main.a",
)

cc_library(
    name = "gtest_main",
    hdrs = glob(["include/gtest/**"]),
    includes = ["include"],
    linkopts = ["-lpthread"],
    visibility = ["//visibility:public"],
    deps = [
        ":gtest_main_archive",
        ":gtest_archive",
    ],
)
"""

def _googletest_impl(ctx):
    compiler = ctx.which("g++") or ctx.which("c++")
    if not compiler:
        missing("A C++ compiler", "g++", "Bazel needs it for anything in C++")
    headers = first_existing(ctx, ["/usr/include/gtest", "/usr/local/include/gtest"])
    if not headers:
        missing("GoogleTest", "libgtest-dev", "only the C++ tests of quadrants need it")
    ctx.symlink(headers, "include/gtest")
    for archive in ["libgtest.a", "libgtest_main.a"]:
        found = run(ctx, [compiler, "-print-file-name=" + archive]).strip()
        if not found.startswith("/"):
            missing("GoogleTest's " + archive, "libgtest-dev", "only the C++ tests of quadrants need it")
        ctx.symlink(found, archive)
    ctx.file("BUILD.bazel", _BUILD, executable = False)

googletest = repository_rule(
    implementation = _googletest_impl,
    environ = ["PATH"],
    configure = True,
    local = True,
)
