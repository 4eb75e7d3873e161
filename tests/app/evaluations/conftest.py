"""A market with data, and the real worker process beside the real service."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest
from sqlalchemy import update

from app.evaluations.models import Evaluation
from app.evaluations.stream_limit import StreamLimit
from app.jobs.worker_registry import living_workers
from tests.app.conftest import Party, Service
from tests.app.evaluations.market import data, market

CUT_SECONDS = 0.3
"""For workers of tests, so that evaluations are cut that take less than a second."""

HERE = Path(__file__).parent
ROOT = HERE.parents[2]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the tests that need no running worker first."""
    places = [place for place, item in enumerate(items) if item.path.parent == HERE]
    for place, item in zip(places, sorted((items[p] for p in places), key=workers), strict=True):
        items[place] = item


def workers(item: pytest.Item) -> int:
    """Return 0 if a test runs without a worker, 1 if it starts one later, 2 if it has one."""
    names = getattr(item, "fixturenames", ())
    return 2 if "worker" in names else 1 if "start_worker" in names else 0


@pytest.fixture(autouse=True)
def nothing_left_to_compute(request: pytest.FixtureRequest) -> Iterator[None]:
    """Cancel the evaluations of a test without a worker, which later workers would compute."""
    yield
    if "service" in request.fixturenames and not workers(request.node):
        service: Service = request.getfixturevalue("service")
        with service.database.transaction() as session:
            unfinished = Evaluation.state.in_(["waiting", "running"])
            session.execute(update(Evaluation).where(unfinished).values(state="cancelled"))


@contextmanager
def worker_process(
    service: Service,
    worker_id: str = "tests",
    concurrency: int = 1,
    module: Sequence[str] = ("app.worker",),
    log: IO[bytes] | None = None,
) -> Iterator["subprocess.Popen[bytes]"]:
    environment = {
        **os.environ,
        "WASSAY_DATABASE_URL": service.settings.resolved_database_url,
        "WASSAY_DATA_FOLDER": str(service.settings.data_folder),
        "WASSAY_WORKER_ID": worker_id,
        "WASSAY_WORKER_CONCURRENCY": str(concurrency),
        "WASSAY_CUT_SECONDS": str(CUT_SECONDS),
    }
    worker = subprocess.Popen(
        [sys.executable, "-m", *module, "--attached"],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stderr=log,
    )
    try:
        await_worker(service, worker_id)
        yield worker
    finally:
        worker.terminate()
        worker.communicate(timeout=120)


def await_worker(service: Service, worker_id: str) -> None:
    end = time.monotonic() + 120
    while True:
        with service.database.snapshot() as session:
            if worker_id in [worker.id for worker in living_workers(session)]:
                return
        assert time.monotonic() < end, f"worker {worker_id} did not start"
        time.sleep(0.05)


@pytest.fixture(scope="package")
def worker(service: Service) -> Iterator["subprocess.Popen[bytes]"]:
    """One worker for all tests of this package that need one.

    It takes jobs again soon after its machine failed one, for which a test waits.
    """
    with worker_process(service, module=("tests.brief_doubt",)) as process:
        yield process


@pytest.fixture
def start_worker(request: pytest.FixtureRequest) -> Callable[[], None]:
    """A function that starts the `worker` in the middle of a test."""
    return lambda: request.getfixturevalue("worker")


@pytest.fixture
def buyer_of(http: Callable[..., Party]) -> Iterator[Callable[[str], tuple[Party, str]]]:
    """Make a buyer of an organisation, with a request that can be evaluated."""
    made: list[tuple[Party, str]] = []

    def buyer(organisation: str) -> tuple[Party, str]:
        party = http("buyer", organisation=organisation)
        made.append((party, market(http, data(10, 12), ["measure"], buyer=party)[2]))
        return made[-1]

    yield buyer
    for party, request_id in made:
        party.post(f"/v1/requests/{request_id}/cancel")


@pytest.fixture
def limit_streams(service: Service) -> Iterator[Callable[[int, int], None]]:
    """Set the service's limits on the streams of an account and of an organisation."""
    usual = service.app.state.stream_limit

    def limit(per_account: int, per_organisation: int) -> None:
        service.app.state.stream_limit = StreamLimit(per_account, per_organisation)

    yield limit
    service.app.state.stream_limit = usual
