"""Sellers who wait for the key of a sealed request, and buyers who wait for such sellers."""

import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import ON_SQLITE
from tests.e2e.digits import OFFERED, asked, nothing_uploaded
from tests.e2e.service import WASSAY, NewParty, Party
from wassay import Buyer, Request, Seller

pytestmark = ON_SQLITE

Answering = Callable[[Party, Request], "subprocess.Popen[str]"]


@pytest.fixture
def answering(tmp_path: Path) -> Answering:
    np.save(tmp_path / "offered.npy", OFFERED[0])

    def start(seller: Party, request: Request) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [*WASSAY, "answer", request.id, str(tmp_path / "offered.npy"), "--timeout", "120"],
            env=seller.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


def test_a_seller_without_a_key_at_first_gets_it_while_the_buyer_waits(
    buyer: Party, new_party: NewParty
) -> None:
    seller = new_party("seller", publishes_key=False)
    request = asked(buyer, seller)
    assert request.share_key() == [seller.account_id]
    with ThreadPoolExecutor() as threads:
        given = threads.submit(
            lambda: Seller(seller.client).answer(request.id, OFFERED[0], timeout=120)
        )
        (answer,) = request.wait_for(1, timeout=120)
        assert given.result().id == answer.id


def test_a_newcomer_goes_on_once_the_buyer_invites_them_and_not_before(
    buyer: Party, new_party: NewParty, answering: Answering, tmp_path: Path
) -> None:
    seller = new_party("seller", name="Newcomer")
    request = asked(buyer, audience="everyone")
    process = answering(seller, request)
    while not request.contributions():
        assert process.poll() is None
        time.sleep(0.1)
    with pytest.raises(TimeoutError, match=rf"Newcomer \({seller.account_id}\).*those you invite"):
        request.wait_for(1, timeout=0)
    assert nothing_uploaded(request)
    # As in another process of the buyer, perhaps days later.
    request.save(tmp_path / "request.json")
    Buyer(buyer.client).load(tmp_path / "request.json").invite(seller.account_id)
    request.wait_for(1, timeout=120)
    _, complained = process.communicate()
    assert process.returncode == 0, complained


def test_a_buyer_who_waits_in_vain_learns_who_has_no_key(buyer: Party, new_party: NewParty) -> None:
    seller = new_party("seller", publishes_key=False)
    request = asked(buyer, seller)
    with pytest.raises(TimeoutError, match=rf"{seller.account_id} must publish .*wassay key"):
        request.wait_for(1, timeout=0)


def test_a_seller_who_waits_in_vain_learns_what_to_ask_for(
    buyer: Party, new_party: NewParty
) -> None:
    seller = new_party("seller")
    request = asked(buyer, audience="everyone")
    with pytest.raises(TimeoutError, match=f"Ask them to invite {seller.account_id}"):
        Seller(seller.client).answer(request.id, OFFERED[0], timeout=0)
