"""What users can do about packages that did not install."""

from collections.abc import Iterable

from runners.harness.builds.environments import log_path, would_recur
from runners.harness.builds.interpreters import Prepared

LASTING = "{log} has the installer's output; fix the cause or choose another version, remove {folder} and run again"
PASSING = (
    "connect, or check the branch, the proxy (HTTPS_PROXY), the index (UV_DEFAULT_INDEX), its credentials (~/.netrc) "
    "and certificate (SSL_CERT_FILE), and run again; {log} has the installer's output"
)


def installation_problem(build: Prepared, name: str) -> str:
    """Return why a package did not install on *build*, and what to do."""
    reason = one_line(build.packages[name].reason).removeprefix("error: ").rstrip(".")
    log = log_path(name, build.python)
    remedy = (LASTING if would_recur(reason) else PASSING).format(log=log, folder=log.parent)
    return f"{name} did not install: {reason}; {remedy}"


def variant_problems(builds: Iterable[Prepared]) -> list[str]:
    """Return a line for each variant whose own package did not install: without it, there is nothing to compare."""
    return [
        f"{build.request.text}: {installation_problem(build, name)}"
        for build in builds
        for name in build.varied
        if build.packages[name].version is None
    ]


def one_line(reason: str | None) -> str:
    """Return a reason as one printable line."""
    letters = (letter if letter.isprintable() else " " for letter in reason or "no reason")
    return " ".join("".join(letters).split())
