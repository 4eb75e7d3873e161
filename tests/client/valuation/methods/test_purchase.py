"""What the command line says of purchases: why no further seller was bought from."""

import numpy as np
import pytest

from tests.client.documents import result
from wassay.client.valuation.methods.registry import BUY
from wassay.client.valuation.purchase_table import Purchases
from wassay.transport import Estimate, Measure, Purchase

PRICES = {"con_a": 3.0, "con_b": 4.0, "con_c": 5.0}


@pytest.mark.parametrize(
    ("bought", "budget", "reason"),
    [
        ("abc", 100.0, "All sellers with a price are bought."),
        ("a", 6.5, "Every other price exceeds what is left of the budget, 3.5."),
        ("a", 7.5, "With what is left of the budget, 4.5, no other seller provably reduces"),
    ],
)
def test_a_note_says_why_buying_ended(
    bought: str, budget: float, reason: str, random: np.random.Generator
) -> None:
    points = {label: Measure(random.normal(size=(6, 2))) for label in "abc"}
    reference = Measure(np.zeros((1, 2)))
    sellers = result(Measure(random.normal(size=(6, 2))), points, reference, 0.4).sellers
    found, spent = [], 0.0
    for label in bought:
        spent += PRICES[f"con_{label}"]
        distance = Estimate(0.4, 1.0, (1.0, 1.0), None, None, (1.0, 1.0))
        found.append(Purchase(f"con_{label}", spent, distance))

    (note,) = BUY.printed(Purchases(found), sellers, budget=budget, prices=PRICES).notes

    assert note.startswith(reason)
