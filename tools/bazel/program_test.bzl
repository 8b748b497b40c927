"""Tests that run a program on each device; the program checks its own results."""

def program_test(name, program, args = [], data = [], **kwargs):
    """Runs a program on the CPU and as plain Go; its last line must be the device and "ok".

    Args:
      name: the test's name
      program: the target of the program
      args: its arguments
      data: the sources of its kernels, where the program does not embed them
      **kwargs: further attributes of the test
    """
    native.sh_test(
        name = name,
        srcs = [Label("//tools/bazel:run_on_each_device.sh")],
        args = ["$(location %s)" % program] + args,
        data = [program] + data,
        **kwargs
    )
