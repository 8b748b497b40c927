"""What repository rules here share: to run a command of this machine, and to fail with the package to install."""

def run(ctx, arguments, directory = "", environment = {}):
    """Runs a command and returns what it prints; fails with its output."""
    result = ctx.execute(arguments, working_directory = directory, environment = environment, timeout = 600)
    if result.return_code:
        fail("%s failed:\n%s%s" % (" ".join([str(a) for a in arguments]), result.stdout, result.stderr))
    return result.stdout

def words(text):
    """The words of a text that a command printed."""
    return [w for w in text.replace("\n", " ").split(" ") if w]

def missing(what, package, otherwise):
    """Fails because something is not on this machine."""
    fail("%s is not on this machine: apt-get install %s (or, in a checkout of quadrants, tools/setup bazel); %s" %
         (what, package, otherwise))

def first_existing(ctx, paths):
    """The first of the paths that is there; None where none is."""
    for path in paths:
        if path and ctx.path(path).exists:
            return path
    return None
