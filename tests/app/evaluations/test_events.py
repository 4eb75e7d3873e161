"""The event stream of an evaluation has the documents of polling. No worker runs."""

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from app.evaluations import events as streams
from tests.app.conftest import Party
from tests.app.evaluations.market import data, evaluate, market
from tests.app.requests.market import refused

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
        time.sleep(0.5)  # in which nothing is news
        buyer.post(f"/v1/evaluations/{evaluation_id}/cancel")
        (news,) = following.result()

    assert news["data"]["state"] == "cancelled"
    # The status that keeps an EventSource from coming again, and again.
    path = f"/v1/evaluations/{evaluation_id}/events"
    nothing = buyer.get(path, headers={"Last-Event-ID": news["id"]})
    assert (nothing.status_code, nothing.content) == (204, b"")


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
