"""What a service that knows no record reads of a sealed table from the stored arrays."""

from __future__ import annotations

import hashlib
import io
import itertools

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist
from sklearn.decomposition import FastICA

from tests.conftest import ON_SQLITE
from tests.e2e.service import NewParty, Service
from wassay import Buyer, Seller, SellerPrivacy, models
from wassay.audit import Audit
from wassay.client import DisclosureError, ReadableColumnsWarning

pytestmark = ON_SQLITE

Table = NDArray[np.float64]
INCOME, AGE, WAIT, SMOKES = range(4)
ROWS = 800


def people(seed: int) -> Table:
    random = np.random.default_rng(seed)
    return np.column_stack([
        random.lognormal(10.5, 0.6, size=ROWS),
        random.integers(18, 90, size=ROWS),
        random.exponential(3, size=ROWS),
        random.integers(0, 2, size=ROWS),
    ])  # fmt: skip


def best_correlations(table: Table, found: Table) -> Table:
    both = np.asarray(np.corrcoef(np.hstack([table, found]), rowvar=False))
    return np.asarray(np.abs(both[: table.shape[1], table.shape[1] :]).max(axis=1))


def stored_arrays(service: Service, contribution: models.Contribution) -> dict[float, Table]:
    """Return the arrays of a contribution by s, read from the service's files."""
    digests = {array.digest: array.s for array in contribution.arrays}
    stored = {}
    for path in service.data_folder.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        if (digest := hashlib.sha256(content).hexdigest()) in digests:
            stored[digests[digest]] = np.load(io.BytesIO(content))
    return stored


def without_push(stored: dict[float, Table]) -> Table:
    return np.asarray((0.75 * stored[0.25] - 0.25 * stored[0.75]) / 0.5)


def turned_to(sample: Table, points: Table) -> Table:
    """Turn points so that their principal axes are a sample's, with the signs that fit it best."""
    centred, owned = points - points.mean(axis=0), sample - sample.mean(axis=0)
    axes, owned_axes = (np.linalg.svd(each, full_matrices=False)[2] for each in (centred, owned))
    choices = [
        centred @ axes.T * signs @ owned_axes + sample.mean(axis=0)
        for signs in itertools.product([1, -1], repeat=len(axes))
    ]
    return min(choices, key=lambda each: float(cdist(each[:300], sample[:300]).mean()))


@pytest.fixture
def table() -> Table:
    return people(1)


def test_the_stored_arrays_show_columns_and_no_norms_and_the_seller_is_warned(
    service: Service, new_party: NewParty, table: Table
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller")
    request = Buyer(buyer.client).ask(people(2), title="People", sellers=[seller.account_id])
    with pytest.raises(DisclosureError, match="hide the first, second, third and fourth columns"):
        Seller(seller.client).answer(
            request.id, table, privacy=SellerPrivacy(max_disclosure="up-to-isometry")
        )
    with pytest.warns(ReadableColumnsWarning, match="the first, second, third and fourth columns"):
        contribution = Seller(seller.client).answer(request.id, table)
    table = table[Seller(seller.client).table_rows(contribution.id)]

    stored = stored_arrays(service, seller.client.contributions.get(contribution.id))
    points = without_push(stored)

    centred = points - points.mean(axis=0)
    principal = centred @ np.linalg.svd(centred, full_matrices=False)[2].T
    assert best_correlations(table, principal)[[INCOME, AGE, WAIT]].min() > 0.95
    independent = FastICA(random_state=0, whiten="unit-variance").fit_transform(points)
    assert best_correlations(table, independent)[[INCOME, WAIT, SMOKES]].min() > 0.95
    smokes = independent[:, best_component(table[:, SMOKES], independent)]
    read = smokes > smokes.mean()
    assert read.astype(float).tolist() in [
        table[:, SMOKES].tolist(),
        (1 - table[:, SMOKES]).tolist(),
    ]

    place = ((stored[0.75] - 0.25 * points) / 0.75).mean(axis=0)
    norms = np.linalg.norm(table, axis=1)
    for centre in (place, np.zeros(4)):
        error = np.abs(np.linalg.norm(points - centre, axis=1) - norms) / norms
        assert np.median(error) > 0.1


def best_component(column: Table, found: Table) -> int:
    return int(np.argmax([abs(np.corrcoef(column, each)[0, 1]) for each in found.T]))


def test_a_sample_of_the_population_reads_the_stored_arrays_and_the_audit_says_so(
    service: Service, new_party: NewParty
) -> None:
    random = np.random.default_rng(3)
    mixture = np.linalg.qr(random.normal(size=(3, 3)))[0]
    everybody = random.exponential(size=(3 * ROWS, 3)) * [1, 3, 9] @ mixture
    asked, sent, owned = np.split(everybody, 3)
    buyer, seller = new_party("buyer"), new_party("seller")
    request = Buyer(buyer.client).ask(asked, title="Mixed", sellers=[seller.account_id])
    audits: list[Audit] = []
    with pytest.warns(ReadableColumnsWarning, match="the first, second"):
        contribution = Seller(seller.client).answer(request.id, sent, on_audit=audits.append)
    sent = sent[Seller(seller.client).table_rows(contribution.id)]
    stored = stored_arrays(service, seller.client.contributions.get(contribution.id))
    points = without_push(stored)

    centred = points - points.mean(axis=0)
    principal = centred @ np.linalg.svd(centred, full_matrices=False)[2].T
    assert best_correlations(sent, principal).min() < 0.95
    read = turned_to(owned, points)
    assert np.abs(read - sent).mean() < 0.1 * sent.std()
    (service_learns, *_) = audits[0].exposures
    by = {each.attack for each in service_learns.columns.read}
    assert "the axes of a sample of the population" in by
