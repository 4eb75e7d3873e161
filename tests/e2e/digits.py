"""Images of digits for a buyer and sellers, and sealed requests for them."""

from typing import Any

from sklearn.datasets import load_digits

from tests.e2e.service import Party
from wassay import Buyer, Request

IMAGES = load_digits().data / 16
NEEDED, OFFERED = IMAGES[:40], [IMAGES[100:150], 1 - IMAGES[200:245]]


def asked(buyer: Party, *sellers: Party, **terms: Any) -> Request:
    return Buyer(buyer.client).ask(
        NEEDED,
        title="Digits",
        sellers=[seller.account_id for seller in sellers],
        **terms,
    )


def nothing_uploaded(request: Request) -> bool:
    return all(answer.state == "draft" and not answer.arrays for answer in request.contributions())
