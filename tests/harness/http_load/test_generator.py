"""The load generator against servers with planted faults."""

import socket
import socketserver
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import quantiles
from unittest.mock import Mock

import pytest

from runners.blocking_server.scenario import latencies_us
from runners.harness.http_load import generator
from runners.harness.http_load.generator import MAX_ANSWER_BYTES, Answer, Connections, Load

RIGHT = b"HTTP/1.0 200 OK\r\nServer: test\r\n\r\n"
LOAD = Load(at_once=3, requests=9, timeout_s=2.0)


@contextmanager
def server(answer: bytes | Callable[[socket.socket], None]) -> Iterator[int]:
    """Serve *answer* on a free port, or call it with each connection once its request has been read."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while self.rfile.readline().strip():
                pass
            self.connection.sendall(answer) if isinstance(answer, bytes) else answer(self.connection)

    class Server(socketserver.ThreadingTCPServer):
        request_queue_size = 128
        daemon_threads = True
        block_on_close = False

    with Server(("127.0.0.1", 0), Handler) as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield running.server_address[1]
        running.shutdown()


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port: int = closed.getsockname()[1]
        return port


def measured(answer: bytes | Callable[[socket.socket], None], load: Load = LOAD) -> Connections:
    with server(answer) as port:
        return generator.measure(port, load)


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def in_pieces(connection: socket.socket) -> None:
    for piece in (b"HTTP/1.1 200 O", b"K\r\nContent-", b"Length: 0\r\n", b"\r\n"):
        connection.sendall(piece)
        time.sleep(0.002)


def test_right_answers_are_counted_timed_and_summed() -> None:
    result = measured(RIGHT)
    assert (len(result.answers), result.failures) == (9, {})
    assert result.received_bytes == 9 * len(RIGHT)
    assert result.peak_in_flight == 3
    for answer in result.answers:
        assert 0 < answer.connect_ns < answer.latency_ns <= result.elapsed_ns
        assert 0 <= answer.receive_ns < answer.latency_ns
    assert 0 < result.cpu_ns < result.elapsed_ns * 1.05
    assert len(measured(in_pieces, Load(2, 2, 2.0)).answers) == 2


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (b"HTTP/1.1 204 No Content\r\n\r\n", "wrong_answer"),
        (RIGHT + b"a body", "wrong_answer"),
        (b"x" * 2 * MAX_ANSWER_BYTES, "wrong_answer"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n", "broken_off"),
        (b"HTTP/1.0 200 OK\r\nServer: te", "broken_off"),
        (reset, "broken_off"),
    ],
)
def test_wrong_answer_is_a_failure_with_its_reason(
    answer: bytes | Callable[[socket.socket], None], failure: str
) -> None:
    result = measured(answer)
    assert (result.answers, result.failures) == ([], {failure: 9})


def test_refused_connections_have_no_latencies(monkeypatch: pytest.MonkeyPatch) -> None:
    port = closed_port()
    result = generator.measure(port, LOAD)
    assert (result.failures, result.received_bytes) == ({"connect_failed": 9}, 0)
    columns = generator.columns(result)
    assert columns["latency_steps_us"] is columns["connect_steps_us"] is None
    assert columns["connect_failed_count"] == columns["failed_count"] == 9
    with monkeypatch.context() as patch:
        patch.setattr(socket, "socket", Mock(side_effect=OSError(24, "Too many open files")))
        assert generator.measure(port, LOAD).failures == {"connect_failed": 9}


def test_request_without_an_answer_ends_at_its_limit() -> None:
    result = measured(lambda _: time.sleep(5), Load(at_once=4, requests=8, timeout_s=0.03))
    assert result.failures == {"timed_out": 8}
    assert 0.06e9 <= result.elapsed_ns < 5e9


def test_load_ends_at_its_deadline() -> None:
    with server(lambda _: time.sleep(0.2)) as port, pytest.raises(TimeoutError):
        generator.measure(port, Load(at_once=1, requests=1000, timeout_s=0.01), time.monotonic() + 0.03)


def test_never_more_than_at_once_are_in_flight() -> None:
    in_flight: set[socket.socket] = set()
    counts = []
    together = threading.Barrier(4, timeout=5)

    def answer(connection: socket.socket) -> None:
        in_flight.add(connection)
        counts.append(len(in_flight))
        together.wait()  # however late each of the four is
        time.sleep(0.005)  # a fifth would come now
        in_flight.remove(connection)  # before the answer, which allows the next request
        connection.sendall(RIGHT)

    result = measured(answer, Load(4, 20, 5.0))
    assert len(result.answers) == 20
    assert max(counts) == result.peak_in_flight == 4


def test_percentiles_can_be_computed_from_the_columns() -> None:
    made = Connections(0, LOAD)
    made.answers = [Answer(index * 7919 % 120 * 1_000_000 + 5_000, index * 400_000, 1_000) for index in range(120)]
    made.failures["timed_out"], made.late_ns = 2, 2_500
    columns = generator.columns(made)
    expected = [latency_ns / 1000 for latency_ns in sorted(answer.latency_ns for answer in made.answers)]
    assert latencies_us(columns) == expected
    assert quantiles(latencies_us(columns), n=100) == quantiles(expected, n=100)
    assert columns["connect_steps_us"] == [0] + [400] * 119
    assert (columns["completed_count"], columns["failed_count"], columns["timed_out_count"]) == (120, 2, 2)
    assert columns["latency_all_us"] == sum(latencies_us(columns))
    assert (columns["broken_off_count"], columns["load_late_us"], columns["receive_all_us"]) == (0, 2, 120)
