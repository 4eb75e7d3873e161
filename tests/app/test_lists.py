"""Reading a list takes the same number of queries for any number of rows."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from tests.app.conftest import Party, Service
from tests.app.requests.market import begun, invite, opened, submitted

MANY = 3
REVEALING = {"modes": ["cost-block"], "reveals_measure": True, "audience": "everyone"}

Parties = Callable[..., Party]


@contextmanager
def queries(service: Service) -> Iterator[list[str]]:
    """Collect the service's queries that do not depend on earlier calls."""
    engine, asked = service.app.state.database.engine, []

    def ask(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        # The thread records the use of keys; a PRAGMA changes a connection's mode.
        if threading.current_thread().name != "last-uses" and not statement.startswith("PRAGMA"):
            asked.append(statement)

    event.listen(engine, "before_cursor_execute", ask)
    try:
        yield asked
    finally:
        event.remove(engine, "before_cursor_execute", ask)


def requests_answered(parties: Parties) -> tuple[Party, str]:
    buyer, seller = parties("buyer"), parties("seller")
    for _ in range(MANY):
        begun(seller, opened(buyer, **REVEALING), mode="cost-block")
    return seller, "/v1/requests?role=seller"


def requests_asked(parties: Parties) -> tuple[Party, str]:
    buyer = parties("buyer")
    for _ in range(MANY):
        opened(buyer)
    return buyer, "/v1/requests"


def answers(parties: Parties) -> tuple[Party, str]:
    buyer = parties("buyer")
    request_id = opened(buyer, audience="everyone")
    for _ in range(MANY):
        begun(parties("seller"), request_id)
    return buyer, f"/v1/requests/{request_id}/contributions"


def evaluations(parties: Parties) -> tuple[Party, str]:
    buyer, seller = parties("buyer"), parties("seller")
    request_id = opened(buyer, audience="everyone")
    submitted(seller, request_id)
    path = f"/v1/requests/{request_id}/evaluations"
    for _ in range(MANY):
        asked = buyer.post(path, json={})
        assert asked.status_code == 202, asked.text
        assert buyer.post(f"/v1/evaluations/{asked.json()['id']}/cancel").is_success
    return buyer, path


def invitations(parties: Parties) -> tuple[Party, str]:
    buyer = parties("buyer")
    request_id = opened(buyer)
    for _ in range(MANY):
        invite(buyer, request_id, parties("seller"))
    return buyer, f"/v1/requests/{request_id}/invitations"


def listings(parties: Parties) -> tuple[Party, str]:
    for _ in range(MANY):
        new = {"title": "Mine", "dimension": 2, "points": 3}
        assert parties("seller").post("/v1/listings", json=new).status_code == 201
    return parties("buyer"), "/v1/listings"


@pytest.mark.parametrize(
    "filled", [requests_asked, requests_answered, answers, evaluations, invitations, listings]
)
def test_a_long_list_takes_as_many_queries_as_one_row(
    http: Parties, service: Service, filled: Callable[[Parties], tuple[Party, str]]
) -> None:
    reader, path = filled(http)
    assert reader.get(path).is_success  # only the first call of a key is recorded
    asked = []
    for limit in (1, MANY):
        with queries(service) as seen:
            read = reader.get(f"{path}{'&' if '?' in path else '?'}limit={limit}")
        assert len(read.json()["items"]) == limit, read.text
        asked.append(len(seen))
    assert asked[0] == asked[1]
