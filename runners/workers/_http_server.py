"""The application for the standard library's HTTP server, with a pool of threads."""

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from runners.workers.workload import Job


def make_server(job: Job, listener: socket.socket, threads: int) -> ThreadingHTTPServer:
    """Return a server that answers the connections of *listener* with a pool of *threads*."""
    pool = ThreadPoolExecutor(threads)

    class Server(ThreadingHTTPServer):
        def process_request(self, *connection: Any) -> None:  # noqa: ANN401 - the library's own
            pool.submit(self.process_request_thread, *connection)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            time.sleep(job.wait_s)
            job.compute()
            self.send_response(HTTPStatus.OK)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = Server(listener.getsockname(), Handler, bind_and_activate=False)
    server.socket = listener
    return server
