"""Each request makes an SSL context, as a client that is made for one request does."""

import asyncio
import ssl

from runners.stalls.workload import Job

NAME = "an SSL context a request"
FAMILY = "asyncio"
AT_ONCE = "in turn"
ONLY = {"size": ("TLS",)}


def count_certificates(ca_file: str) -> int:
    context = ssl.create_default_context(cafile=ca_file)
    return context.cert_store_stats()["x509_ca"]


async def main(job: Job) -> list[int]:
    async with job.beating_heart():
        return [count_certificates(job.ca_file) async for _ in job.requests()]


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
