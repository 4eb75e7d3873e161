"""API keys: shown once, stored as hashes, refused once revoked or expired."""

import hashlib
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import anyio.to_thread
import httpx
import pytest
from sqlalchemy import create_engine, select, text, update

from app.accounts.models import ApiKey
from app.database import Database
from tests.app.conftest import Party, Service, problem
from tests.app.described import OPENAPI
from tests.jobs.conftest import eventually

Http = Callable[..., Party]


def test_a_key_is_shown_once_and_kept_only_as_its_hash(http: Http, database: Database) -> None:
    ada = http("buyer")
    response = ada.post(f"/v1/accounts/{ada.account_id}/keys", json={"scopes": ["buyer"]})
    assert response.status_code == 201
    key = response.json()["key"]
    listed = ada.get(f"/v1/accounts/{ada.account_id}/keys").json()["items"]
    assert {item["id"] for item in listed} >= {response.json()["id"]}
    assert all("key" not in item for item in listed)
    with database.snapshot() as session:
        rows = session.execute(text("SELECT * FROM api_keys")).all()
        row = session.get_one(ApiKey, response.json()["id"])
    assert row.hash == hashlib.sha256(key.encode()).hexdigest()
    assert key.startswith(f"wsy_{row.prefix}_")
    assert len(row.prefix) == 8
    secret = key.split("_", 2)[2]
    assert not any(secret in str(value) for stored in rows for value in stored)


def test_a_new_key_permits_what_its_scopes_allow(http: Http, anonymous: httpx.Client) -> None:
    ada = http("buyer", "seller")
    key = ada.post(f"/v1/accounts/{ada.account_id}/keys", json={"scopes": ["seller"]}).json()["key"]
    headers = {"Authorization": f"Bearer {key}"}
    assert anonymous.get("/v1/accounts/me", headers=headers).json()["id"] == ada.account_id
    response = anonymous.get("/v1/references", headers=headers)
    assert problem(response) == (403, "forbidden")
    assert (response.json()["expected"], response.json()["received"]) == ("buyer", ["seller"])


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "Bearer wsy_00000000_unknown",
        "Basic dXNlcjpwYXNz",
        "wsy_00000000_no-scheme",
    ],
)
def test_no_key_or_an_unknown_one_is_refused(
    anonymous: httpx.Client, authorization: str | None
) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}
    response = anonymous.get("/v1/accounts/me", headers=headers)
    assert problem(response) == (401, "not-authenticated")
    assert response.headers["www-authenticate"] == "Bearer"


def test_without_a_valid_key_no_body_is_parsed_on_any_route(
    anonymous: httpx.Client, service: Service
) -> None:
    headers = {"Authorization": "Bearer wsy_00000000_unknown", "Content-Type": "application/json"}
    for path, operations in OPENAPI["paths"].items():
        for method, operation in operations.items():
            if "security" in operation and "requestBody" in operation:
                response = anonymous.request(
                    method, path.replace("{s}", "0.5"), content=b"{", headers=headers
                )
                assert problem(response) == (401, "not-authenticated"), path


@pytest.mark.parametrize("path", ["/v1/accounts/me", "/v1/requests"])
def test_one_thread_authenticates_the_caller_of_a_get_and_responds(
    path: str, http: Http, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = http("buyer")
    calls = []
    run_sync = anyio.to_thread.run_sync

    def counted(*arguments: Any, **options: Any) -> Any:
        calls.append(arguments)
        return run_sync(*arguments, **options)

    monkeypatch.setattr(anyio.to_thread, "run_sync", counted)
    assert ada.get(path).status_code == 200
    assert len(calls) == 1


def test_without_a_valid_key_a_caller_is_refused_before_the_body_arrives(
    anonymous: httpx.Client,
) -> None:
    address = (anonymous.base_url.host, anonymous.base_url.port)
    with socket.create_connection(address, timeout=60) as connection:
        connection.sendall(
            b"POST /v1/listings HTTP/1.1\r\nHost: wassay\r\nContent-Length: 1000000\r\n"
            b"Content-Type: application/json\r\n\r\n"
        )
        assert connection.recv(12) == b"HTTP/1.1 401"


def test_a_revoked_key_is_refused_from_the_next_call_on(http: Http) -> None:
    ada = http("buyer")
    keys = f"/v1/accounts/{ada.account_id}/keys"
    other = ada.post(keys, json={"scopes": ["buyer"]}).json()
    headers = {"Authorization": f"Bearer {other['key']}"}
    assert ada.get("/v1/accounts/me", headers=headers).status_code == 200
    assert ada.delete(f"{keys}/{other['id']}").status_code == 204
    assert problem(ada.get("/v1/accounts/me", headers=headers)) == (401, "not-authenticated")
    assert other["id"] not in {item["id"] for item in ada.get(keys).json()["items"]}
    assert problem(ada.delete(f"{keys}/{other['id']}")) == (404, "not-found")


def test_an_expiring_key_issues_no_key_that_expires_later(
    http: Http, anonymous: httpx.Client
) -> None:
    ada = http("buyer")
    keys = f"/v1/accounts/{ada.account_id}/keys"
    end = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=1)
    body = {"scopes": ["buyer"], "expires_at": end.isoformat()}
    leaked = {"Authorization": f"Bearer {ada.post(keys, json=body).json()['key']}"}
    for later in (None, (end + timedelta(seconds=1)).isoformat()):
        response = anonymous.post(keys, json=body | {"expires_at": later}, headers=leaked)
        assert problem(response) == (403, "forbidden")
        assert response.json()["expected"] == end.isoformat()
    assert anonymous.post(keys, json=body, headers=leaked).status_code == 201


def test_an_expired_key_is_refused(http: Http, database: Database) -> None:
    ada = http("buyer")
    with database.transaction() as session:
        session.execute(
            update(ApiKey)
            .where(ApiKey.account_id == ada.account_id)
            .values(expires_at=datetime.now(UTC) - timedelta(seconds=1))
        )
    assert problem(ada.get("/v1/accounts/me")) == (401, "not-authenticated")


def test_a_key_cannot_be_issued_expired(http: Http) -> None:
    ada = http("buyer")
    past = (datetime.now(UTC) - timedelta(days=1)).isoformat()
    response = ada.post(
        f"/v1/accounts/{ada.account_id}/keys", json={"scopes": ["buyer"], "expires_at": past}
    )
    assert problem(response) == (422, "invalid")
    assert response.json()["errors"][0]["location"] == "body.expires_at"


def test_nobody_grants_scopes_that_they_lack_but_an_administrator(http: Http) -> None:
    ada = http("buyer")
    keys = f"/v1/accounts/{ada.account_id}/keys"
    response = ada.post(keys, json={"scopes": ["buyer", "admin"]})
    assert problem(response) == (403, "forbidden")
    assert response.json()["expected"] == ["buyer"]
    granted = http("admin").post(keys, json={"scopes": ["seller"]})
    assert granted.json()["scopes"] == ["seller"]


def test_keys_of_somebody_else_do_not_exist(http: Http) -> None:
    ada, eve = http("buyer"), http("buyer", "seller")
    keys = f"/v1/accounts/{ada.account_id}/keys"
    key_id = ada.get(keys).json()["items"][0]["id"]
    assert problem(eve.get(keys)) == (404, "not-found")
    assert problem(eve.post(keys, json={"scopes": ["buyer"]})) == (404, "not-found")
    assert problem(eve.delete(f"{keys}/{key_id}")) == (404, "not-found")
    own = f"/v1/accounts/{eve.account_id}/keys/{key_id}"
    assert problem(eve.delete(own)) == (404, "not-found")
    assert ada.get("/v1/accounts/me").status_code == 200


def test_the_last_use_is_noted_to_the_minute(http: Http, database: Database) -> None:
    ada = http("buyer")

    def last_use() -> datetime | None:
        with database.snapshot() as session:
            return session.scalars(
                select(ApiKey.last_used_at).where(ApiKey.account_id == ada.account_id)
            ).one()

    def after(moment: datetime) -> datetime | None:
        used = last_use()
        return used if used is not None and used >= moment else None

    assert last_use() is None
    start = datetime.now(UTC)
    ada.get("/v1/accounts/me")
    eventually(lambda: after(start) is not None, "its first use noted")
    first = last_use()
    assert first is not None
    ada.get("/v1/accounts/me")
    http("buyer").get("/v1/accounts/me")
    assert last_use() == first
    with database.transaction() as session:
        session.execute(
            update(ApiKey)
            .where(ApiKey.account_id == ada.account_id)
            .values(last_used_at=first - timedelta(minutes=1))
        )
    ada.get("/v1/accounts/me")
    eventually(lambda: after(first) is not None, "a use of a minute later noted")


@contextmanager
def locked_by_another_program(database: Database) -> Iterator[None]:
    """Hold a lock with which others can read, but not write, while the block runs."""
    engine = create_engine(database.engine.url, isolation_level="AUTOCOMMIT")
    locks = (
        ["BEGIN IMMEDIATE"]
        if engine.dialect.name == "sqlite"
        else ["BEGIN", "LOCK TABLE api_keys IN EXCLUSIVE MODE"]
    )
    with engine.connect() as other:
        for lock in locks:
            other.exec_driver_sql(lock)
        try:
            yield
        finally:
            other.exec_driver_sql("ROLLBACK")
    engine.dispose()


RECORDED = "/v1/accounts", "/v1/admin/evaluations"
"""Reads of administrators that are recorded, and therefore have to write."""


def test_reads_work_while_another_program_locks_the_database(
    http: Http, service: Service, database: Database
) -> None:
    paths = [
        path
        for path, operations in OPENAPI["paths"].items()
        if "get" in operations and "{" not in path and path not in {"/metrics", *RECORDED}
    ]
    never_used = http("buyer", "seller", "admin")
    with locked_by_another_program(database):
        answered = {path: never_used.get(path).status_code for path in paths}
    assert answered == dict.fromkeys(paths, 200)
    assert len(paths) > 5
    never_used.get("/v1/accounts/me")
    keys = f"/v1/accounts/{never_used.account_id}/keys"
    eventually(
        lambda: never_used.get(keys).json()["items"][0]["last_used_at"] is not None,
        "its use noted once that is possible",
    )


def test_a_repeated_issue_creates_no_second_key_and_stores_no_secret(
    http: Http, database: Database
) -> None:
    ada = http("buyer")
    keys = f"/v1/accounts/{ada.account_id}/keys"
    first = ada.post(keys, json={"scopes": ["buyer"]}, headers={"Idempotency-Key": "once"})
    again = ada.post(keys, json={"scopes": ["buyer"]}, headers={"Idempotency-Key": "once"})
    assert first.status_code == 201
    assert problem(again) == (409, "response-not-stored")
    assert len(ada.get(keys).json()["items"]) == 2
    secret = first.json()["key"].split("_", 2)[2]
    with database.snapshot() as session:
        kept = session.execute(text("SELECT * FROM idempotent_calls")).all()
    assert not any(secret in str(value) for row in kept for value in row)
