"""The ledger of a real service: which calls write rows, who reads them, and that they stay."""

import threading
from collections.abc import Callable

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import DBAPIError

from app.append_only import install
from app.ledger import service as ledger
from app.ledger.models import Disclosure
from tests.app.conftest import Party, Service
from tests.app.requests.market import (
    COSTS,
    POINTS,
    begun,
    invite,
    opened,
    put,
    submitted,
)
from wassay import models as wire
from wassay.ledger import GENESIS, BrokenLedger, verify


def rows(party: Party, role: str = "owner") -> list[wire.Disclosure]:
    """Return all rows of the ledger that a party reads in a role, oldest first."""
    page = party.get("/v1/disclosures", params={"role": role, "limit": 100})
    assert page.status_code == 200, page.text
    found = wire.Page[wire.Disclosure].model_validate_json(page.content)
    return sorted(found.items, key=lambda row: (row.position or 0, row.created_at, row.id))


def summary(row: wire.Disclosure) -> tuple[str, str | None, list[float], str]:
    return row.kind, row.viewer_id, row.sweep, row.disclosure_class.value


def test_what_is_uploaded_is_disclosed_to_the_service_and_the_chain_is_whole(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, seller = http("buyer"), http("seller")
    request_id = opened(buyer, audience="everyone")
    listing = seller.post(
        "/v1/listings", json={"title": "Mine", "dimension": 2, "points": 3}
    ).json()["id"]

    submitted(seller, request_id, listing_id=listing)

    (asked,) = verify(rows(buyer))
    assert summary(asked) == ("measure", None, [], "approximate")
    assert (asked.dataset, asked.points, asked.dimension) == (buyer.account_id, 3, 2)
    answered = verify(rows(seller))
    assert [summary(row) for row in answered] == [
        ("measure", None, [s], "exact") for s in (0.25, 0.5, 0.75)
    ]
    assert {(row.dataset, row.request_id, row.sealed) for row in answered} == {
        (listing, request_id, False)
    }
    with service.database.snapshot() as session:
        stranger = http("seller").account_id
        assert ledger.head_hashes(session, {seller.account_id, stranger}) == {
            seller.account_id: answered[-1].hash,
            stranger: GENESIS,
        }


def test_a_refused_upload_leaves_no_row_and_the_same_bytes_again_leave_one(
    http: Callable[..., Party],
) -> None:
    buyer, seller = http("buyer"), http("seller")
    contribution = begun(seller, opened(buyer, audience="everyone"))
    path = f"/v1/contributions/{contribution}/measures/0.5"

    assert put(seller, path, POINTS[:, :1]).status_code == 422
    assert rows(seller) == []
    for _ in range(2):
        assert put(seller, path, POINTS).is_success
    assert put(seller, path, POINTS + 1).is_success
    assert put(seller, path, POINTS).is_success

    digests = [row.digest for row in verify(rows(seller))]
    assert len(digests) == len(set(digests)) == 2


def test_a_seller_in_mode_cost_block_is_a_viewer_of_the_buyers_measure(
    http: Callable[..., Party],
) -> None:
    buyer, seller = http("buyer"), http("seller")
    terms = {"modes": ["measure", "cost-block"], "reveals_measure": True}
    request_id = opened(buyer, audience="everyone", **terms)
    begun(http("seller"), request_id)
    contribution = begun(seller, request_id, mode="cost-block")
    put(seller, f"/v1/contributions/{contribution}/cost-blocks/0.5", COSTS)

    _, shown = verify(rows(buyer))
    assert summary(shown) == ("measure", seller.account_id, [], "approximate")
    assert shown.viewer_organisation == seller.organisation
    (block,) = verify(rows(seller))
    assert (block.kind, block.rank) == ("cost-block", 2)


def test_sealing_a_key_to_a_seller_adds_one_row_however_often(
    http: Callable[..., Party],
) -> None:
    buyer, seller = http("buyer"), http("seller")
    reference = buyer.post(
        "/v1/references",
        json={
            "size": 1,
            "dimension": 2,
            "distribution": {"kind": "normal"},
            "disclosure": "sealed",
            "commitment": "ab" * 32,
        },
    ).json()["id"]
    request_id = buyer.post(
        "/v1/requests", json={"title": "Sealed", "reference_id": reference}
    ).json()["id"]
    put(buyer, f"/v1/requests/{request_id}/measure", POINTS)
    invite(buyer, request_id, seller)
    for box in ("AAAA", "BBBB"):
        path = f"/v1/requests/{request_id}/sealed-keys/{seller.account_id}"
        assert buyer.put(path, json={"box": box}).is_success

    measure, key = verify(rows(buyer))
    assert summary(measure) == ("measure", None, [], "up-to-isometry")
    assert summary(key) == ("key", seller.account_id, [], "nothing")
    assert key.digest == "ab" * 32
    combined = {
        item["viewer_organisation"]: item["disclosure_class"]
        for item in buyer.get("/v1/disclosures/combined").json()["items"]
    }
    assert combined == {None: "up-to-isometry", seller.organisation: "nothing"}


def test_a_viewer_sees_their_rows_without_positions_and_others_see_none(
    http: Callable[..., Party],
) -> None:
    buyer, seller = http("buyer"), http("seller")
    terms = {"modes": ["cost-block"], "reveals_measure": True}
    begun(seller, opened(buyer, audience="everyone", **terms), mode="cost-block")

    (seen,) = rows(seller, "viewer")

    # A viewer who knows the rest of the row could guess the position, and check it by the hash.
    assert seen.owner_id == buyer.account_id
    assert (seen.position, seen.previous_hash, seen.hash) == (None, None, None)
    assert rows(seller) == []
    stranger = http("buyer", "seller")
    assert rows(stranger) == rows(stranger, "viewer") == []
    assert stranger.get("/v1/disclosures/combined").json() == {"items": []}


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE disclosures SET points = 0",
        "UPDATE disclosures SET points = 0 WHERE id = 'nothing'",
        "DELETE FROM disclosures",
        "REPLACE INTO disclosures SELECT * FROM disclosures LIMIT 1",
        "TRUNCATE disclosures",
    ],
)
def test_the_database_itself_refuses_to_change_or_remove_a_row(
    http: Callable[..., Party], service: Service, statement: str
) -> None:
    buyer = http("buyer")
    opened(buyer)
    before = rows(buyer)
    sqlite = service.database.engine.dialect.name == "sqlite"
    if statement.startswith("TRUNCATE" if sqlite else "REPLACE"):
        expected = "syntax error"  # the statement belongs to the other database
    elif sqlite and "nothing" in statement:
        expected = None  # SQLite's triggers fire for each row, and no row matches
    else:
        expected = "disclosures are append-only"

    if expected is None:
        with service.database.transaction() as session:
            session.execute(text(statement))
    else:
        with pytest.raises(DBAPIError, match=expected), service.database.transaction() as session:
            session.execute(text(statement))

    assert rows(buyer) == before


def test_a_row_rewritten_in_the_database_is_noticed_by_its_owner(
    http: Callable[..., Party], service: Service
) -> None:
    buyer = http("buyer")
    opened(buyer)
    sqlite = service.database.engine.dialect.name == "sqlite"
    with service.database.transaction() as session:
        session.execute(
            text(
                "DROP TRIGGER disclosures_no_update"
                if sqlite
                else "DROP TRIGGER disclosures_append_only ON disclosures"
            )
        )
        mine = {"owner": buyer.account_id}
        session.execute(text("UPDATE disclosures SET points = 1 WHERE owner_id = :owner"), mine)
        install(session.connection())

    with pytest.raises(BrokenLedger, match="row 1"):
        verify(rows(buyer))


def test_a_list_of_one_request_is_of_that_request_alone(http: Callable[..., Party]) -> None:
    buyer = http("buyer")
    first, second = opened(buyer), opened(buyer)
    listed = buyer.get("/v1/disclosures", params={"role": "owner", "request_id": second}).json()
    assert [row["request_id"] for row in listed["items"]] == [second]
    assert {row.request_id for row in rows(buyer)} == {first, second}


def test_concurrent_disclosures_make_one_chain(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, seller = http("buyer"), http("seller")
    requests = [opened(buyer, audience="everyone") for _ in range(4)]
    drafts = [begun(seller, request_id) for request_id in requests]
    start = threading.Barrier(len(drafts))

    def upload(contribution: str) -> None:
        start.wait()
        for s in (0.25, 0.5, 0.75):
            put(seller, f"/v1/contributions/{contribution}/measures/{s}", POINTS + s)

    threads = [threading.Thread(target=upload, args=[each]) for each in drafts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(verify(rows(seller))) == 12
    with service.database.snapshot() as session:
        hashes = session.scalars(
            select(Disclosure.hash).where(Disclosure.owner_id == seller.account_id)
        ).all()
    assert len(set(hashes)) == 12
