"""Letters: the cases, the job of each, and who judges its answers."""

from __future__ import annotations

from runners.harness.contract import Case

BASELINE = "sync_loop"
CASES = {
    "published": Case({"size": "published", "workers": 4}, warm_up={}),
    "tenth": Case({"size": "tenth", "workers": 4}, warm_up={}),
}
