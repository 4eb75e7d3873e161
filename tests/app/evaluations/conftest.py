"""A market with data, and the real worker process beside the real service."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.jobs.presence import living_workers
from tests.app.conftest import Service

ROOT = Path(__file__).parents[3]


@contextmanager
def worker_process(
    service: Service, worker_id: str = "tests", concurrency: int = 2
) -> Iterator["subprocess.Popen[bytes]"]:
    environment = {
        **os.environ,
        "WASSAY_DATABASE_URL": service.settings.resolved_database_url,
        "WASSAY_DATA_FOLDER": str(service.settings.data_folder),
        "WASSAY_WORKER_ID": worker_id,
        "WASSAY_WORKER_CONCURRENCY": str(concurrency),
    }
    worker = subprocess.Popen(
        [sys.executable, "-m", "app.worker", "--attached"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
    )
    try:
        await_worker(service, worker_id)
        yield worker
    finally:
        worker.terminate()
        worker.communicate(timeout=20)


def await_worker(service: Service, worker_id: str) -> None:
    end = time.monotonic() + 30
    while True:
        with service.database.snapshot() as session:
            if worker_id in [worker.id for worker in living_workers(session)]:
                return
        assert time.monotonic() < end, f"worker {worker_id} did not start"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def worker(service: Service) -> Iterator["subprocess.Popen[bytes]"]:
    with worker_process(service) as process:
        yield process
