"""Administrators' actions are recorded, cannot be changed, and are read by administrators only."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import insert, text, update
from sqlalchemy.exc import DBAPIError

import wassay
from app.accounts.admin_actions import forget_actions, record
from app.accounts.models import AdminAction
from app.database import now
from app.settings import Settings
from tests.app.conftest import Party, Service, problem
from tests.app.evaluations.jobs import Jobs
from tests.app.evaluations.market import data, evaluate, market
from tests.app.evaluations.test_retrying import LOST, end_jobs
from wassay.cli.commands.admin_actions import admin_actions

Http = Callable[..., Party]


def test_every_act_of_an_administrator_is_recorded_with_who_what_when_and_the_call(
    http: Http, service: Service
) -> None:
    buyer, admin = http("buyer"), http("admin")
    request_id = market(http, data(10), ["measure"], buyer=buyer)[2]
    waiting, failed = evaluate(buyer, request_id), evaluate(buyer, request_id)
    jobs = Jobs(service)
    assert jobs.evaluations.prepare(failed)
    jobs.evaluations.fail(failed, LOST, 1)
    end_jobs(service, failed)
    before = now()

    with wassay.Client(service.url, admin.key) as client:
        account = client.accounts.create(organisation="Watched", name="Wim").id
        key = client.accounts.create_key(account, scopes=["buyer"]).id
        client.accounts.get(account)
        client.accounts.usage(account)
        next(iter(client.accounts.keys(account)))
        client.accounts.revoke_key(account, key)
        client.accounts.close(account)
        next(iter(client.accounts.list()))
        next(iter(client.evaluations.all()))
        client.evaluations.inspect(waiting)
        client.evaluations.cancel_any(waiting)
        client.evaluations.retry(failed)
        recorded = list(client.admin_actions.list(account_id=admin.account_id))[::-1]
        of_account = list(client.admin_actions.list(object_id=account))
    of_call = admin.get("/v1/accounts")

    assert [(each.action, each.object_id) for each in recorded] == [
        ("account.create", account),
        ("key.issue", key),
        ("account.read", account),
        ("account.usage", account),
        ("key.list", account),
        ("key.revoke", key),
        ("account.close", account),
        ("account.list", None),
        ("evaluation.list", None),
        ("evaluation.read", waiting),
        ("evaluation.cancel", waiting),
        ("evaluation.retry", failed),
    ]
    (key_id,) = {each.key_id for each in recorded}
    assert key_id is not None
    assert key_id in [each["id"] for each in admin.get(keys_of(admin)).json()["items"]]
    assert all(before < each.created_at < now() for each in recorded)
    assert of_account == [each for each in reversed(recorded) if each.object_id == account]
    last = admin.get("/v1/admin/actions", params={"limit": 1}).json()["items"][0]
    assert last["request_id"] == of_call.headers["x-request-id"]
    buyer.post(f"/v1/requests/{request_id}/cancel")


def keys_of(party: Party) -> str:
    return f"/v1/accounts/{party.account_id}/keys"


def test_what_anybody_may_do_and_what_failed_is_not_recorded(http: Http) -> None:
    buyer, admin = http("buyer"), http("admin")
    issued = buyer.post(keys_of(buyer), json={"scopes": ["buyer"]}).json()["id"]
    assert buyer.delete(f"{keys_of(buyer)}/{issued}").is_success
    assert problem(buyer.get(f"/v1/accounts/{admin.account_id}")) == (404, "not-found")
    assert problem(admin.delete(f"{keys_of(buyer)}/key_none")) == (404, "not-found")
    assert admin.get(f"/v1/accounts/{admin.account_id}").is_success

    found = admin.get("/v1/admin/actions").json()["items"]

    assert not {buyer.account_id, admin.account_id} & {each["account_id"] for each in found}
    assert issued not in {each["object_id"] for each in found}


def test_records_can_be_neither_changed_nor_deleted_before_their_time(service: Service) -> None:
    old = {"id": "act_old", "created_at": now() - timedelta(days=1000), "action": "account.list"}
    with service.database.transaction() as session:
        session.execute(insert(AdminAction).values(old))
        record(session, None, "account.list", None)
    for statement in (
        update(AdminAction).values(object_id="acc_another"),
        text("DELETE FROM admin_actions"),
    ):
        with (
            pytest.raises(DBAPIError, match="admin_actions are append-only"),
            service.database.transaction() as session,
        ):
            session.execute(statement)

    with service.database.transaction() as session:
        forget_actions(session, timedelta(days=730))
        assert session.get(AdminAction, "act_old") is None
    with pytest.raises(ValueError, match="at least 90 days"):
        Settings(admin_action_days=30)
    assert Settings(admin_action_days=0).admin_action_retention is None


def test_the_command_prints_what_administrators_did(
    http: Http,
    service: Service,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    buyer, admin = http("buyer"), http("admin")
    monkeypatch.setenv("WASSAY_URL", service.url)
    monkeypatch.setenv("WASSAY_API_KEY", admin.key)
    asked = admin.get(f"/v1/accounts/{buyer.account_id}").headers["x-request-id"]
    with service.database.transaction() as session:
        record(session, None, "key.issue", buyer.account_id)

    admin_actions(to=buyer.account_id)

    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[2:] for line in lines[2:]] == [
        ["command", "line", "key.issue", buyer.account_id],
        [admin.account_id, "account.read", buyer.account_id, asked],
    ]
