"""A rolling upgrade and downgrade, with processes of both versions running."""

import os
import shutil
import subprocess
from contextlib import ExitStack
from pathlib import Path

import httpx
import numpy as np
import pytest
from sqlalchemy import text

from app.database import Database
from app.settings import Settings
from tests.e2e.processes import WASSAY, Process, eventually, run
from tests.e2e.test_outages import Postgres, new_key, postgres, ready
from tests.second_revision import HEAD, NEXT, add_revision
from wassay import Buyer, Client, Seller

pytestmark = pytest.mark.endurance

__all__ = ["postgres"]  # a fixture

SOURCE = Path(__file__).parents[2]
random = np.random.default_rng(8)
NEEDED = random.normal(size=(20, 2))
OFFERED = random.normal(0.5, 1.0, size=(20, 2))


def next_version(folder: Path, compatible_since: str) -> dict[str, str]:
    """Install a next version of the service; return the environment variables that select it."""
    server = folder / "wassay" / "server"
    for source, place in (
        ("wassay", folder / "wassay"),
        ("app", server),
        ("migrations", server / "migrations"),
    ):
        shutil.copytree(SOURCE / source, place)
    add_revision(server / "migrations", compatible_since)
    return {"PYTHONPATH": str(folder), "PYTHONSAFEPATH": "1"}


def test_the_next_version_replaces_this_one_and_this_one_that_while_evaluations_go_on(
    postgres: Postgres, tmp_path: Path
) -> None:
    old = postgres.settings | {"WASSAY_WORKER_CONCURRENCY": "1", "PYTHONSAFEPATH": "1"}
    new = old | next_version(tmp_path / "next", HEAD)
    with ExitStack() as stack:

        def start(settings: dict[str, str], name: str, *arguments: str) -> Process:
            named = settings | {"WASSAY_WORKER_ID": name}
            return stack.enter_context(Process(tmp_path, named, *arguments))

        def address(web: Process) -> str:
            url = web.says(r"listening on (http://\S+)")
            eventually(lambda: ready(url), "ready")
            return url

        run(old, "migrate")
        old_worker = start(old, "old", "worker")
        old_web = address(start(old, "web", "serve", "--no-worker", "--port", "0"))
        keys = [new_key(old, scope) for scope in ("buyer", "seller")]
        buyer, seller = (stack.enter_context(Client(old_web, key)) for key in keys)
        Seller(seller).publish_key()
        request = Buyer(buyer).ask(NEEDED, title="Two", sellers=[seller.accounts.me().id])
        Seller(seller).answer(request.id, OFFERED)

        def evaluates() -> bool:
            return request.evaluate().wait(timeout=120).result() is not None

        assert evaluates()

        assert run(new, "migrate") == "The schema is up to date.\n"
        assert schema_of(old) == NEXT
        assert ready(old_web)
        assert evaluates()  # by the old worker

        new_web = address(start(new, "web", "serve", "--no-worker", "--port", "0"))
        new_worker = start(new, "new", "worker")
        new_worker.says("worker started")
        assert evaluates()  # by either worker
        old_worker.process.terminate()
        old_worker.process.wait(120)
        assert evaluates()  # by the new worker, requested from the old web process
        assert httpx.get(f"{new_web}/readyz").is_success

        assert "can use it all the same. Nothing was changed" in run(old, "migrate")
        back = start(old, "back", "worker")
        back.says("worker started")
        new_worker.process.terminate()
        new_worker.process.wait(120)
        assert evaluates()  # by this version again, on the newer schema
        assert schema_of(old) == NEXT


def test_this_version_stops_in_one_line_before_a_schema_that_needs_the_next(
    postgres: Postgres, tmp_path: Path
) -> None:
    old = postgres.settings | {"PYTHONSAFEPATH": "1"}
    new = old | next_version(tmp_path / "next", NEXT)
    run(old, "migrate")
    with Process(tmp_path, old, "serve", "--no-worker", "--port", "0") as web:
        url = web.says(r"listening on (http://\S+)")
        eventually(lambda: ready(url), "ready")

        run(new, "migrate")

        refused = httpx.get(f"{url}/readyz")
        alive = httpx.get(f"{url}/healthz")
    assert (refused.status_code, refused.json()["received"]) == (503, NEXT)
    assert alive.is_success
    for command in ("migrate", "worker"):
        done = subprocess.run(
            [*WASSAY, command],
            env={**os.environ, **old},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1
        (line,) = done.stderr.splitlines()
        assert line.startswith(f"wassay: Expected the database schema {HEAD}, or a newer schema")


def schema_of(settings: dict[str, str]) -> str:
    url = Settings(database_url=settings["WASSAY_DATABASE_URL"]).resolved_database_url
    database = Database(url)
    with database.snapshot() as session:
        found = session.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    database.dispose()
    return str(found)
