"""The go command of this machine, and modules through its cache and proxy."""

load("//third_party:host.bzl", "missing", "run")

def go_command(ctx):
    """The path of the go command."""
    go = ctx.which("go") or ctx.path("/usr/local/go/bin/go")
    if not go.exists:
        missing("Go", "golang-go", "Go 1.26 or later, see https://go.dev/doc/install")
    return str(go)

def copy_module(ctx, directory):
    """Copies a module's directory, which Go's cache keeps read-only, into the repository."""
    run(ctx, ["cp", "-R", directory + "/.", "."])
    run(ctx, ["chmod", "-R", "u+w", "."])
