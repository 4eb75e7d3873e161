"""Organisations whose names people cannot tell apart."""

from collections.abc import Callable

import pytest

from app.accounts.confusable_names import skeleton
from tests.app.conftest import Party
from tests.app.requests.market import refused


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paypal", "раураl"),  # Cyrillic, the example of Unicode Technical Standard 39
        ("Acme", "\u0391cme"),  # Greek
        ("Acme", "Acrne"),
        ("Bolt", "Bo1t"),
        ("Bolt", "\uff22\uff4f\uff4c\uff54"),
        ("HUGH", "hugh"),
        ("AcmeI", "Acmel"),
        ("Acme", "Ac\u200bme"),
        ("Zoë", "Zoe\u0308"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"), [("Acme", "Acne"), ("Zoë", "Zoe"), ("Seller 2", "Seller 3"), ("数据", "数居")]
)
def test_names_that_look_different_have_two(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_an_organisation_that_looks_like_another_is_refused(http: Callable[..., Party]) -> None:
    admin = http("admin", organisation="Quince Marmalade")
    named = {"name": "Ada", "organisation": "Qu\u0456nce Marmalade"}

    confusable = refused(admin.post("/v1/accounts", json=named), 409, "organisation-confusable")

    assert confusable["expected"] == "Quince Marmalade"
    for same in ("Quince Marmalade", "QUINCE  marmalade"):
        again = admin.post("/v1/accounts", json=named | {"organisation": same})
        assert again.status_code == 201
