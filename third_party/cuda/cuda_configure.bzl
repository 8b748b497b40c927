"""@qd_cuda: a CUDA toolkit, for what needs one: `headers` (cuda.h), `libdevice` (libdevice.10.bc) and `nvcc`.

The CUDA device itself needs none of them: it opens the driver with dlopen. The toolkit is looked for in CUDA_PATH, CUDA_HOME,
/usr/local/cuda and where Debian's packages put it; with QD_CUDA=required (--config=cuda) it must be there.
"""

load("//third_party:toolkit.bzl", "configure_toolkit", "part", "under")

def _cuda_configure_impl(ctx):
    roots = [ctx.os.environ.get("CUDA_PATH"), ctx.os.environ.get("CUDA_HOME"), "/usr/local/cuda"]
    debian = ctx.path("/usr/include/cuda.h").exists
    configure_toolkit(ctx, "CUDA", "QD_CUDA", [
        part("headers", "headers", under(roots, "include") + (["/usr/include"] if debian else []), "nvidia-cuda-dev"),
        part(
            "libdevice",
            "folder",
            under(roots, "nvvm/libdevice") + ["/usr/lib/nvidia-cuda-toolkit/libdevice"],
            "nvidia-cuda-toolkit",
        ),
        part("nvcc", "command", under(roots, "bin/nvcc") + ["/usr/bin/nvcc"], "nvidia-cuda-toolkit"),
    ])

cuda_configure = repository_rule(
    implementation = _cuda_configure_impl,
    environ = ["CUDA_HOME", "CUDA_PATH", "QD_CUDA"],
    configure = True,
    local = True,
)
