"""Each request makes an SSL context in a thread. OpenSSL loads the certificates without the GIL."""

import asyncio
import ssl

from runners.stalls.workload import Job

NAME = "an SSL context a request, in a thread"
FAMILY = "threads"
AT_ONCE = "beside"
ONLY = {"size": ("TLS",)}


def count_certificates(ca_file: str) -> int:
    context = ssl.create_default_context(cafile=ca_file)
    return context.cert_store_stats()["x509_ca"]


async def main(job: Job) -> list[int]:
    async with job.beating_heart():
        return [await asyncio.to_thread(count_certificates, job.ca_file) async for _ in job.requests()]


def run(job: Job) -> list[int]:
    return asyncio.run(main(job))
