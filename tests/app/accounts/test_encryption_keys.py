"""Encryption keys: published only by their own account, readable for every account."""

import base64
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.app.conftest import Party, problem
from tests.conftest import ON_POSTGRES
from wassay.sealed_boxes import KeyPair

Http = Callable[..., Party]

FIRST, SECOND = KeyPair.draw().public, KeyPair.draw().public


def path(party: Party) -> str:
    return f"/v1/accounts/{party.account_id}/encryption-key"


@ON_POSTGRES
def test_anybody_reads_what_an_account_has_published(http: Http) -> None:
    ada, bob = http("buyer"), http("seller", organisation="Other")
    assert problem(bob.get(path(ada))) == (404, "encryption-key-missing")
    assert problem(bob.get("/v1/accounts/acc_nobody/encryption-key")) == (404, "not-found")
    published = ada.put(path(ada), json={"public_key": FIRST.text})
    assert published.status_code == 200
    seen = bob.get(path(ada)).json()
    assert seen == published.json()
    assert (seen["account_id"], seen["public_key"]) == (ada.account_id, FIRST.text)
    assert seen["fingerprint"] == FIRST.fingerprint


def test_a_new_key_replaces_the_old_one(http: Http) -> None:
    ada = http("buyer")
    first = ada.put(path(ada), json={"public_key": FIRST.text}).json()
    second = ada.put(path(ada), json={"public_key": SECOND.text}).json()
    assert ada.get(path(ada)).json() == second
    assert second["public_key"] == SECOND.text
    assert (second["created_at"], second["updated_at"] > first["updated_at"]) == (
        first["created_at"],
        True,
    )


@ON_POSTGRES
def test_nobody_sets_the_key_of_another_not_even_an_administrator(http: Http) -> None:
    ada = http("buyer")
    ada.put(path(ada), json={"public_key": FIRST.text})
    for other in (http("buyer", "seller"), http("admin"), http("admin", organisation="Another")):
        refused = other.put(path(ada), json={"public_key": SECOND.text})
        assert problem(refused) == (403, "forbidden")
    assert ada.get(path(ada)).json()["public_key"] == FIRST.text


@ON_POSTGRES
def test_without_an_api_key_nothing_is_read(http: Http, anonymous: httpx.Client) -> None:
    ada = http("buyer")
    ada.put(path(ada), json={"public_key": FIRST.text})
    assert problem(anonymous.get(path(ada))) == (401, "not-authenticated")


@ON_POSTGRES
@pytest.mark.parametrize(
    "key",
    [
        "",
        "A" * 44,
        base64.b64encode(bytes(31)).decode(),
        base64.b64encode(bytes(33)).decode(),
        FIRST.raw.hex(),
        7,
        None,
    ],
    ids=["empty", "no padding", "31 bytes", "33 bytes", "hexadecimal", "a number", "nothing"],
)
def test_a_key_is_32_bytes_in_base64(http: Http, key: object) -> None:
    ada = http("buyer")
    refused = ada.put(path(ada), json={"public_key": key})
    assert problem(refused) == (422, "invalid")
    assert refused.json()["errors"][0]["location"] == "body.public_key"
    assert problem(ada.get(path(ada))) == (404, "encryption-key-missing")


def test_of_keys_set_concurrently_one_remains(http: Http) -> None:
    ada = http("buyer")
    keys = [KeyPair.draw().public.text for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda key: ada.put(path(ada), json={"public_key": key}), keys))
    assert {answer.status_code for answer in answers} == {200}
    assert ada.get(path(ada)).json()["public_key"] in keys
