"""Sleeps, and ignores signals."""

import signal
import time

FAMILY = "sync"


def run(_job: None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)
