"""@go_sdk: the Go of this machine as rules_go wants it.

Go has shipped no compiled standard library since 1.20 and no `pack` since 1.25. Both are built here, from Go's build cache where
it has them.
"""

load("//third_party/go:go_command.bzl", "go_command")
load("//third_party:host.bzl", "run")

_TOOLCHAIN = """toolchain(
    name = "go",
    toolchain = "//:go_%s-impl",
    toolchain_type = "@io_bazel_rules_go//go:toolchain",
)
"""

def _host_go_sdk_impl(ctx):
    go = go_command(ctx)
    version = run(ctx, [go, "env", "GOVERSION"], "/").strip()
    numbers = version[len("go"):].split("-")[0].split(".")
    if numbers[1].isdigit() and int(numbers[1]) < ctx.attr.minor:
        fail("%s is %s; Go 1.%d or later is needed, see https://go.dev/doc/install" % (go, version, ctx.attr.minor))
    root = run(ctx, [go, "env", "GOROOT"], "/").strip()
    goos, goarch = run(ctx, [go, "env", "GOOS", "GOARCH"], "/").strip().split("\n")
    for entry in ["src", "lib", "VERSION", "go.env", "pkg/include"]:
        if ctx.path(root + "/" + entry).exists:
            ctx.symlink(root + "/" + entry, entry)
    run(ctx, ["cp", "-R", root + "/bin", "bin"])  # a copy: the go command finds its GOROOT beside itself
    tools = "pkg/tool/%s_%s" % (goos, goarch)
    for tool in ctx.path(root + "/" + tools).readdir():
        ctx.symlink(tool, tools + "/" + tool.basename)
    if not ctx.path(tools + "/pack").exists:
        pack = str(ctx.path(tools + "/pack"))
        run(ctx, [go, "build", "-trimpath", "-o", pack, "cmd/pack"], "/", {"CGO_ENABLED": "0", "GOTOOLCHAIN": "local"})
    run(ctx, [go, "install", "-trimpath", "std"], "/", {
        "CGO_ENABLED": "1",
        "GO111MODULE": "off",
        "GODEBUG": "installgoroot=all",
        "GOFLAGS": "",
        "GOROOT": str(ctx.path(".")),
        "GOTOOLCHAIN": "local",
    })
    ctx.file("ROOT")
    ctx.template("BUILD.bazel", Label("@io_bazel_rules_go//go/private:BUILD.sdk.bazel"), {
        "{exe}": "",
        "{goarch}": goarch,
        "{goos}": goos,
        "{rules_go_repo_name}": "io_bazel_rules_go",
    }, executable = False)
    ctx.file("toolchain/BUILD.bazel", _TOOLCHAIN % (goos + "_" + goarch), executable = False)

host_go_sdk = repository_rule(
    implementation = _host_go_sdk_impl,
    attrs = {"minor": attr.int(mandatory = True, doc = "The least Go 1.x that is taken.")},
    environ = ["GOROOT", "PATH"],
    configure = True,
)
