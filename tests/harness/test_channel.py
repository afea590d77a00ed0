"""Messages of a worker, and what is kept of its stderr."""

import socket
from pathlib import Path

import pytest

from runners.harness import channel as channel_module
from runners.harness.channel import Channel
from runners.harness.redact import redact_paths


@pytest.fixture
def line() -> tuple[Channel, socket.socket]:
    ours, theirs = socket.socketpair()
    return Channel(ours), theirs


@pytest.mark.parametrize(
    ("sent", "raised"),
    [
        (b"[]\n", ValueError),
        (b"\xff\n", ValueError),
        (b'{"a": 1}', EOFError),
        (b"[" * 1001, ValueError),
    ],
)
def test_invalid_messages_are_refused(
    line: tuple[Channel, socket.socket], monkeypatch: pytest.MonkeyPatch, sent: bytes, raised: type[Exception]
) -> None:
    monkeypatch.setattr(channel_module, "MAX_MESSAGE_BYTES", 1000)
    channel, theirs = line
    theirs.sendall(sent)
    theirs.close()
    with pytest.raises(raised):
        channel.receive()


def test_messages_in_pieces_or_together_are_separated(line: tuple[Channel, socket.socket]) -> None:
    channel, theirs = line
    theirs.sendall(b'{"a": 1}\n{"b": ')
    assert channel.receive() == {"a": 1}
    theirs.sendall(b"2}\n")
    assert channel.receive() == {"b": 2}
    theirs.sendall(b"{")
    with pytest.raises(TimeoutError):  # the deadline ends the wait even while data arrives
        channel.receive(deadline_s=0.0)


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("no module in /home/ann/env/lib/site.py, line 3", "no module in site.py, line 3"),
        (r"cannot open C:\Users\ann\file.txt", "cannot open file.txt"),
        *[(same, same) for same in ("HTTP/1.0 and 3/4", "`.venv/bin/uv`", "`.venv\\Scripts\\uv.exe`", "x" * 300)],
        ("no /home/ann/.venv/bin/uv", "no uv"),
        ("no /home/Ann Example/work/file.txt", "no file.txt"),
        (f"failed: {'x' * 400} at last", f"failed: {'x' * 112} … {'x' * 169} at last"),
        ("odd \ud800 letter", "odd ? letter"),
    ],
)
def test_private_paths_are_redacted(monkeypatch: pytest.MonkeyPatch, text: str, redacted: str) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/Ann Example"))
    assert redact_paths(text) == redacted
