"""PgBouncer in front of the database, which pools sessions as the operator's page requires."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.e2e.processes import Process, eventually, run
from tests.e2e.test_outages import Postgres, ask, ready, running
from tests.object_store import free_ports

pytestmark = pytest.mark.endurance

HOST = "127.0.0.1"


@contextmanager
def pgbouncer(folder: Path, postgres: Postgres) -> Iterator[str]:
    """Run a pooler with default settings, except for its address and the kind of pooling."""
    (port,) = free_ports(HOST, 1)
    settings = folder / "pgbouncer.ini"
    settings.write_text(
        f"[databases]\npostgres = host={postgres.folder} user=postgres\n"
        f"[pgbouncer]\nlisten_addr = {HOST}\nlisten_port = {port}\nunix_socket_dir =\n"
        "auth_type = any\npool_mode = session\n"
    )
    with (folder / "pgbouncer.log").open("wb") as log:
        pooler = subprocess.Popen(["pgbouncer", "-u", str(postgres.user), settings], stderr=log)
    try:
        yield f"postgresql://postgres@{HOST}:{port}/postgres"
    finally:
        pooler.kill()
        pooler.wait()


def test_behind_a_pooler_of_sessions_evaluations_are_taken_over_from_a_killed_worker(
    tmp_path: Path,
) -> None:
    with ExitStack() as stack:
        # Not in pytest's folder, which the pooler's user, not root, cannot enter.
        folder = Path(stack.enter_context(TemporaryDirectory()))
        postgres = Postgres(folder / "postgres")
        stack.callback(postgres.delete)
        url = stack.enter_context(pgbouncer(tmp_path, postgres))
        settings = {**postgres.settings, "WASSAY_DATABASE_URL": url}
        eventually(lambda: "up to date" in run(settings, "migrate"), "migrated")
        web = Process(tmp_path, settings, "serve", "--no-worker", "--port", "0")
        address = stack.enter_context(web).says(r"listening on (http://\S+)")
        eventually(lambda: ready(address), "ready")
        lost, other = (settings | {"WASSAY_WORKER_ID": name} for name in ("lost", "other"))
        first = stack.enter_context(Process(tmp_path, lost, "worker"))
        first.says("worker started")
        asked = ask(settings, address, stack)
        eventually(lambda: running(asked), "running")

        first.process.send_signal(signal.SIGKILL)
        stack.enter_context(Process(tmp_path, other, "worker"))

        assert asked.evaluation.wait(timeout=90).result() is not None
        assert "lost" not in run(settings, "workers")
