"""Sellers are named by their labels or ids, and an ambiguous name is refused."""

from pathlib import Path

import pytest

from tests.client.answers import MOMENT
from tests.client.conftest import Answer, ScriptedServer
from tests.client.documents import result
from wassay import Client, Constant, Measure, Profile, Reference, WassayError
from wassay.cli.seller_names import contribution_of
from wassay.cli.seller_numbers import numbers_of
from wassay.client.buyer.named_sellers import accounts_of
from wassay.client.shared.identity import Identity
from wassay.client.valuation.greedy_purchase import by_id
from wassay.errors import InvalidArgumentError
from wassay.models import SellerResult
from wassay.sealed_boxes import KeyPair


@pytest.fixture(scope="module")
def sellers() -> list[SellerResult]:
    """Three sellers: one labelled `a`, and two labelled `twins`."""
    held = {name: Measure([[1.0], [2.0]]) for name in "abc"}
    reference = Reference(1, 1, Constant(0.0), seed=0).measure()
    found = result(Measure([[0.0]]), held, reference, 0.5).sellers
    return [found[0], *(each.model_copy(update={"label": "twins"}) for each in found[1:])]


@pytest.mark.parametrize("name", ["con_a", "acc_a", "a"])
def test_a_contribution_is_named_by_its_id_its_account_or_its_label(
    sellers: list[SellerResult], name: str
) -> None:
    assert contribution_of(sellers, name) == "con_a"


def test_a_label_that_two_sellers_have_names_neither(sellers: list[SellerResult]) -> None:
    with pytest.raises(WassayError, match="'twins' names 2 sellers: con_b, con_c"):
        contribution_of(sellers, "twins")
    assert contribution_of(sellers, "con_c") == "con_c"


def test_nobody_takes_the_place_of_another_by_a_label(sellers: list[SellerResult]) -> None:
    forger = sellers[1].model_copy(update={"label": "con_a"})
    assert contribution_of([forger, sellers[0]], "con_a") == "con_a"
    forger = sellers[1].model_copy(update={"label": "acc_a"})
    with pytest.raises(WassayError, match="2 sellers: con_b, con_a"):
        contribution_of([forger, sellers[0]], "acc_a")


def test_an_unknown_name_is_an_error_that_lists_the_known_ones(
    sellers: list[SellerResult],
) -> None:
    with pytest.raises(WassayError, match=r"'b'; use one of 'a' \(con_a\), 'twins' \(con_b\)"):
        contribution_of(sellers, "b")


def test_prices_are_of_sellers_as_they_are_named(sellers: list[SellerResult]) -> None:
    assert numbers_of(sellers, ["a=3", "con_b=0.5"], "price") == {"con_a": 3.0, "con_b": 0.5}
    odd = sellers[0].model_copy(update={"label": "2=3"})
    assert numbers_of([odd], ["2=3=4"], "price") == {"con_a": 4.0}
    for wrong in ("3", "a=", "=3", "a=x", "a=-1", "a=nan"):
        with pytest.raises(WassayError, match=f"SELLER=PRICE.* received '{wrong}'"):
            numbers_of(sellers, [wrong], "price")
    with pytest.raises(
        WassayError, match="expected one price for con_a, received a second as 'acc_a'"
    ):
        numbers_of(sellers, ["a=3", "acc_a=4"], "price")


def listings(*organisations: str) -> Answer:
    listed = [
        {
            "id": f"lst_{place}",
            "account_id": f"acc_{place}",
            "organisation": organisation,
            "state": "published",
            "title": "",
            "description": "",
            "dimension": 1,
            "points": 1,
            "classes": None,
            "licence": None,
            "terms": None,
            "caps": None,
            "created_at": MOMENT,
            "updated_at": MOMENT,
        }
        for place, organisation in enumerate(organisations)
    ]
    return Answer(200, {"items": listed, "next_cursor": None})


OWN = Answer(200, {"id": "acc_me", "organisation": "Us", "name": "Ada", "created_at": MOMENT})
KEY = KeyPair.draw().public


def found(client: Client, profile: Profile, *sellers: str, sealed: bool = True) -> list[str]:
    identity = Identity(client.flows, profile)
    accounts: list[str] = client.run(accounts_of(client.flows, identity, sellers, sealed=sealed))
    return accounts


def test_ids_of_accounts_are_taken_as_they_are(
    client: Client, server: ScriptedServer, tmp_path: Path
) -> None:
    assert found(client, Profile(tmp_path / "p"), "acc_x", "acc_y") == ["acc_x", "acc_y"]
    assert server.received == []


def test_an_organisation_or_a_listing_names_an_account_whose_key_is_pinned(
    client: Client, server: ScriptedServer, tmp_path: Path
) -> None:
    profile = Profile(tmp_path / "p")
    profile.pin("acc_me", "acc_0", KEY)
    bolt = listings("Acme", "Acme Bolts")
    server.script = [bolt, OWN, Answer(200, bolt.body["items"][0])]
    assert found(client, profile, "ACME", "lst_0", "acc_x") == ["acc_0", "acc_0", "acc_x"]
    assert [each.target for each in server.received[::2]] == [
        "/v1/listings?text=ACME",
        "/v1/listings/lst_0",
    ]


def test_an_account_that_only_the_service_names_is_not_invited(
    client: Client, server: ScriptedServer, tmp_path: Path
) -> None:
    profile = Profile(tmp_path / "p")
    profile.pin("acc_me", "acc_other", KEY)
    server.script = [listings("Acme"), OWN]
    with pytest.raises(InvalidArgumentError, match="'acme' is acc_0, whose key you have not"):
        found(client, profile, "acme")
    server.script = [listings("Acme")]
    assert found(client, profile, "acme", sealed=False) == ["acc_0"]


def test_a_name_of_no_account_or_of_two_is_refused(
    client: Client, server: ScriptedServer, tmp_path: Path
) -> None:
    profile = Profile(tmp_path / "p")
    server.script = [listings("Acme", "acme"), listings("Acme")]
    with pytest.raises(InvalidArgumentError, match="2 accounts, acc_0, acc_1"):
        found(client, profile, "ACME")
    with pytest.raises(InvalidArgumentError, match="no organisation of that name"):
        found(client, profile, "bolt")
    with pytest.raises(InvalidArgumentError, match="the name of a seller"):
        found(client, profile, " ")


def test_purchases_take_prices_by_id_or_by_a_label_that_one_seller_has() -> None:
    labels = {"con_a": "Acme", "con_b": "twins", "con_c": "twins"}
    assert by_id({"Acme": 3.0, "con_b": 1.0}, labels) == {"con_a": 3.0, "con_b": 1.0}
    assert by_id({"other": 3.0}, labels) == {"other": 3.0}
    with pytest.raises(InvalidArgumentError, match="'twins', which names con_b, con_c"):
        by_id({"twins": 3.0}, labels)
    with pytest.raises(InvalidArgumentError, match="one price for con_a"):
        by_id({"con_a": 3.0, "Acme": 3.0}, labels)
