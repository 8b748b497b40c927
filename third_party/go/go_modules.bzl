"""The modules that a go.mod requires, each as a repository with a BUILD file for each of its packages that the workspace needs.

Versions are go.mod's and sums go.sum's; the go command checks both. Names are gazelle's: github.com/stretchr/testify is
@com_github_stretchr_testify, and its package require is //require.
"""

load("//third_party/go:go_command.bzl", "copy_module", "go_command")
load("//third_party:host.bzl", "run")

_FIELDS = [
    "{{if not .Standard}}{{.ImportPath}}",
    "{{with .Module}}{{.Path}}{{end}}",
    "{{with .Module}}{{.Dir}}{{end}}",
    "{{join .GoFiles \",\"}},{{join .CgoFiles \",\"}},{{join .SFiles \",\"}},{{join .HFiles \",\"}},{{join .CFiles \",\"}}",
    "{{join .CgoFiles \",\"}}",
    "{{join .EmbedFiles \",\"}}",
    "{{join .Imports \",\"}}{{end}}",
]

_BUILD = """load("@io_bazel_rules_go//go:def.bzl", "go_library")

go_library(
    name = {name},
    srcs = {srcs},
    cgo = {cgo},
    embedsrcs = {embedsrcs},
    importpath = {importpath},
    visibility = ["//visibility:public"],
    deps = {deps},
)
"""

def _repository_name(module):
    host = module.split("/")[0].split(".")
    return "_".join(host[::-1] + module.split("/")[1:]).replace("-", "_").replace(".", "_").lower()

def _list(text):
    return [w for w in text.split(",") if w]

def _packages(ctx):
    """The packages that the workspace's Go code needs, tests included, by import path."""
    main = str(ctx.path(ctx.attr.go_mod).dirname)
    ctx.path(ctx.attr.go_sum)
    arguments = [go_command(ctx), "list", "-deps", "-test", "-f", "\t".join(_FIELDS), "./..."]
    packages = {}
    for line in run(ctx, arguments, main, {"GOFLAGS": "-mod=readonly"}).split("\n"):
        fields = line.split("\t")
        if len(fields) == len(_FIELDS) and " " not in fields[0]:  # "path [test]" is the same package again
            packages[fields[0]] = struct(
                module = fields[1],
                directory = fields[2],
                srcs = _list(fields[3]),
                cgo = bool(fields[4]),
                embedsrcs = _list(fields[5]),
                imports = _list(fields[6]),
            )
    return packages

def _label(package, path):
    folder = path[len(package.module):].lstrip("/")
    return "@%s//%s:%s" % (_repository_name(package.module), folder, path.split("/")[-1])

def _go_module_impl(ctx):
    packages = _packages(ctx)
    wanted = {path: p for path, p in packages.items() if p.module == ctx.attr.module}
    if not wanted:
        fail("%s: no package of %s is needed" % (ctx.attr.go_mod, ctx.attr.module))
    copy_module(ctx, wanted.values()[0].directory)
    foreign = ["(", "-name", "BUILD", "-o", "-name", "BUILD.bazel", "-o", "-name", "WORKSPACE", ")"]
    run(ctx, ["find", "."] + foreign + ["-type", "f", "-delete"])
    ctx.file("WORKSPACE", "workspace(name = %r)\n" % ctx.name, executable = False)
    for path, package in wanted.items():
        folder = path[len(package.module):].lstrip("/")
        ctx.file((folder + "/" if folder else "") + "BUILD.bazel", _BUILD.format(
            name = repr(path.split("/")[-1]),
            srcs = repr(package.srcs),
            cgo = package.cgo,
            embedsrcs = repr(package.embedsrcs),
            importpath = repr(path),
            deps = repr([_label(packages[i], i) for i in package.imports if i in packages]),
        ), executable = False)

_go_module = repository_rule(
    implementation = _go_module_impl,
    attrs = {
        "go_mod": attr.label(mandatory = True),
        "go_sum": attr.label(mandatory = True),
        "module": attr.string(mandatory = True),
    },
    environ = ["GOMODCACHE", "GOPROXY", "PATH"],
)

def go_modules(modules, go_mod = "@//:go.mod", go_sum = "@//:go.sum"):
    """Declares the repositories of these modules of go.mod, those that they need included."""
    for module in modules:
        _go_module(name = _repository_name(module), module = module, go_mod = go_mod, go_sum = go_sum)
