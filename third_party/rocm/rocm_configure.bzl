"""@qd_rocm: ROCm, for what needs it: `headers` (hip/hip_runtime_api.h), `device_libs` (ocml.bc and its kin) and `hipcc`.

The AMD GPU device opens the driver with dlopen and needs none of them to be built. ROCm is looked for in ROCM_PATH, /opt/rocm and
where Debian's packages put it; with QD_ROCM=required (--config=rocm) it must be there.
"""

load("//third_party:toolkit.bzl", "configure_toolkit", "part", "under")

def _rocm_configure_impl(ctx):
    roots = [ctx.os.environ.get("ROCM_PATH"), "/opt/rocm"]
    debian = ctx.path("/usr/include/hip/hip_runtime_api.h").exists
    configure_toolkit(ctx, "ROCm", "QD_ROCM", [
        part("headers", "headers", under(roots, "include") + (["/usr/include"] if debian else []), "libamdhip64-dev"),
        part(
            "device_libs",
            "folder",
            under(roots, "amdgcn/bitcode") + [
                "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode",
                "/usr/lib/amdgcn/bitcode",
            ],
            "rocm-device-libs",
        ),
        part("hipcc", "command", under(roots, "bin/hipcc") + ["/usr/bin/hipcc"], "hipcc"),
    ])

rocm_configure = repository_rule(
    implementation = _rocm_configure_impl,
    environ = ["QD_ROCM", "ROCM_PATH"],
    configure = True,
    local = True,
)
