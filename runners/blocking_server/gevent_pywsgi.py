"""gevent's WSGI server: a greenlet for each request, which gives way while it waits."""

from collections.abc import Callable, Iterable
from typing import Any

import gevent
from gevent.pywsgi import WSGIServer

from runners.blocking_server.workload import Job

NAME = "gevent pywsgi"
FAMILY = "gevent"
AT_ONCE = "requests"


def serve(job: Job) -> None:
    def application(_environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        for seconds in job.steps_s:
            gevent.sleep(seconds)
        start_response("200 OK", [("Content-Length", "0")])
        return []

    server = WSGIServer(("127.0.0.1", 0), application, log=None, backlog=128)
    server.start()
    job.ready(server.server_port)
    server.serve_forever()
