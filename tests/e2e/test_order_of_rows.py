"""What the service can read from the order of the rows of stored arrays."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.conftest import ON_SQLITE
from tests.e2e.service import NewParty, Service
from wassay import Buyer, BuyerPrivacy, Measure, Protocol, Sample, Seller, SellerPrivacy

pytestmark = ON_SQLITE

Array = NDArray[np.float64]

random = np.random.default_rng(75)
ROWS = 200
KINDS = np.array(["ant", "bee", "cat"])
CHANCE = 0.15
"""Only one in 100,000 random arrays of 200 rows explains a larger share of the order of rows."""


def in_order(rows: int) -> tuple[Array, NDArray[np.str_]]:
    """Draw points sorted by their first coordinate, and sorted classes."""
    points = random.normal(size=(rows, 3)) * [3.0, 1.0, 1.0]
    return points[np.argsort(points[:, 0])], KINDS[np.arange(rows) * 3 // rows]


def known_order(array: Array) -> float:
    """Return the share of the order of rows that a linear fit on their numbers explains (R²)."""
    centred = array - array.mean(axis=0)
    left, scales, _ = np.linalg.svd(centred / np.maximum(centred.std(axis=0), 1e-300), False)
    directions = left[:, scales > 1e-6 * scales[0]][:, :5]
    order = np.arange(len(array)) - (len(array) - 1) / 2
    return float(np.square(directions.T @ order).sum() / np.square(order).sum())


def stored(folder: Path) -> dict[str, Array]:
    files = (path for path in folder.rglob("*") if path.is_file())
    contents = {path.name: path.read_bytes() for path in files}
    arrays = {
        name: np.load(io.BytesIO(content))
        for name, content in contents.items()
        if content.startswith(b"\x93NUMPY")
    }
    return {name: array for name, array in arrays.items() if len(array) == ROWS}


@pytest.mark.parametrize("keeps_order", [False, True])
def test_stored_rows_of_sorted_tables_are_in_no_order_unless_the_sender_keeps_it(
    new_party: NewParty, service: Service, keeps_order: bool
) -> None:
    before = stored(service.data_folder).keys()
    buyer, seller = new_party("buyer"), new_party("seller")
    weights = np.linspace(1.0, 3.0, ROWS)
    points, kinds = in_order(ROWS)
    weighted = Measure(points, weights / weights.sum())
    for modes, labels in ((("measure",), kinds), (("cost-block",), None)):
        privacy: dict[str, Any] = {"keeps_order": keeps_order, "max_disclosure": "exact"}
        request = Buyer(buyer.client).ask(
            weighted,
            labels=labels,
            title="Sorted",
            sellers=[seller.account_id],
            privacy=BuyerPrivacy(reveals_measure=labels is None, **privacy),
            protocol=Protocol(modes=modes),
        )
        offered, classes = in_order(2 * ROWS if labels is None else ROWS)
        answer = Seller(seller.client).answer(
            request.id,
            offered,
            labels=None if labels is None else classes,
            sample=Sample(ROWS, seed=3) if labels is None else None,
            mode=modes[0],
            privacy=SellerPrivacy(**privacy),
        )
        rows = Seller(seller.client).table_rows(answer.id)
        assert (rows == sorted(rows)) is keeps_order
    arrays = stored(service.data_folder)
    found = [known_order(arrays[name]) for name in arrays.keys() - before]
    assert len(found) == 8  # one from each of two requests, and three from each of two sellers
    assert min(found) > 0.8 if keeps_order else max(found) < CHANCE
