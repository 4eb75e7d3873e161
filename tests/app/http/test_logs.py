"""Logs: one JSON object a line, with the request id, and never a key or what people sent."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ON_SQLITE, NewDatabase

SCRIPT = """
import sys
import anyio, httpx
from sqlalchemy import update
from app.accounts.service import create_account, issue_key
from app.database import Database
from app.http.logs import configure_logs
from app.main import create_app
from app.references.models import Reference
from app.settings import Settings

settings = Settings()
configure_logs(settings.log_level)
database = Database(settings.resolved_database_url)
with database.transaction() as session:
    account = create_account(session, organisation="Acme", name="Ada")
    key = issue_key(session, account_id=account.id, scopes=["buyer"]).key
print(account.id, key)

async def main():
    app = create_app(settings)
    transport = httpx.ASGITransport(app)
    headers = {"Authorization": "Bearer " + key, "X-Request-Id": "0" * 31 + "1"}
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://wassay", headers=headers) as client,
    ):
        body = {"size": 1, "dimension": 1, "distribution": {"kind": "constant"}, "seed": "271828"}
        await client.post("/v1/references?token=in-a-query", json=body)
        with database.transaction() as session:
            session.execute(update(Reference).values(distribution={"kind": "unheard-of"}))
        await client.get("/v1/references", headers={"X-Request-Id": "0" * 31 + "2"})

anyio.run(main)
database.dispose()
"""

UNCAUGHT = """
import threading
from app.http.logs import configure_logs
configure_logs("INFO")
def fail():
    raise ValueError("of wsy_0123456789abcdefghjkmnpqrs_secret")
thread = threading.Thread(target=fail, name="helper")
thread.start()
thread.join()
fail()
"""


@pytest.fixture(scope="module")
def run(new_database_url: NewDatabase, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines that a service printed during a call that succeeded and one that failed."""
    environment = {
        "WASSAY_DATABASE_URL": new_database_url(),
        "WASSAY_DATA_FOLDER": str(tmp_path_factory.mktemp("data")),
        "PYTHONPATH": str(Path(__file__).parents[3]),
    }
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
    )
    return [ended.stdout, ended.stderr]


@pytest.fixture
def lines(run: list[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run[1].splitlines()]


@ON_SQLITE
def test_a_call_is_logged_in_one_line_with_account_and_path(
    run: list[str], lines: list[dict[str, Any]]
) -> None:
    call, *_others = (line for line in lines if line["event"] == "request")
    assert call["request_id"] == "0" * 31 + "1"
    assert call["account_id"] == run[0].split()[0]
    assert (call["method"], call["path"], call["status"]) == ("POST", "/v1/references", 201)
    assert call["client"] == "127.0.0.1"


@ON_SQLITE
def test_a_fault_is_logged_with_its_traceback_under_its_request_id(
    lines: list[dict[str, Any]],
) -> None:
    (fault,) = (line for line in lines if line["event"] == "unexpected")
    assert fault["request_id"] == "0" * 31 + "2"
    assert fault["level"] == "error"
    functions = [frame["name"] for frame in fault["exception"][-1]["frames"]]
    assert "list_references" in functions


@ON_SQLITE
def test_neither_keys_nor_queries_nor_bodies_are_logged(run: list[str]) -> None:
    key = run[0].split()[1]
    for secret in (key, key.split("_", 2)[2], "in-a-query", "271828"):
        assert secret not in run[1]


def test_uncaught_exceptions_of_process_and_thread_are_lines_of_json() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", UNCAUGHT],
        env={"PYTHONPATH": str(Path(__file__).parents[3])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    of_thread, of_process = map(json.loads, ended.stderr.splitlines())
    assert of_thread["thread"] == "helper"
    for line in (of_thread, of_process):
        assert (line["event"], line["level"]) == ("uncaught exception", "critical")
        assert line["exception"][-1]["frames"][-1]["name"] == "fail"
        assert "timestamp" in line
