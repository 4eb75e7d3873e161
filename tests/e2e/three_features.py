"""Points with three features, and a request for them."""

from typing import Any

import numpy as np

from tests.e2e.service import Party
from wassay import Buyer, Protocol, Request

random = np.random.default_rng(23)
NEEDED = random.normal(size=(30, 3))
OFFERED = random.normal(0.3, 1.0, size=(40, 3))
OUTLIER = 7
OFFERED[OUTLIER] += 25.0
T0 = 0.4


def ask(buyer: Party, *sellers: Party, **terms: Any) -> Request:
    invited = [each.account_id for each in sellers]
    return Buyer(buyer.client).ask(
        NEEDED, title="Three features", sellers=invited, protocol=Protocol(t0=T0), **terms
    )
