"""What callers may give is checked before anything is sent."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.client.conftest import KEY
from wassay import Buyer, Client
from wassay.client import InvalidArgumentError


@pytest.mark.parametrize(
    "address",
    ["http://h:abc", "http://[", "http://h:99999", "http://h:0", "ftp://h", "h:8000", "http://h\n"],
)
def test_an_address_that_is_none_is_named(address: str) -> None:
    with pytest.raises(InvalidArgumentError, match="expected an address"):
        Client(address, KEY)


@pytest.fixture
def nobody() -> Client:
    """A client that would find no service if it called one."""
    return Client("http://127.0.0.1:1", KEY)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda client: ask(client, sellers="acc_1"), "sellers"),
        (lambda client: ask(client, modes="measure"), "modes"),
        (lambda client: client.requests.create(title="T", reference_id="r", sweep=0.5), "sweep"),
        (lambda client: client.evaluations.create("r", contribution_ids="con_1"), "contribution_"),
        (lambda client: client.accounts.create_key("acc_1", scopes="buyer"), "scopes"),
        (lambda client: client.listings.create(title="T", dimension=1, points=1, classes="ab"), ""),
    ],
)
def test_one_text_is_not_a_list_of_letters(
    nobody: Client, call: Callable[[Client], Any], name: str
) -> None:
    with pytest.raises(InvalidArgumentError, match=f"{name}.* takes a list, came '?"):
        call(nobody)


def ask(client: Client, **terms: Any) -> None:
    Buyer(client).ask([[0.0], [1.0]], title="T", t0=0.4, max_disclosure="exact", **terms)
