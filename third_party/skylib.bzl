"""@bazel_skylib as Debian's package bazel-skylib installs it."""

load("//third_party:host.bzl", "missing")

_FOLDER = "/usr/share/bazel/tools/skylib"

def _debian_skylib_impl(ctx):
    if not ctx.path(_FOLDER + "/version.bzl").exists:
        missing("Bazel's skylib", "bazel-skylib", "or declare @bazel_skylib before quadrants_bazel4_repositories()")
    if 'version = "1.' not in ctx.read(_FOLDER + "/version.bzl"):
        fail("%s is not of skylib 1.x: apt-get install bazel-skylib" % _FOLDER)
    for entry in ctx.path(_FOLDER).readdir():
        ctx.symlink(entry, entry.basename)

debian_skylib = repository_rule(
    implementation = _debian_skylib_impl,
    configure = True,
    local = True,
)
