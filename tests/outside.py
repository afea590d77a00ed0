"""What tests run outside of their own process: our commands, and a server of files."""

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def run(module: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `python -m module` as on a machine of one's own: on GitHub Actions the site is made for its Pages address."""
    unhosted = {name: value for name, value in os.environ.items() if name not in {"GITHUB_REPOSITORY", "SITE_URL"}}
    command = [sys.executable, "-m", module, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=unhosted)  # noqa: S603 - our own commands


def build_site(folder: Path, *options: str | Path, problems: int = 0) -> Path:
    """Build the site of *folder*/results, and return its path; *problems* is the generator's status."""
    shutil.copy(ROOT / "mkdocs.yml", folder)
    generated = run("generate", "--results", folder / "results", "--out", folder / "build", *options)
    assert generated.returncode == problems, generated.stderr
    rendered = run("mkdocs", "build", "--strict", "--quiet", "-f", folder / "build" / "mkdocs.yml")
    assert rendered.returncode == 0, rendered.stderr
    return folder / "build" / "site"


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_arguments: object) -> None:
        pass


@contextmanager
def serving(folder: Path, handler: type[Quiet] = Quiet) -> Iterator[str]:
    """Serve *folder* on loopback; yield its address, which ends with a slash."""
    made = functools.partial(handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), made) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
