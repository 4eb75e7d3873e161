"""The dependency of routes that enqueue jobs."""

from typing import Annotated

from fastapi import Depends, Request

from .queue import JobQueue


async def _queue(request: Request) -> JobQueue:
    queue: JobQueue = request.app.state.job_queue
    return queue


QueueDependency = Annotated[JobQueue, Depends(_queue)]
