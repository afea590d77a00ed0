"""Two gathers, alike but for one branch: how a child that is already done is counted.

*gather_after* counts it at once, so that a gather over children that are all done is done itself. *gather_before*
always counts by a callback on the event loop, as gather did before Python 3.12. Errors, cancellation, duplicates and
the notes on who waits for whom (kept by asyncio.gather since 3.14) are those of asyncio.gather, in both.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    Child = asyncio.Future[Any]
    Gather = Callable[..., asyncio.Future[list[Any]]]


def _note_nothing(_child: Child, _waiter: object) -> None:
    """Stand in for what asyncio does not have yet."""


_NOTES = hasattr(asyncio, "future_add_to_awaited_by")
_note_waiter: Callable[..., None] = getattr(asyncio, "future_add_to_awaited_by", _note_nothing)
_forget_waiter: Callable[..., None] = getattr(asyncio, "future_discard_from_awaited_by", _note_nothing)


class _Outer(asyncio.Future["list[Any]"]):
    """What a gather returns. To cancel it is to cancel the children; it ends when they have."""

    def __init__(self, children: list[Child], loop: asyncio.AbstractEventLoop) -> None:
        """Stand for *children*."""
        super().__init__(loop=loop)
        self.children = children
        self.cancel_asked = False

    def cancel(self, msg: object = None) -> bool:
        """Ask every child to end; report whether one of them was still running."""
        if self.done():
            return False
        asked = [child.cancel(msg) for child in self.children]
        self.cancel_asked = self.cancel_asked or True in asked
        return True in asked


def _outcomes(children: list[Child]) -> list[Any]:
    """Return what each finished child ended with: its cancellation, its error or its result."""
    outcomes: list[Any] = []
    for child in children:
        if child.cancelled():
            outcomes.append(_cancellation(child))
        elif (error := child.exception()) is not None:
            outcomes.append(error)
        else:
            outcomes.append(child.result())
    return outcomes


def _cancellation(child: Child) -> asyncio.CancelledError:
    """Return the cancellation that a finished child ended with; a bare one where it ended otherwise."""
    if child.cancelled():
        try:
            child.result()
        except asyncio.CancelledError as cancelled:
            return cancelled
    return asyncio.CancelledError()


def _start(awaitables: tuple[Awaitable[Any], ...], loop: asyncio.AbstractEventLoop) -> dict[Awaitable[Any], Child]:
    """Make a task of each coroutine; one that is there twice is one child."""
    children: dict[Awaitable[Any], Child] = {}
    for awaitable in awaitables:
        if awaitable not in children:
            child: Child = asyncio.ensure_future(awaitable, loop=loop)
            children[awaitable] = child
            if child is not awaitable:  # nobody else could wait for it, so that its loss is not to be reported
                child._log_destroy_pending = False  # type: ignore[attr-defined]  # noqa: SLF001
    return children


def _counter(outer: _Outer, unfinished: int, waiter: object, *, keep_errors: bool) -> Callable[[Child], None]:
    """Return what is called with each child once it is done; the last one, or the first error, ends *outer*."""

    def count(child: Child) -> None:
        nonlocal unfinished
        unfinished -= 1
        if waiter is not None:
            _forget_waiter(child, waiter)
        error = _cancellation(child) if child.cancelled() else child.exception()  # to ask for it is to have seen it
        if outer.done():
            return
        if error is not None and not keep_errors:
            outer.set_exception(error)
        elif unfinished == 0 and outer.cancel_asked:
            outer.set_exception(_cancellation(child))
        elif unfinished == 0:
            outer.set_result(_outcomes(outer.children))

    return count


def _make_gather(*, count_at_once: bool) -> Gather:
    def gather(*awaitables: Awaitable[Any], return_exceptions: bool = False) -> asyncio.Future[list[Any]]:
        loop = asyncio.get_running_loop()
        children = _start(awaitables, loop)
        outer = _Outer([children[awaitable] for awaitable in awaitables], loop)
        waiter = asyncio.current_task(loop) if _NOTES else None
        count = _counter(outer, len(children), waiter, keep_errors=return_exceptions)
        for child in children.values():
            if count_at_once and child.done():  # the one branch in which the twins differ
                count(child)
                continue
            if waiter is not None:
                _note_waiter(child, waiter)
            child.add_done_callback(count)
        if not children:
            outer.set_result([])
        return outer

    return gather


gather_before = _make_gather(count_at_once=False)
gather_after = _make_gather(count_at_once=True)
