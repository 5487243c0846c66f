"""CPU of one `httpx.AsyncClient` POST at concurrency 1: the unit of P3. Prints microseconds."""

from __future__ import annotations

import asyncio
import sys
import time

import httpx

HEADERS = {"content-type": "application/json"}


async def measure(url: str, count: int) -> float:
    body = b'{"stage": "collect_siem", "pad": "' + b"x" * 10_000 + b'"}'
    async with httpx.AsyncClient(timeout=30, trust_env=False) as client:
        for _ in range(50):
            await client.post(url, content=body, headers=HEADERS)
        started = time.process_time()
        for _ in range(count):
            await client.post(url, content=body, headers=HEADERS)
        return (time.process_time() - started) / count * 1e6


if __name__ == "__main__":
    print(asyncio.run(measure(sys.argv[1], int(sys.argv[2]))))
