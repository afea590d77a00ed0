"""The standard library's HTTP server with a pool of 16 threads: the requests beyond wait for one to be free."""

import time
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from runners.open_loop.workload import Job

NAME = "HTTP server, pool of 16 threads"
FAMILY = "threads"
AT_ONCE = "workers"
ONLY = {"size": ("16 at once", "1,000 requests/s")}


def serve(job: Job) -> None:
    pool = ThreadPoolExecutor(max_workers=job.workers)

    class Server(ThreadingHTTPServer):
        request_queue_size = 512

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

    server = Server(("127.0.0.1", 0), Handler)
    job.ready(server.server_port)
    server.serve_forever()
