"""The pages of a list contain every row once, newest first, even if rows have equal times."""

import base64
import json
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import update

from app.database import Database, now
from app.references.models import Reference
from tests.app.conftest import Party, problem

Http = Callable[..., Party]

NEW: dict[str, Any] = {"size": 1, "dimension": 1, "distribution": {"kind": "constant"}}


def make(buyer: Party, count: int) -> list[str]:
    return [buyer.post("/v1/references", json=NEW).json()["id"] for _ in range(count)]


def walk(buyer: Party, limit: int) -> list[str]:
    seen: list[str] = []
    query: dict[str, Any] = {"limit": limit}
    while True:
        page = buyer.get("/v1/references", params=query).json()
        assert len(page["items"]) <= limit
        seen += [item["id"] for item in page["items"]]
        if page["next_cursor"] is None:
            return seen
        query["cursor"] = page["next_cursor"]


@pytest.mark.parametrize("limit", [1, 4, 12, 13, 100])
def test_pages_list_every_row_once_newest_first(http: Http, limit: int) -> None:
    buyer = http("buyer")
    made = make(buyer, 12)
    assert walk(buyer, limit) == made[::-1]


def test_rows_of_the_same_instant_are_seen_once_each(http: Http, database: Database) -> None:
    buyer = http("buyer")
    made = make(buyer, 9)
    with database.transaction() as session:
        session.execute(
            update(Reference)
            .where(Reference.account_id == buyer.account_id)
            .values(created_at=now())
        )
    assert walk(buyer, 2) == sorted(made, reverse=True)


def test_rows_inserted_between_pages_shift_nothing(http: Http) -> None:
    buyer = http("buyer")
    made = make(buyer, 6)
    first = buyer.get("/v1/references?limit=3").json()
    make(buyer, 3)
    query = {"limit": 3, "cursor": first["next_cursor"]}
    second = buyer.get("/v1/references", params=query).json()
    seen = [item["id"] for item in first["items"] + second["items"]]
    assert seen == made[::-1]


def test_anothers_cursor_shows_only_ones_own_rows(http: Http) -> None:
    ada, eve = http("buyer"), http("buyer")
    make(ada, 3)
    cursor = ada.get("/v1/references?limit=1").json()["next_cursor"]
    assert eve.get("/v1/references", params={"cursor": cursor}).json()["items"] == []


@pytest.mark.parametrize(
    "cursor",
    [
        "",
        "x",
        "é",
        "AAAA",
        base64.urlsafe_b64encode(b"[1, 2]").decode(),
        base64.urlsafe_b64encode(b'["2026-01-01T00:00:00", "ref_1"]').decode(),
        base64.urlsafe_b64encode(b'["2026-01-01T00:00:00Z", "ref\\u0000"]').decode(),
        base64.urlsafe_b64encode(json.dumps(["9" * 90, "r"]).encode()).decode(),
    ],
)
def test_an_invalid_cursor_is_refused(http: Http, cursor: str) -> None:
    answer = http("buyer").get("/v1/references", params={"cursor": cursor})
    assert problem(answer) == (422, "bad-cursor")


@pytest.mark.parametrize("limit", [0, 101, -1, "all", 10**30])
def test_a_page_has_1_to_100_items(http: Http, limit: object) -> None:
    answer = http("buyer").get("/v1/references", params={"limit": str(limit)})
    assert problem(answer) == (422, "invalid")
