"""A closed account cannot be used, and its data are erased."""

from collections.abc import Callable

from sqlalchemy import inspect, text

from app.accounts.models import Account
from app.database import now
from app.retention.accounts import close_account
from app.retention.cleanup import clean_up
from tests.app.conftest import Party, Service, problem
from tests.app.evaluations.market import data, evaluate, market
from tests.app.requests.market import draft, refused
from tests.app.retention.held import holds
from tests.app.retention.test_withdrawals import evaluated


def tables_with(service: Service, wanted: str) -> list[str]:
    """Return the names of the tables that contain a text."""
    with service.database.snapshot() as session:
        names = inspect(session.connection()).get_table_names()
        rows = {
            # Convert to tuples, because the text of a Row abbreviates long values.
            name: [tuple(row) for row in session.execute(text(f'SELECT * FROM "{name}"'))]
            for name in names
        }
    return [name for name, content in rows.items() if wanted in str(content)]


def test_nothing_of_a_buyer_is_left_but_what_ledgers_and_receipts_name(
    http: Callable[..., Party], service: Service
) -> None:
    ours = evaluated(http, service, data(11, 12, seed=41))
    buyer = ours.buyer
    other = evaluate(buyer, ours.request_id)
    digest = buyer.get(f"/v1/requests/{ours.request_id}").json()["measure"]["digest"]
    assert holds(service, digest)

    assert buyer.delete(f"/v1/accounts/{buyer.account_id}").status_code == 204

    assert problem(buyer.get("/v1/accounts/me")) == (401, "not-authenticated")
    assert not holds(service, digest)
    seller = ours.sellers[0]
    evaluation = seller.get(f"/v1/evaluations/{other}").json()
    assert (evaluation["state"], evaluation["reason"]) == (
        "cancelled",
        "The evaluation was cancelled. Only its buyer can read why.",
    )
    assert seller.get(f"/v1/requests/{ours.request_id}").json()["title"] == "(erased)"
    receipt = seller.get(f"/v1/evaluations/{ours.evaluation_id}/receipt")
    assert receipt.status_code == 200


def test_nothing_of_a_seller_is_left_but_what_ledgers_and_receipts_name(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, (seller, other), request_id, (contribution_id, _) = market(
        http, data(11, 12, seed=42), ["measure", "measure"]
    )
    label = "Zwetschgenmus"
    listing = seller.post(
        "/v1/listings",
        json={"title": label, "dimension": 3, "points": 9, "terms": label},
    )
    assert listing.status_code == 201
    seller.post(
        f"/v1/accounts/{seller.account_id}/keys",
        json={"scopes": ["seller"], "label": label},
        headers={"Idempotency-Key": label},
    )
    waiting = evaluate(buyer, request_id)
    arrays = seller.get(f"/v1/contributions/{contribution_id}").json()["arrays"]
    admin = http("admin")
    assert tables_with(service, label)

    assert admin.delete(f"/v1/accounts/{seller.account_id}").status_code == 204

    assert problem(seller.get("/v1/accounts/me")) == (401, "not-authenticated")
    assert not any(holds(service, each["digest"]) for each in arrays)
    assert tables_with(service, label) == []
    assert buyer.get(f"/v1/evaluations/{waiting}").json()["state"] == "cancelled"
    told = buyer.get(f"/v1/contributions/{contribution_id}").json()
    assert (told["state"], told["label"]) == ("withdrawn", "(erased)")
    assert other.get("/v1/accounts/me").status_code == 200
    account = admin.get(f"/v1/accounts/{seller.account_id}").json()
    assert account["name"] == "(erased)"
    assert account["closed_at"] is not None


def test_a_closed_account_gets_no_key_and_no_invitation(
    http: Callable[..., Party], service: Service
) -> None:
    seller, admin, buyer = http("seller"), http("admin"), http("buyer")
    close_account(service.database, service.app.state.array_store, None, seller.account_id)
    new_key = {"scopes": ["seller"]}
    path = f"/v1/accounts/{seller.account_id}"

    refused(admin.post(f"{path}/keys", json=new_key), 404, "not-found")
    invitation = {"account_id": seller.account_id}
    refused(
        buyer.post(f"/v1/requests/{draft(buyer)}/invitations", json=invitation), 404, "not-found"
    )


def test_only_an_administrator_or_a_key_with_all_scopes_closes_an_account(
    http: Callable[..., Party],
) -> None:
    buyer = http("buyer")
    both = http("buyer", "seller", account_id=buyer.account_id)
    path = f"/v1/accounts/{buyer.account_id}"
    refused(http("buyer", "seller").delete(path), 404, "not-found")
    refused(buyer.delete(path), 403, "forbidden")

    assert both.delete(path).status_code == 204


def test_what_a_call_under_way_adds_to_a_closed_account_is_erased_by_the_cleanup(
    http: Callable[..., Party], service: Service
) -> None:
    buyer, _, request_id, _ = market(http, data(5, seed=43), ["measure"])
    digest = buyer.get(f"/v1/requests/{request_id}").json()["measure"]["digest"]
    with service.database.transaction() as session:
        session.get_one(Account, buyer.account_id).closed_at = now()

    clean_up(service.database, service.app.state.array_store, None)

    assert not holds(service, digest)
