"""Every runner on a tiny tree, and the home-made gathers against asyncio.gather."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

import pytest
from apart import take_rightly

from runners.gather_tree import scenario
from runners.gather_tree import workload as gather_tree
from runners.gather_tree._twin_gather import gather_after, gather_before
from runners.harness.catalogue import scenarios as catalogue
from runners.harness.contract import Surroundings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from runners.harness.contract import Parameters

    Gather = Callable[..., Any]

SCENARIO = catalogue.find()["gather_tree"]
TINY: Parameters = {"size": "tiny", "leaf": "none", "depth": 3, "branches": 5, "seed": 0, "wait_s": 0.001}
LEAVES = ("none", "io", "memoization", "cpu_io_mixed")
GATHERS: list[Gather] = [gather_before, gather_after, asyncio.gather]
NAMES = ["before", "after", "asyncio.gather"]
EAGER = [False, pytest.param(True, marks=pytest.mark.skipif(sys.version_info < (3, 12), reason="needs Python 3.12"))]


@pytest.mark.parametrize("leaf", LEAVES)
@pytest.mark.parametrize("runner", SCENARIO.runners.values(), ids=SCENARIO.runners.keys())
def test_every_leaf_is_reached_once(runner: catalogue.Runner, leaf: str) -> None:
    if leaf not in runner.only.get("leaf", LEAVES):
        pytest.skip(f"{runner.name} takes no part where leaves are {leaf}")
    values, _ = take_rightly(SCENARIO, runner.name, {**TINY, "leaf": leaf})
    expected = {"none": [0], "io": [125], "memoization": range(60, 110), "cpu_io_mixed": range(20, 70)}
    assert values["waits_count"] in expected[leaf]


def test_a_lost_leaf_and_a_missed_wait_are_found_out() -> None:
    job = gather_tree.prepare({**TINY, "leaf": "io"}, Surroundings(2, 1))
    assert gather_tree.judge(job, 124).wrong == "the tree has 125 leaves; 124 were reached"
    assert gather_tree.judge(job, 125).wrong == "125 leaves have to wait; 0 did"
    job.leaves.waits = 125
    assert gather_tree.judge(job, 125).wrong == ""


def test_about_a_tenth_of_memoization_leaves_wait_and_half_as_many_of_the_mixed() -> None:
    published = {**TINY, "depth": 5, "branches": 6}
    _, memoization = gather_tree.call_plainly({**published, "leaf": "memoization"})
    _, mixed = gather_tree.call_plainly({**published, "leaf": "cpu_io_mixed"})
    assert memoization == pytest.approx(0.1 * 7776 + 90, rel=0.1)
    assert mixed == pytest.approx(0.05 * 7776 + 90, rel=0.1)


def test_the_ideal_is_the_plain_calls_or_one_wait() -> None:
    assert scenario.ideal_ns(TINY, 2, {"nested_awaits_ns": 500, "waits_count": 0}) == 500
    assert scenario.ideal_ns(TINY, 2, {"nested_awaits_ns": 500, "waits_count": 1}) == 1_000_000
    assert scenario.ideal_ns(TINY, 2, {"nested_awaits_ns": 9_000_000, "waits_count": 1}) == 9_000_000
    assert scenario.ideal_ns(TINY, 2, {}) is None


def test_all_that_a_claim_compares_stands_in_one_block() -> None:
    pairs = {f"gather_{which}{eager}" for which in ("before", "after", "library") for eager in ("", "_eager")}
    for name, case in SCENARIO.cases.items():
        assert SCENARIO.block_of(name) == name
        assert pairs <= {runner.name for runner in SCENARIO.runners.values() if runner.takes_part(case)}


def test_the_twins_have_one_code() -> None:
    assert gather_before.__code__ is gather_after.__code__


async def late(result: object, turns: int) -> object:
    for _ in range(turns):
        await asyncio.sleep(0)
    if isinstance(result, BaseException):
        raise result
    return result


async def outcome_of(awaitable: Awaitable[Any]) -> Any:  # noqa: ANN401 - any result, or what was raised
    try:
        return await awaitable
    except BaseException as error:  # noqa: BLE001 - cancellations too
        return type(error), error.args


def done(result: object) -> asyncio.Future[object]:
    future = asyncio.get_running_loop().create_future()
    future.set_result(result)
    return future


def of_every_gather(behaves: Callable[[Gather], Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Make a test of what every gather does, with tasks that begin at once and with those that don't."""

    @pytest.mark.parametrize("eager", EAGER)
    @pytest.mark.parametrize("gather", GATHERS, ids=NAMES)
    def test(gather: Gather, *, eager: bool) -> None:
        async def main() -> None:
            if eager:
                asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)  # type: ignore[attr-defined]
            await behaves(gather)

        asyncio.run(main())

    return test


@of_every_gather
async def test_results_come_in_the_order_asked(gather: Gather) -> None:
    assert await gather(late("a", 3), late("b", 0), late("c", 1)) == ["a", "b", "c"]


@of_every_gather
async def test_nothing_gives_an_empty_list(gather: Gather) -> None:
    assert (await gather(), await gather(return_exceptions=True)) == ([], [])


@of_every_gather
async def test_a_future_given_twice_is_waited_for_once(gather: Gather) -> None:
    future, task = done("done"), asyncio.ensure_future(late("task", 2))
    assert await gather(task, future, task, late("x", 0), future) == ["task", "done", "task", "x", "done"]


@of_every_gather
async def test_the_first_error_is_raised_and_the_others_go_on(gather: Gather) -> None:
    slow = asyncio.ensure_future(late("slow", 9))
    failing = gather(late(ValueError("second"), 3), late(KeyError("first"), 1), slow)
    assert await outcome_of(failing) == (KeyError, ("first",))
    assert not slow.done()
    assert await slow == "slow"


@of_every_gather
async def test_an_error_that_was_there_before_is_raised(gather: Gather) -> None:
    failed = asyncio.get_running_loop().create_future()
    failed.set_exception(ValueError("before"))
    assert await outcome_of(gather(late("a", 1), failed)) == (ValueError, ("before",))


@of_every_gather
async def test_errors_and_cancellations_can_be_results(gather: Gather) -> None:
    cancelled = asyncio.get_running_loop().create_future()
    cancelled.cancel("why")
    children = (late(ValueError("x"), 2), late("b", 0), cancelled, late(OSError("y"), 0))
    results = [repr(result) for result in await gather(*children, return_exceptions=True)]
    assert results == ["ValueError('x')", "'b'", "CancelledError('why')", "OSError('y')"]


@of_every_gather
async def test_a_cancelled_child_is_an_error_but_does_not_cancel(gather: Gather) -> None:
    child, other = asyncio.ensure_future(late("never", 9)), asyncio.ensure_future(late("other", 9))
    outer = gather(child, other)
    asyncio.get_running_loop().call_soon(child.cancel, "why")
    assert await outcome_of(outer) == (asyncio.CancelledError, ("why",))
    assert not outer.cancelled()
    assert await other == "other"


@of_every_gather
async def test_to_cancel_it_is_to_cancel_the_children(gather: Gather) -> None:
    for return_exceptions in (False, True):
        children = [asyncio.ensure_future(late(number, 99)) for number in range(3)]
        outer = gather(done("done"), *children, return_exceptions=return_exceptions)
        asyncio.get_running_loop().call_soon(outer.cancel, "stop")
        assert (await outcome_of(outer))[0] is asyncio.CancelledError
        assert all(child.cancelled() for child in children)
        assert not outer.cancel()


@of_every_gather
async def test_to_cancel_who_waits_is_to_cancel_the_children(gather: Gather) -> None:
    children = [asyncio.ensure_future(late(number, 99)) for number in range(2)]

    async def waiter() -> None:
        await gather(*children)

    waiting = asyncio.ensure_future(waiter())
    await asyncio.sleep(0)
    waiting.cancel()
    assert (await outcome_of(waiting))[0] is asyncio.CancelledError
    assert all(child.cancelled() for child in children)


@of_every_gather
async def test_a_failed_sibling_is_not_reported_as_lost(gather: Gather) -> None:
    reports: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, report: reports.append(report))
    await outcome_of(gather(late(ValueError("a"), 0), late(ValueError("b"), 0), late(ValueError("c"), 2)))
    for _ in range(5):
        await asyncio.sleep(0)
    assert reports == []


@pytest.mark.parametrize(
    ("gather", "at_once"),
    [(gather_before, False), (gather_after, True), (asyncio.gather, sys.version_info >= (3, 12))],
    ids=NAMES,
)
def test_only_the_new_gather_is_done_at_once_when_its_children_are(gather: Gather, *, at_once: bool) -> None:
    async def main() -> tuple[bool, list[str]]:
        future = done("done")
        outer = gather(future, future)
        return outer.done(), await outer

    assert asyncio.run(main()) == (at_once, ["done", "done"])
