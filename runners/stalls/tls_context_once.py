"""One SSL context, made before the first request, serves all of them."""

import asyncio
import ssl

from runners.stalls.workload import Job

NAME = "one SSL context for all requests"
FAMILY = "asyncio"
AT_ONCE = "in turn"
ONLY = {"size": ("TLS",)}


async def main(job: Job) -> list[int]:
    context = ssl.create_default_context(cafile=job.ca_file)
    async with job.beating_heart():
        return [context.cert_store_stats()["x509_ca"] async for _ in job.requests()]


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
