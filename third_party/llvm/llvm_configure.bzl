"""@qd_llvm: the system's LLVM, as llvm-config describes it.

Targets: `shared` (the default) and `static` link the same LLVM in the two ways. The headers are those of the C API; a file that
needs LLVM's C++ headers depends on `cpp_headers` too. LLVM_CONFIG in the environment (--repo_env) names another llvm-config.
"""

load("//third_party:host.bzl", "missing", "run", "words")

_VERSIONS = ["22", "21", "20", "19"]

# What core/codegen links of LLVM where it links statically; a name that an LLVM was built without is left out.
_COMPONENTS = ["x86codegen", "nvptxcodegen", "amdgpucodegen", "orcjit", "passes", "bitreader", "bitwriter", "linker"]

_BUILD = """load("@rules_cc//cc:defs.bzl", "cc_library")

package(default_visibility = ["@quadrants//third_party/llvm:__pkg__"])

cc_library(
    name = "headers",
    hdrs = glob(["include/llvm-c/**", "include/llvm/Config/**"]),
    includes = ["include"],
)

cc_library(
    name = "cpp_headers",
    hdrs = glob(["include/llvm/**"]),
    includes = ["include"],
)

cc_library(
    name = "shared",
    linkopts = {shared},
    deps = [":headers"],
)

cc_library(
    name = "static",
    linkopts = {static},
    deps = [":headers"],
)
"""

def _config(ctx):
    named = ctx.os.environ.get("LLVM_CONFIG")
    if named:
        found = named if named.startswith("/") else ctx.which(named)
        if not found:
            fail("LLVM_CONFIG names %s, which is not on this machine" % named)
        return found
    for version in ctx.attr.versions:
        found = ctx.which("llvm-config-" + version)
        if not found and ctx.path("/usr/lib/llvm-%s/bin/llvm-config" % version).exists:
            found = "/usr/lib/llvm-%s/bin/llvm-config" % version
        if found:
            return found
    return missing(
        "LLVM %s" % " or ".join(ctx.attr.versions),
        "llvm-%s-dev" % ctx.attr.versions[0],
        "or set LLVM_CONFIG, or bring LLVM as a target with --@quadrants//third_party/llvm",
    )

# Debian's llvm-config names the shared libzstd in a static link; the archives beside it do as well, and leave nothing to install.
def _archived(ctx, library):
    name = {"-lzstd": "libzstd.a", "-lz": "libz.a"}.get(library)
    if name and ctx.path("/usr/lib/x86_64-linux-gnu/" + name).exists:
        return "-l:" + name
    return library

def _llvm_configure_impl(ctx):
    config = _config(ctx)
    version = run(ctx, [config, "--version"]).strip()
    if version.split(".")[0] not in _VERSIONS:
        fail("%s is LLVM %s; quadrants works with LLVM 19 to 22: apt-get install llvm-22-dev" % (config, version))
    libraries = run(ctx, [config, "--libdir"]).strip()
    search = ["-L" + libraries, "-Wl,-rpath," + libraries]
    components = [c for c in _COMPONENTS if c in words(run(ctx, [config, "--components"]))]
    static = words(run(ctx, [config, "--link-static", "--libs"] + components))
    system = words(run(ctx, [config, "--link-static", "--system-libs"] + components))
    ctx.symlink(run(ctx, [config, "--includedir"]).strip(), "include")
    ctx.file("BUILD.bazel", _BUILD.format(
        shared = repr(search + words(run(ctx, [config, "--libs"]))),
        static = repr(search[:1] + static + [_archived(ctx, s) for s in system]),
    ), executable = False)

llvm_configure = repository_rule(
    implementation = _llvm_configure_impl,
    attrs = {"versions": attr.string_list(default = _VERSIONS, doc = "The majors to take, the first that is here.")},
    environ = ["LLVM_CONFIG", "PATH"],
    configure = True,
    local = True,
)
