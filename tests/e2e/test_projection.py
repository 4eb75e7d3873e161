"""Requests that compare secret random projections of all parties' points."""

import hashlib
import io
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import ot
import pytest
from numpy.typing import NDArray

from tests.conftest import ON_SQLITE
from tests.e2e.service import WASSAY, NewParty, Party, Service
from wassay import Buyer, BuyerPrivacy, Estimates, Request, Result, Seller
from wassay.client import InvalidArgumentError
from wassay.client.buyer.saved_request import SavedRequest
from wassay.disclosure_class import DisclosureClass
from wassay.transport import RandomProjection
from wassay.transport.pushing.derivation import KEY_BYTES

pytestmark = ON_SQLITE

Points = NDArray[np.float64]

DIMENSION, REDUCED = 40, 10
SWEEP = (0.25, 0.5, 0.75)


@dataclass
class Trade:
    buyer: Party
    sellers: dict[str, Party]
    needed: Points
    offered: dict[str, Points]
    request: Request
    result: Result
    estimates: Estimates


@pytest.fixture(scope="package")
def projected(new_party: NewParty) -> Trade:
    random = np.random.default_rng(4)
    needed = random.normal(size=(60, DIMENSION))
    offered = {
        "near": random.normal(0.1, 1.0, size=(150, DIMENSION)),
        "far": random.normal(1.5, 1.0, size=(45, DIMENSION)),
    }
    buyer = new_party("buyer")
    sellers = {name: new_party("seller", name=name) for name in offered}
    with pytest.MonkeyPatch.context() as patch:
        # The interval holds for 92 to 100 of 100 keys, so use the same key in every run.
        key = bytes(range(KEY_BYTES))
        patch.setattr(RandomProjection, "draw", lambda d, r: RandomProjection(d, r, key))
        request = Buyer(buyer.client).ask(
            needed,
            title="Projected",
            sellers=[seller.account_id for seller in sellers.values()],
            privacy=BuyerPrivacy(dimensions=REDUCED, max_disclosure="projection"),
        )
    for name, points in offered.items():
        Seller(sellers[name].client).answer(request.id, points)
    result = request.evaluate().wait(timeout=300).result()
    return Trade(buyer, sellers, needed, offered, request, result, result.estimates())


def true_distance(trade: Trade, name: str) -> float:
    return float(np.sqrt(ot.emd2([], [], ot.dist(trade.needed, trade.offered[name]))))


def test_the_request_and_the_result_tell_what_is_compared(projected: Trade) -> None:
    seller = projected.sellers["near"]
    shown = seller.client.requests.get(projected.request.id)
    assert (shown.dimension, shown.projected_from) == (REDUCED, DIMENSION)
    assert shown.measure is not None
    assert shown.measure.columns == REDUCED
    assert projected.result.document.projected_from == DIMENSION
    listed = subprocess.run(
        [*WASSAY, "requests"], env=seller.environment, capture_output=True, text=True, check=True
    )
    assert "; 40 projected to 10 coordinates; measure)" in listed.stdout


def test_pots_distances_of_the_raw_points_are_above_the_lower_bounds(projected: Trade) -> None:
    for seller in projected.estimates.sellers:
        true = true_distance(projected, seller.label)
        assert seller.singleton.interval is not None
        assert 0.3 * true < seller.singleton.interval[0] <= true


def test_pots_distances_of_the_raw_points_are_near_the_scaled_ones(projected: Trade) -> None:
    for seller in projected.estimates.sellers:
        assert seller.scaled is not None
        assert seller.scaled.interval is not None
        low, high = seller.scaled.interval
        assert low <= true_distance(projected, seller.label) <= high


def test_the_clearly_nearer_seller_is_first(projected: Trade) -> None:
    assert [seller.label for seller in projected.estimates.sellers] == ["near", "far"]


def test_a_seller_with_points_of_another_dimension_is_told_which_are_expected(
    projected: Trade,
) -> None:
    seller = Seller(projected.sellers["near"].client)
    for wrong in (REDUCED, DIMENSION + 1):
        with pytest.raises(
            InvalidArgumentError,
            match=f"points of 40 coordinates, which are projected to 10 here, received points of "
            f"{wrong}: pass the raw points",
        ):
            seller.answer(projected.request.id, np.ones((5, wrong)))


def test_every_row_of_the_ledger_about_points_is_a_projection(projected: Trade) -> None:
    seller = projected.sellers["near"]
    rows = list(seller.client.disclosures.list(role="owner", request_id=projected.request.id))
    measures = [row for row in rows if row.kind == "measure"]
    assert {(row.rank, row.dimension, row.disclosure_class) for row in measures} == {
        (REDUCED, DIMENSION, DisclosureClass.PROJECTION)
    }
    (mine,) = (
        row
        for row in projected.buyer.client.disclosures.list(role="owner")
        if row.kind == "measure"
    )
    assert (mine.rank, mine.disclosure_class) == (REDUCED, DisclosureClass.PROJECTION)


def test_the_stored_arrays_and_the_key_give_no_more_than_the_share_of_the_projection(
    projected: Trade, service: Service, tmp_path: Path
) -> None:
    """The service and the buyer together have all sent arrays, and the key with the projection."""
    projected.request.save(tmp_path / "request.json")
    key = SavedRequest.load(tmp_path / "request.json").key
    assert key is not None
    assert key.projection is not None
    client = projected.sellers["near"].client
    (contribution,) = client.contributions.list(projected.request.id)
    raw = projected.offered["near"][Seller(client).table_rows(contribution.id)]
    sent = client.contributions.get(contribution.id).arrays
    stored = stored_arrays(service.data_folder, {array.digest for array in sent})
    assert len(stored) == len(SWEEP)
    gamma = key.reference.measure().points[0]
    moved = key.isometry.apply
    # Undo the isometry. Its linear part follows from the images of a basis.
    basis = type(key.reference.measure())(np.vstack([np.zeros(REDUCED), np.eye(REDUCED)]))
    origin, *axes = moved(basis).points
    rotation = np.array(axes) - origin
    pushed = [(points - origin) @ rotation.T for points in stored]
    unpushed = [
        (points - s * gamma) / (1 - s)
        for points, s in zip(by_push(pushed, gamma), SWEEP, strict=True)
    ]
    exact = raw @ key.projection.matrix.T
    for points in unpushed:
        np.testing.assert_allclose(points, exact, atol=1e-6)
    # The best linear reconstructions from the projections, even one fitted to known records.
    halves = np.arange(len(raw)) % 2 == 0
    observed = np.column_stack([unpushed[0], np.ones(len(raw))])
    fitted, *_ = np.linalg.lstsq(observed[halves], raw[halves], rcond=None)
    guesses = {
        "the nearest record": unpushed[0] @ key.projection.matrix,
        "regression on known records": observed @ fitted,
    }
    rest = raw[~halves]
    for guess in guesses.values():
        unexplained = np.square(rest - guess[~halves]).sum() / np.square(rest - rest.mean(0)).sum()
        assert unexplained > 0.95 * (1 - REDUCED / DIMENSION)


def stored_arrays(folder: Path, digests: set[str | None]) -> list[Points]:
    contents = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    return [
        np.load(io.BytesIO(content))
        for content in contents
        if hashlib.sha256(content).hexdigest() in digests
    ]


def by_push(arrays: list[Points], gamma: Points) -> list[Points]:
    """Sort arrays by s: the larger s is, the nearer the points are to γ."""
    return sorted(arrays, key=lambda points: -float(np.linalg.norm(points - gamma)))
