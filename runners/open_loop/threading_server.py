"""The standard library's ThreadingHTTPServer: a new thread for each request, however many there are."""

import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from runners.open_loop.workload import Job

NAME = "ThreadingHTTPServer"
FAMILY = "threads"
AT_ONCE = "requests"


class Server(ThreadingHTTPServer):
    """Lets 512 connections wait to be accepted."""

    request_queue_size = 512


def serve(job: Job) -> None:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            time.sleep(job.wait_s)
            job.compute()
            self.send_response(HTTPStatus.OK)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = Server(("127.0.0.1", 0), Handler)
    job.ready(server.server_port)
    server.serve_forever()
