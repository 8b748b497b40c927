"""rules_go for Bazel 4, from the Go module proxy: Bazel itself fetches nothing.

v0.34.0 is the last that works with Bazel 4. It was written before Go stopped shipping a compiled standard library (1.20) and made
`go tool compile` ask for -p (1.22); the substitutions are what these need.
"""

load("//third_party/go:go_command.bzl", "copy_module", "go_command")
load("//third_party:host.bzl", "run")

_MODULE = "github.com/bazelbuild/rules_go"
_VERSION = "v0.34.0"
_SUM = "h1:cmObMtgIOaEU944SqXtJ9DnlS8IPGGa7pdRnsrpQzXM="

_SUBSTITUTIONS = [
    # file, how often, text, replacement
    ("go/private/rules/binary.bzl", 2, "{go} tool compile -o", "{go} tool compile -p main -o"),
    (
        "go/tools/builders/stdlib.go",
        1,
        "\tos.Setenv(\"GO111MODULE\", \"off\")\n",
        "\tos.Setenv(\"GO111MODULE\", \"off\")\n\tos.Setenv(\"GODEBUG\", \"installgoroot=all\")\n",
    ),
]

def _rules_go_repository_impl(ctx):
    module = _MODULE + "@" + _VERSION
    info = json.decode(run(ctx, [go_command(ctx), "mod", "download", "-json", module], "/", {"GOFLAGS": "-mod=mod"}))
    if info["Sum"] != _SUM:
        fail("%s has the sum %s, not %s" % (module, info["Sum"], _SUM))
    copy_module(ctx, info["Dir"])
    for path, count, text, replacement in _SUBSTITUTIONS:
        content = ctx.read(path)
        if content.count(text) != count:
            fail("%s of %s does not say %r %d times" % (path, module, text, count))
        ctx.file(path, content.replace(text, replacement), executable = False)

rules_go_repository = repository_rule(
    implementation = _rules_go_repository_impl,
    environ = ["GOMODCACHE", "GOPROXY", "PATH"],
)
