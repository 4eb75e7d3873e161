"""A buyer's request: its terms, its edits, and who sees it."""

import pytest

from tests.app.conftest import Party, Service
from tests.app.requests.market import (
    POINTS,
    Parties,
    begun,
    draft,
    expire,
    footprint,
    invite,
    opened,
    put,
    reference,
    refused,
)
from tests.conftest import ON_POSTGRES


@pytest.fixture
def buyer(http: Parties) -> Party:
    return http("buyer")


def test_a_request_starts_as_a_draft_with_the_defaults(buyer: Party) -> None:
    reference_id = reference(buyer, dimension=64)
    response = buyer.post("/v1/requests", json={"title": " Digits ", "reference_id": reference_id})
    assert response.status_code == 201
    body = response.json()
    assert response.headers["location"] == f"/v1/requests/{body['id']}"
    assert {name: body[name] for name in body.keys() - {"id", "created_at", "updated_at"}} == {
        "account_id": buyer.account_id,
        "organisation": buyer.organisation,
        "state": "draft",
        "title": "Digits",
        "description": "",
        "reference_id": reference_id,
        "dimension": 64,
        "projected_from": None,
        "order": 2,
        "sweep": [0.25, 0.5, 0.75],
        "modes": ["measure"],
        "audience": "invited",
        "reveals_measure": False,
        "reveals_scores": False,
        "interpolation": "barycentric",
        "labelled": False,
        "class_names": None,
        "recipe": None,
        "epsilon": None,
        "radius": None,
        "measure": None,
        "expires_at": None,
    }
    read = buyer.get(f"/v1/requests/{body['id']}")
    assert read.json() == body
    assert read.headers["etag"] == response.headers["etag"]


@ON_POSTGRES
def test_a_sweep_is_kept_sorted(buyer: Party) -> None:
    request_id = draft(buyer, sweep=[0.9, 0.1, 0.3, 0.5])
    assert buyer.get(f"/v1/requests/{request_id}").json()["sweep"] == [0.1, 0.3, 0.5, 0.9]


@ON_POSTGRES
def test_contradictory_terms_are_refused(
    buyer: Party, service: Service, subtests: pytest.Subtests
) -> None:
    reference_id = reference(buyer)
    before = footprint(service)
    for terms, location in (
        ({"sweep": [0.2, 0.4]}, "body.sweep"),
        ({"sweep": [0.2, 0.4, 0.4]}, "body.sweep"),
        ({"sweep": [0.2, 0.4, 0.4001]}, "body.sweep"),
        ({"sweep": [0.0, 0.4, 0.6]}, "body.sweep.0"),
        ({"sweep": [0.2, 0.4, 1.0]}, "body.sweep.2"),
        ({"sweep": ["0.2", 0.4, 0.6]}, "body.sweep.0"),
        ({"sweep": [True, 0.4, 0.6]}, "body.sweep.0"),
        ({"sweep": [i / 100 for i in range(1, 34)]}, "body.sweep"),
        ({"modes": []}, "body.modes"),
        ({"modes": ["measure", "measure"]}, "body.modes"),
        ({"modes": ["guess"]}, "body.modes.0"),
        ({"order": 3}, "body.order"),
        ({"order": "2"}, "body.order"),
        ({"order": True}, "body.order"),
        ({"reveals_measure": "yes"}, "body.reveals_measure"),
        ({"reveals_measure": 1}, "body.reveals_measure"),
        ({"audience": "friends"}, "body.audience"),
        ({"title": ""}, "body.title"),
        ({"title": "x" * 201}, "body.title"),
        ({"title": "a\x00b"}, "body.title"),
        ({"description": "\x00"}, "body.description"),
        ({"expires_at": "2020-01-01T00:00:00Z"}, "body.expires_at"),
        ({"expires_at": "2999-01-01T00:00:00"}, "body.expires_at"),
        ({"expires_at": "9999-12-31T23:59:59-12:00"}, "body.expires_at"),
        ({"state": "open"}, "body.state"),
        ({"reference_id": "a\x00"}, "body.reference_id"),
    ):
        with subtests.test(**terms):
            response = buyer.post(
                "/v1/requests", json={"title": "t", "reference_id": reference_id, **terms}
            )
            body = refused(response, 422, "invalid")
            assert body["errors"][0]["location"] == location
    assert footprint(service) == before


@ON_POSTGRES
def test_a_foreign_reference_does_not_exist(buyer: Party, http: Parties, service: Service) -> None:
    foreign = reference(http("buyer"))
    before = footprint(service)
    for reference_id in (foreign, "ref_unknown"):
        response = buyer.post("/v1/requests", json={"title": "t", "reference_id": reference_id})
        assert refused(response, 404, "not-found")["received"] == reference_id
    assert footprint(service) == before


@ON_POSTGRES
def test_an_edit_changes_only_the_named_fields(buyer: Party) -> None:
    path = f"/v1/requests/{draft(buyer, expires_at='2999-01-01T00:00:00Z')}"
    before = buyer.get(path)
    response = buyer.patch(
        path,
        json={"sweep": [0.9, 0.2, 0.4], "expires_at": None},
        headers={"If-Match": before.headers["etag"]},
    )
    assert response.status_code == 200
    assert response.headers["etag"] != before.headers["etag"]
    changed = {"sweep": [0.2, 0.4, 0.9], "expires_at": None}
    assert response.json() | {"updated_at": ""} == before.json() | changed | {"updated_at": ""}


def test_an_edit_needs_the_current_version(buyer: Party) -> None:
    path = f"/v1/requests/{draft(buyer)}"
    stale = buyer.get(path).headers["etag"]
    edit = {"title": "Other digits"}
    refused(buyer.patch(path, json=edit), 428, "precondition-required")
    assert buyer.patch(path, json=edit, headers={"If-Match": stale}).status_code == 200
    refused(buyer.patch(path, json=edit, headers={"If-Match": stale}), 412, "precondition-failed")


@ON_POSTGRES
def test_a_reader_who_holds_the_current_version_gets_no_body(buyer: Party) -> None:
    path = f"/v1/requests/{draft(buyer)}"
    tag = buyer.get(path).headers["etag"]
    response = buyer.get(path, headers={"If-None-Match": tag})
    assert (response.status_code, response.content) == (304, b"")


@ON_POSTGRES
def test_an_edit_cannot_set_a_term_to_null(buyer: Party) -> None:
    path = f"/v1/requests/{draft(buyer)}"
    tag = buyer.get(path).headers["etag"]
    for edit in ({"title": None}, {"sweep": None}, {"order": 1}, {"reference_id": "ref_x"}):
        refused(buyer.patch(path, json=edit, headers={"If-Match": tag}), 422, "invalid")
    assert buyer.get(path).headers["etag"] == tag


def ids(party: Party, **query: str) -> list[str]:
    listed = party.get("/v1/requests", params=query)
    assert listed.status_code == 200, listed.text
    return [item["id"] for item in listed.json()["items"]]


def test_a_buyer_lists_own_requests_by_state_newest_first(
    buyer: Party, http: Parties, service: Service
) -> None:
    opened(http("buyer"), audience="everyone")
    first, second, gone = draft(buyer), opened(buyer), opened(buyer)
    expire(service, gone)
    assert ids(buyer) == [gone, second, first]
    assert ids(buyer, state="draft") == [first]
    assert ids(buyer, state="open") == [second]
    assert ids(buyer, state="expired") == [gone]
    assert ids(buyer, state="closed") == []
    page = buyer.get("/v1/requests", params={"limit": "2"}).json()
    assert [item["id"] for item in page["items"]] == [gone, second]
    assert ids(buyer, limit="2", cursor=page["next_cursor"]) == [first]


def test_a_seller_lists_the_requests_open_to_them(buyer: Party, http: Parties) -> None:
    seller = http("seller")
    for_all, for_some = opened(buyer, audience="everyone"), opened(buyer)
    for_others = opened(buyer)
    unopened = draft(buyer, audience="everyone")
    invite(buyer, for_some, seller)
    invite(buyer, unopened, seller)
    listed = ids(seller, role="seller", limit="100")
    assert {for_all, for_some} <= set(listed)
    assert not {for_others, unopened} & set(listed)
    assert ids(seller, role="seller", state="closed") == []


@ON_POSTGRES
def test_a_role_needs_its_scope(buyer: Party, http: Parties) -> None:
    as_seller = buyer.get("/v1/requests", params={"role": "seller"})
    assert refused(as_seller, 403, "forbidden")["expected"] == "seller"
    as_buyer = http("seller").get("/v1/requests", params={"role": "buyer"})
    assert refused(as_buyer, 403, "forbidden")["expected"] == "buyer"


def test_a_stranger_s_request_does_not_exist(buyer: Party, http: Parties, service: Service) -> None:
    path = f"/v1/requests/{draft(buyer, audience='everyone')}"
    put(buyer, f"{path}/measure", POINTS)
    stranger = http("buyer", "seller")
    tag = buyer.get(path).headers["etag"]
    invitation = buyer.post(f"{path}/invitations", json={"account_id": stranger.account_id}).json()[
        "id"
    ]
    before = footprint(service)
    for response in (
        stranger.get(path),
        stranger.patch(path, json={"title": "x"}, headers={"If-Match": tag}),
        stranger.post(f"{path}/open"),
        stranger.post(f"{path}/close"),
        stranger.post(f"{path}/cancel"),
        stranger.get(f"{path}/measure"),
        put(stranger, f"{path}/measure", POINTS),
        stranger.get(f"{path}/invitations"),
        stranger.post(f"{path}/invitations", json={"account_id": stranger.account_id}),
        stranger.delete(f"{path}/invitations/{invitation}"),
        stranger.get(f"{path}/contributions"),
        stranger.post(f"{path}/contributions", json={"mode": "measure"}),
    ):
        refused(response, 404, "not-found")
    assert footprint(service) == before


@ON_POSTGRES
def test_a_contributing_seller_reads_the_request_to_its_end(buyer: Party, http: Parties) -> None:
    answered, waited = http("seller"), http("seller")
    path = f"/v1/requests/{opened(buyer, audience='everyone')}"
    begun(answered, path.rpartition("/")[2])
    buyer.post(f"{path}/close")
    assert answered.get(path).json()["state"] == "closed"
    refused(waited.get(path), 404, "not-found")


@ON_POSTGRES
def test_a_key_without_the_scope_seller_reads_no_open_request(buyer: Party, http: Parties) -> None:
    path = f"/v1/requests/{opened(buyer, audience='everyone')}"
    refused(http("buyer").get(path), 404, "not-found")
    assert http("seller").get(path).status_code == 200


@ON_POSTGRES
def test_a_reference_is_read_through_the_request_that_uses_it(buyer: Party, http: Parties) -> None:
    request_id = draft(buyer, audience="everyone")
    path = f"/v1/references/{buyer.get(f'/v1/requests/{request_id}').json()['reference_id']}"
    seller = http("seller")
    assert buyer.get(path).status_code == 200
    refused(seller.get(path), 404, "not-found")
    put(buyer, f"/v1/requests/{request_id}/measure", POINTS)
    buyer.post(f"/v1/requests/{request_id}/open")
    assert seller.get(path).json() == buyer.get(path).json()
    refused(http("buyer").get(path), 404, "not-found")


def test_a_request_created_twice_with_one_key_is_created_once(buyer: Party) -> None:
    body = {"title": "t", "reference_id": reference(buyer)}
    headers = {"Idempotency-Key": "once"}
    first = buyer.post("/v1/requests", json=body, headers=headers)
    again = buyer.post("/v1/requests", json=body, headers=headers)
    assert again.json() == first.json()
    assert again.headers["idempotent-replayed"] == "true"
    assert len(ids(buyer)) == 1
