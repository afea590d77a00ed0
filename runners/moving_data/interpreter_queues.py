"""A sub-interpreter with two queues of concurrent.interpreters, one for each way."""

from concurrent import interpreters  # type: ignore[attr-defined]  # new in 3.14

from runners.moving_data.workload import Job, identity

NAME = "interpreter, two queues"
FAMILY = "interpreters"
ONLY = {"data": ("an int",)}
REQUIRES_PYTHON = "3.14"


def work(requests: "interpreters.Queue", answers: "interpreters.Queue") -> None:
    while (value := requests.get()) is not None:
        answers.put(identity(value))


def run(job: Job) -> None:
    requests, answers = interpreters.create_queue(), interpreters.create_queue()
    interpreter = interpreters.create()
    thread = interpreter.call_in_thread(work, requests, answers)
    requests.put(0)
    answers.get()  # afterwards the interpreter is there
    for data in job.calls():
        requests.put(data)
        job.answer = answers.get()
    requests.put(None)
    thread.join()
    interpreter.close()
