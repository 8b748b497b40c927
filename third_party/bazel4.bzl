"""Repositories that Bazel 4 itself asks for and would download.

Bazel's own @bazel_tools//tools/cpp and //tools/jdk load macros from @rules_cc and @rules_java, and each test rule names two
targets of @remote_coverage_tools. Where the workspace has the real ones they are kept; `bazel coverage` needs them. Bazel 7 and
later take the real ones from MODULE.bazel and never read this file.
"""

def _written_repository_impl(ctx):
    for path, content in ctx.attr.files.items():
        ctx.file(path, content, executable = path.endswith(".sh"))

_written_repository = repository_rule(
    implementation = _written_repository_impl,
    attrs = {"files": attr.string_dict(mandatory = True)},
)

def _natives(rules):
    return "".join(["%s = native.%s\n" % (r, r) for r in rules])

_CC = ["cc_binary", "cc_import", "cc_library", "cc_proto_library", "cc_test", "cc_toolchain", "cc_toolchain_suite"]
_JAVA = ["java_binary", "java_import", "java_library", "java_runtime", "java_test", "java_toolchain"]

_COVERAGE = """[
    sh_binary(
        name = n,
        srcs = ["none.sh"],
        visibility = ["//visibility:public"],
    )
    for n in ("coverage_report_generator", "lcov_merger")
]
"""

def bazel4_repositories():
    present = native.existing_rules()
    for name, files in {
        "rules_cc": {"BUILD.bazel": "", "cc/BUILD.bazel": "", "cc/defs.bzl": _natives(_CC)},
        "rules_java": {"BUILD.bazel": "", "java/BUILD.bazel": "", "java/defs.bzl": _natives(_JAVA)},
        "remote_coverage_tools": {
            "BUILD.bazel": _COVERAGE,
            "none.sh": "#!/bin/sh\necho 'there are no coverage tools in this workspace' >&2\nexit 1\n",
        },
    }.items():
        if name not in present:
            _written_repository(name = name, files = files)
