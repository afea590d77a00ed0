"""gunicorn: two workers of the class gthread, each with 8 threads, which a parent process forks."""

import socket
import time
from collections.abc import Callable, Iterable
from typing import Any

from gunicorn.app.base import BaseApplication

from runners.workers import _startup
from runners.workers.workload import Job

NAME = "gunicorn, 2 workers, 8 threads each"
FAMILY = "processes"
AT_ONCE = "threads"
REQUIRES_FORK = True
ONLY = {"size": ("500 requests/s",)}


def serve(job: Job) -> None:
    def app(_environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        time.sleep(job.wait_s)
        job.compute()
        start_response("200 OK", [("Content-Length", "0")])
        return []

    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    port = listener.getsockname()[1]
    settings = {
        "bind": f"fd://{listener.detach()}",
        "backlog": 512,
        "worker_class": "gthread",
        "workers": job.workers,
        "threads": job.threads // job.workers,
        "control_socket_disable": True,
        "loglevel": "critical",
        "post_worker_init": lambda _worker: _startup.report(),
    }

    class Application(BaseApplication):  # type: ignore[misc]  # gunicorn ships no types
        def load_config(self) -> None:
            for name, value in settings.items():
                self.cfg.set(name, value)

        def load(self) -> Callable[..., Iterable[bytes]]:
            return app

    _startup.when_started(job.workers, lambda: job.ready(port))
    Application().run()
