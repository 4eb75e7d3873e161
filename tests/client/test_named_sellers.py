"""Sellers are named by what people see of them, and never by a guess."""

import pytest

from tests.client.answers import MOMENT
from tests.client.conftest import Answer, ScriptedServer
from tests.client.documents import result
from wassay import Client, Constant, Measure, Reference, WassayError
from wassay.cli.seller_names import contribution_of, prices_of, require_accounts
from wassay.models import SellerResult


@pytest.fixture(scope="module")
def sellers() -> list[SellerResult]:
    """`a`, and two who are both called twins."""
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
    assert prices_of(sellers, ["a=3", "con_b=0.5"]) == {"con_a": 3.0, "con_b": 0.5}
    odd = sellers[0].model_copy(update={"label": "2=3"})
    assert prices_of([odd], ["2=3=4"]) == {"con_a": 4.0}
    for wrong in ("3", "a=", "=3", "a=x", "a=-1", "a=nan"):
        with pytest.raises(WassayError, match=f"SELLER=PRICE.* received '{wrong}'"):
            prices_of(sellers, [wrong])
    with pytest.raises(
        WassayError, match="expected one price for con_a, received a second as 'acc_a'"
    ):
        prices_of(sellers, ["a=3", "acc_a=4"])


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


def test_accounts_of_an_organisation_are_suggested_for_a_person_to_confirm(
    client: Client, server: ScriptedServer
) -> None:
    require_accounts(client, ["acc_x", "acc_y"])
    assert server.received == []
    server.script = [listings("Acme", "Bolt  Ltd", "acme"), listings("Acme")]
    with pytest.raises(WassayError, match=r"'ACME'; the service says that acc_0 and acc_2 list"):
        require_accounts(client, ["acc_x", "ACME"])
    with pytest.raises(WassayError, match="no organisation of that name"):
        require_accounts(client, ["bolt"])
