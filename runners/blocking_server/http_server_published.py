"""The standard library's HTTPServer as published: one thread, and a queue of 5 connections."""

import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer

from runners.blocking_server.workload import Job

NAME = "HTTPServer, queue of 5"
FAMILY = "sync"
AT_ONCE = "one"
ONLY = {"size": ("tenth",)}


def serve(job: Job) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            for seconds in job.steps_s:
                time.sleep(seconds)
            self.send_response(HTTPStatus.OK)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    job.ready(server.server_port)
    server.serve_forever()
