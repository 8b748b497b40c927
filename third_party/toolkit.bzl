"""A toolkit of a GPU vendor, of which a machine may have all, some or nothing.

A part that is there becomes a target; a part that is not becomes a target of the same name that no platform is compatible with, so
that `bazel build //...` skips what needs it, and asking for it by name tells the reason: the name of the constraint says what to
install. Where the environment (--repo_env) says so, a part that is missing is an error instead.
"""

load("//third_party:host.bzl", "first_existing")

_PREFIX = """load("@rules_cc//cc:defs.bzl", "cc_library")

package(default_visibility = ["//visibility:public"])

constraint_setting(name = "toolkit")
"""

_PRESENT = {
    "headers": """
cc_library(
    name = {name},
    hdrs = glob([{name} + "/**"]),
    includes = [{name}],
)
""",
    "folder": """
filegroup(
    name = {name},
    srcs = glob([{name} + "/**"]),
)
""",
    "command": """
sh_binary(
    name = {name},
    srcs = [{name} + ".sh"],
)
""",
}

_ABSENT = """
constraint_value(
    name = {reason},
    constraint_setting = ":toolkit",
)

cc_library(
    name = {name},
    target_compatible_with = [{reason}],
)
"""

def part(name, kind, paths, package):
    """A part of a toolkit: headers (a folder to include from), a folder of files, or a command.

    Args:
      name: the target's name
      kind: "headers", "folder" or "command"
      paths: where it may be; the first that exists is taken
      package: Debian's package that has it
    """
    return struct(name = name, kind = kind, paths = paths, package = package)

def configure_toolkit(ctx, title, required, parts):
    """Writes the repository.

    Args:
      ctx: the repository rule's context
      title: the toolkit's name, for messages
      required: the variable of the environment that makes missing parts an error
      parts: what part() returned
    """
    build = _PREFIX
    for p in parts:
        found = first_existing(ctx, p.paths)
        if found and p.kind == "command":
            ctx.file(p.name + ".sh", "#!/bin/sh\nexec '%s' \"$@\"\n" % found)
        elif found:
            ctx.symlink(found, p.name)
        if found:
            build += _PRESENT[p.kind].format(name = repr(p.name))
            continue
        if ctx.os.environ.get(required):
            fail("%s of %s not found, and %s asks for it: apt-get install %s; looked for %s" %
                 (p.name, title, required, p.package, ", ".join([q for q in p.paths if q])))
        build += _ABSENT.format(
            name = repr(p.name),
            reason = repr("%s_%s_not_found__install_%s" % (title, p.name, p.package)),
        )
    ctx.file("BUILD.bazel", build, executable = False)

def under(roots, *names):
    """Each of the names below each of the roots; a root may be None."""
    return ["%s/%s" % (r, n) for r in roots if r for n in names]
