"""trio tasks, each with a memory channel of its own in which the token comes."""

import trio

from runners.hand_over.workload import Job

NAME = "trio memory channels"
FAMILY = "trio"


async def hand_on(
    job: Job, number: int, inbox: "trio.MemoryReceiveChannel[str]", outbox: "trio.MemorySendChannel[str]"
) -> None:
    for _ in job.turns:
        token = await inbox.receive()
        job.take(number)
        await outbox.send(token)


async def main(job: Job) -> None:
    channels = [trio.open_memory_channel[str](1) for _ in job.tasks]
    async with trio.open_nursery() as nursery:
        for number in job.tasks:
            nursery.start_soon(hand_on, job, number, channels[number][1], channels[job.after(number)][0])
        await channels[0][0].send("token")


def run(job: Job) -> None:
    trio.run(main, job)
