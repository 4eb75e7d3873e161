"""The event stream of an evaluation sends the documents that polling reads. No worker runs."""

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, event

from app.accounts.principal import Principal
from app.evaluations import events as streams
from app.evaluations.events import EvaluationFeed, Follower
from tests.app.conftest import Party, Service
from tests.app.evaluations.jobs import eventually
from tests.app.evaluations.market import data, evaluate, market
from tests.app.requests.market import refused
from tests.conftest import ON_POSTGRES

HELD = data(10, 12)


def events(party: Party, evaluation_id: str, last: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield the events of one stream, each with its id, name and data."""
    headers = {} if last is None else {"Last-Event-ID": last}
    path = f"/v1/evaluations/{evaluation_id}/events"
    with party.stream("GET", path, headers=headers) as stream:
        assert stream.status_code == 200
        assert stream.headers["content-type"].startswith("text/event-stream")
        event: dict[str, Any] = {}
        for line in stream.iter_lines():
            name, _, value = line.partition(": ")
            if line == "":
                if event:
                    yield event
                event = {}
            elif name:
                event[name] = json.loads(value) if name == "data" else value


@ON_POSTGRES
def test_a_reader_who_reconnects_receives_only_changes(
    http: Callable[..., Party], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "POLL_SECONDS", 0.05)
    buyer, _, request_id, _ = market(http, HELD, ["measure"] * 2)
    evaluation_id = evaluate(buyer, request_id)
    first = next(events(buyer, evaluation_id))
    assert first["data"]["state"] == "waiting"
    assert first["data"]["reason"].startswith("No worker is running")

    with ThreadPoolExecutor() as threads:
        following = threads.submit(list, events(buyer, evaluation_id, last=first["id"]))
        time.sleep(0.5)  # nothing changes meanwhile
        buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")
        (news,) = following.result()

    assert news["data"]["state"] == "cancelled"
    # An EventSource reconnects after every status but this one.
    path = f"/v1/evaluations/{evaluation_id}/events"
    nothing = buyer.get(path, headers={"Last-Event-ID": news["id"]})
    assert (nothing.status_code, nothing.content) == (204, b"")


@ON_POSTGRES
def test_sellers_follow_their_own_contributions_and_strangers_nothing(
    http: Callable[..., Party],
) -> None:
    buyer, sellers, request_id, answers = market(http, HELD, ["measure"] * 2)
    evaluation_id = evaluate(buyer, request_id)
    buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")

    (seen,) = events(sellers[0], evaluation_id)

    assert seen["data"]["contribution_ids"] == [answers[0]]
    stranger = http("buyer").get(f"/v1/evaluations/{evaluation_id}/events")
    refused(stranger, 404, "not-found")


@contextmanager
def counted_statements(engine: Engine) -> Iterator[list[str]]:
    statements: list[str] = []

    def note(*call: Any) -> None:
        statements.append(call[2])

    event.listen(engine, "before_cursor_execute", note)
    yield statements
    event.remove(engine, "before_cursor_execute", note)


def key_of(party: Party) -> str:
    keys = party.get(f"/v1/accounts/{party.account_id}/keys").json()["items"]
    return next(str(each["id"]) for each in keys if each["prefix"] in party.key)


def test_a_tick_takes_as_many_statements_for_many_streams_as_for_one(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, _, request_id, _ = market(http, HELD, ["measure"] * 2)
    viewer = Principal(
        buyer.account_id, buyer.organisation, "Ada", frozenset({"buyer"}), key_id=key_of(buyer)
    )
    followed = [Follower(evaluate(buyer, request_id), viewer) for _ in range(8)]
    feed: EvaluationFeed = service.app.state.evaluation_feed

    statements = []
    for followers in (followed[:1], followed, followed):
        with counted_statements(service.app.state.database.engine) as made:
            news = feed.read(followers)
        statements.append(len(made))
        finals = [one.is_final for one in news.values() if one is not None]
    buyer.post(f"/v1/requests/{request_id}/cancel")
    with_news = feed.read(followed)

    assert statements[1] <= statements[0]
    assert statements[2] < statements[1]  # nothing changed, so no document is read
    assert finals == []
    assert [one is not None and one.is_final for one in with_news.values()] == [True] * 8


@ON_POSTGRES
@pytest.mark.parametrize("refusal", ["disabled", "closed", "revoked", "expired"])
def test_a_stream_ends_when_its_key_is_no_longer_accepted(
    http: Callable[..., Party], monkeypatch: pytest.MonkeyPatch, refusal: str
) -> None:
    monkeypatch.setattr(streams, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(streams, "STREAM_SECONDS", 90)
    buyer, (seller,), request_id, _ = market(http, HELD, ["measure"])
    soon = datetime.now(UTC) + timedelta(seconds=5) if refusal == "expired" else None
    reader = http("seller", account_id=seller.account_id, expires_at=soon)
    evaluation_id = evaluate(buyer, request_id)
    path = f"/v1/evaluations/{evaluation_id}/events"
    account = f"/v1/accounts/{seller.account_id}"

    with reader.stream("GET", path) as stream, ThreadPoolExecutor() as threads:
        lines = stream.iter_lines()
        assert next(lines)
        rest = threads.submit(list, lines)
        if refusal == "disabled":
            assert http("admin").post(f"{account}/disable").is_success
        elif refusal == "closed":
            assert http("admin").delete(account).is_success
        elif refusal == "revoked":
            assert seller.delete(f"{account}/keys/{key_of(reader)}").is_success
        rest.result(timeout=45)

    assert reader.get(path).status_code == (403 if refusal == "disabled" else 401)
    buyer.post(f"/v1/requests/{request_id}/cancel")


def test_open_streams_hold_no_connection_and_others_are_served(
    http: Callable[..., Party],
    service: Service,
    limit_streams: Callable[[int, int], None],
) -> None:
    limit_streams(100, 100)
    buyer, _, request_id, _ = market(http, HELD, ["measure"] * 2)
    path = f"/v1/evaluations/{evaluate(buyer, request_id)}/events"
    with ExitStack() as stack:
        for _ in range(60):  # more than the server has threads, or connections
            stream = stack.enter_context(buyer.stream("GET", path))
            assert next(stream.iter_lines())
        pool = service.app.state.database.engine.pool
        eventually(lambda: pool.checkedout() == 0, "no connection is held")
        assert buyer.get("/v1/accounts/me").status_code == 200
    buyer.post(f"/v1/requests/{request_id}/cancel")
