"""gevent's WSGI server: a greenlet for each request, which gives way while it waits."""

from collections.abc import Callable, Iterable
from typing import Any

import gevent
from gevent.pywsgi import WSGIServer

from runners.open_loop.workload import Job

NAME = "gevent pywsgi"
FAMILY = "gevent"
AT_ONCE = "requests"
ONLY = {"size": ("1,000 requests/s",)}


def serve(job: Job) -> None:
    def application(_environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        gevent.sleep(job.wait_s)
        job.compute()
        start_response("200 OK", [("Content-Length", "0")])
        return []

    server = WSGIServer(("127.0.0.1", 0), application, log=None, backlog=512)
    server.start()
    job.ready(server.server_port)
    server.serve_forever()
