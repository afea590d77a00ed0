"""Works."""

from http.server import BaseHTTPRequestHandler, HTTPServer

from tests.harness.faulty.server.workload import Job

FAMILY = "sync"
AT_ONCE = "one"


class Handler(BaseHTTPRequestHandler):
    """Answers with an empty page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


def serve(job: Job) -> None:
    server = HTTPServer(("127.0.0.1", 0), Handler)
    assert job.ready is not None
    job.ready(server.server_port)
    server.serve_forever()
