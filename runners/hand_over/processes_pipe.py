"""Two processes, with a pipe between them through which the token goes to and fro."""

from multiprocessing import Pipe, Process, connection

from runners.hand_over.workload import Job

NAME = "processes, a pipe between them"
FAMILY = "processes"
ONLY = {"tasks": (2,)}


def answer(job: Job, pipe: "connection.Connection[object, object]") -> None:
    pipe.send(pipe.recv())  # once before the clock's first note, which the start of this process would delay
    for _ in job.turns:
        token = pipe.recv()
        job.take(1)
        pipe.send(token)
    pipe.send(job.had_ns[1])


def run(job: Job) -> None:
    here, there = Pipe()
    process = Process(target=answer, args=(job, there))
    process.start()
    here.send("token")
    here.recv()
    for _ in job.turns:
        job.take(0)
        here.send("token")
        here.recv()
    job.had_ns[1] = here.recv()
    process.join()
