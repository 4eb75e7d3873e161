"""The liveness and readiness that the service reports are true."""

import shutil
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path

import anyio
import httpx
import pytest
from sqlalchemy import text

from app.commands import supervised_worker
from app.commands.supervised_worker import SupervisedWorker
from app.database import Database
from app.main import create_app
from app.settings import Settings
from tests.app.conftest import problem
from tests.conftest import NewDatabase


def ask(
    settings: Settings, path: str, worker_cannot_start: Callable[[], bool] = lambda: False
) -> httpx.Response:
    """Return the response of a new service in this process."""

    async def get() -> httpx.Response:
        app = create_app(settings)
        app.state.worker_cannot_start = worker_cannot_start
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url="http://wassay"
            ) as client,
        ):
            return await client.get(path)

    return anyio.run(get)


def test_a_migrated_database_makes_the_service_ready(anonymous: httpx.Client) -> None:
    response = anonymous.get("/readyz")
    assert (response.status_code, response.json()["status"]) == (200, "ready")


def test_a_schema_of_another_version_is_not_ready(
    new_database_url: NewDatabase, tmp_path: Path
) -> None:
    settings = Settings(database_url=new_database_url(), data_folder=tmp_path)
    database = Database(settings.resolved_database_url)
    with database.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '0000'"))
    database.dispose()
    response = ask(settings, "/readyz")
    assert problem(response) == (503, "unavailable")
    assert response.json()["received"] == "0000"
    assert ask(settings, "/healthz").json()["status"] == "alive"


def test_without_its_database_the_service_lives_but_is_not_ready(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    url = f"postgresql://nobody@127.0.0.1:{port}/nowhere"
    settings = Settings(database_url=url, data_folder=tmp_path)
    assert ask(settings, "/healthz").json()["status"] == "alive"
    response = ask(settings, "/readyz")
    assert problem(response) == (503, "unavailable")
    assert str(port) not in response.text


def test_a_service_whose_worker_cannot_start_is_not_ready(
    new_database_url: NewDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(database_url=new_database_url(), data_folder=tmp_path)
    monkeypatch.setattr(sys, "executable", shutil.which("false"))
    assert ask(settings, "/readyz").json()["status"] == "ready"
    with SupervisedWorker() as supervised:
        deadline = time.monotonic() + 60
        while not supervised.cannot_start() and time.monotonic() < deadline:
            time.sleep(0.05)
        response = ask(settings, "/readyz", supervised.cannot_start)
    assert problem(response) == (503, "unavailable")
    assert "worker" in response.json()["detail"]


def test_the_death_of_a_worker_that_ran_steadily_is_no_failed_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, started = tmp_path / "worker", tmp_path / "started"
    # The first start runs steadily and then dies, the second dies at once, the third runs.
    program.write_text(
        f"#!/bin/sh\necho >> {started}\n"
        f"case $(wc -l < {started}) in 1) sleep 0.5;; 2) ;; *) cat > {tmp_path}/input;; esac\n"
    )
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
    monkeypatch.setattr(supervised_worker, "STEADY_SECONDS", 0.2)
    monkeypatch.setattr(supervised_worker, "PAUSE_SECONDS", (0.01,))
    with SupervisedWorker() as supervised:
        deadline = time.monotonic() + 60
        could_not_start = False
        while not (tmp_path / "input").exists() and time.monotonic() < deadline:
            could_not_start |= supervised.cannot_start()
            time.sleep(0.001)
        could_not_start |= supervised.cannot_start()
    assert started.read_text() == "\n" * 3
    assert not could_not_start


def test_a_service_whose_store_refuses_its_credentials_is_not_ready_and_says_so(
    new_database_url: NewDatabase,
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "guessed")
    settings = Settings(database_url=new_database_url(), data_folder=tmp_path, arrays_url=address)

    response = ask(settings, "/readyz")

    assert problem(response) == (503, "unavailable")
    assert "refuses the service's credentials" in response.json()["detail"]
    assert ask(settings, "/healthz").json()["status"] == "alive"
