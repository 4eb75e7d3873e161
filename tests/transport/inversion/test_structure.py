"""A rotation hides the columns of a cloud, unless the cloud's shape reveals them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.decomposition import FastICA

from tests.transport.inversion.records import fixed_key, normal_reference
from wassay.audit import BuyerMeasure, DisclosureClass, Exposure, audit
from wassay.client.buyer.drawn_reference import draw_reference
from wassay.transport import Measure, Power, Reference, project, scale_hiding
from wassay.transport.pushing.normal_quantile import normal_quantile

Table = NDArray[np.float64]
T0 = 0.4
NOTHING = 1e-6


def sealed_upload(table: Table) -> Table:
    """Return what the service receives of a sealed request: η_μ(t0), rotated and shifted."""
    measure, reference = Measure(table), normal_reference(1, table.shape[1])
    key = fixed_key(reference, scale_hiding(measure))
    return np.asarray(key.conceal(project(measure, reference.measure()).interpolate(T0)).points)


def learnt(table: Table) -> Exposure:
    """Audit such an upload; return what the service learns."""
    measure, reference = Measure(table), normal_reference(1, table.shape[1])
    key = fixed_key(reference, scale_hiding(measure))
    upload = key.conceal(project(measure, reference.measure()).interpolate(T0))
    service, *_ = audit(table, BuyerMeasure(upload), reference, isometry=key.conceal).exposures
    assert service.receiver == "the service"
    return service


def audited(table: Table) -> DisclosureClass:
    return learnt(table).disclosure_class


def principal_components(points: Table) -> Table:
    centred = points - points.mean(axis=0)
    return np.asarray(centred @ np.linalg.svd(centred, full_matrices=False)[2].T)


def independent_components(points: Table) -> Table:
    analysis = FastICA(random_state=0, max_iter=500, whiten="unit-variance")
    return np.asarray(analysis.fit_transform(points))


def read_columns(table: Table, components: Table) -> float:
    """Return the share of a table's columns with a correlation above 0.95 to some component."""
    both = np.asarray(np.corrcoef(np.hstack([table, components]), rowvar=False))
    between = np.abs(both[: table.shape[1], table.shape[1] :])
    return float(np.mean(between.max(axis=1) > 0.95))


def independent_columns(rows: int) -> Table:
    random = np.random.default_rng(5)
    columns = [
        random.exponential(size=(rows, 2)),
        random.uniform(size=(rows, 2)),
        random.gamma(2, size=(rows, 2)),
        random.laplace(size=(rows, 2)),
        random.lognormal(sigma=0.7, size=(rows, 2)),
        random.integers(0, 2, size=(rows, 2)),
    ]
    return standardised(np.hstack(columns))


def standardised(table: Table) -> Table:
    return np.asarray((table - table.mean(axis=0)) / table.std(axis=0))


def alike_from_all_sides(table: Table) -> Table:
    """Convert a table to normal scores, with ties broken at random, and whiten them."""
    jitter = np.random.default_rng(3).uniform(size=table.shape)
    order = np.argsort(np.lexsort((jitter, table), axis=0), axis=0)
    scores = normal_quantile((order + 0.5) / len(table))
    centred = scores - scores.mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov(centred, rowvar=False))
    return np.asarray(centred @ vectors / np.sqrt(values) @ vectors.T)


def lattice_basis(vectors: Table) -> Table:
    """Return a short basis of all integer combinations (Lenstra, Lenstra & Lovász; dimension 4)."""
    basis: list[Table] = []
    for vector in vectors:
        basis.append(vector)
        k = len(basis) - 1
        while 0 < k < len(basis):
            axes = orthonormal(basis[:k])
            for axis, earlier in zip(reversed(axes), reversed(basis[:k]), strict=True):
                if axis.any():
                    basis[k] = basis[k] - np.round(basis[k] @ axis / (earlier @ axis)) * earlier
            if np.linalg.norm(basis[k]) < NOTHING:
                del basis[k]
                break
            rest = orthonormal([*basis[: k + 1]])[k] @ basis[k]
            if rest**2 + (basis[k] @ axes[-1]) ** 2 >= 0.75 * (basis[k - 1] @ axes[-1]) ** 2 > 0:
                k += 1
            else:
                basis[k - 1], basis[k] = basis[k], basis[k - 1]
                k = max(k - 1, 1)
    return np.array(basis)


def orthonormal(basis: list[Table]) -> list[Table]:
    """Return the axes of Gram and Schmidt; zero for a vector that depends on earlier ones."""
    axes: list[Table] = []
    for vector in basis:
        rest = vector - sum((vector @ axis) * axis for axis in axes)
        length = np.linalg.norm(rest)
        axes.append(rest / length if length > NOTHING else np.zeros_like(rest))
    return axes


def test_principal_components_are_the_columns_of_different_scale() -> None:
    table = np.random.default_rng(1).normal(size=(1000, 5)) * [1, 3, 10, 30, 100]
    assert read_columns(table, principal_components(sealed_upload(table))) == 1
    said = learnt(table)
    assert said.disclosure_class is DisclosureClass.APPROXIMATE
    assert [each.attack for each in said.columns.read] == ["principal components"] * 5


def test_independent_components_are_the_columns_that_are_not_gaussian() -> None:
    table = independent_columns(3000)
    assert read_columns(table, independent_components(sealed_upload(table))) == 1
    assert audited(table) is DisclosureClass.EXACT  # the yes-or-no columns
    assert audited(table[:, :10]) is DisclosureClass.APPROXIMATE


def test_a_lattice_gives_integer_columns_and_the_push() -> None:
    table = np.random.default_rng(2).integers(0, 20, size=(400, 4)).astype(float)
    upload = sealed_upload(table)
    basis = lattice_basis((upload - upload[0])[1:40])
    lengths = np.linalg.norm(basis, axis=1)
    assert 1 - lengths.min() == pytest.approx(T0, abs=1e-8)
    axes = basis[np.isclose(lengths, lengths.min())]
    assert len(axes) == 4
    coordinates = np.round((upload - upload[0]) @ axes.T / lengths.min() ** 2)
    known = table - table[0]
    signs = [{tuple(known[:, column]), tuple(-known[:, column])} for column in range(4)]
    assert all(any(tuple(column) in either for either in signs) for column in coordinates.T)
    said = learnt(table)
    assert said.disclosure_class is DisclosureClass.EXACT
    assert "1 − t0 if columns hold whole numbers, which gives t0" in str(said.columns)


@pytest.mark.parametrize("order", [1, 2])
def test_the_place_where_two_pushes_lead_tells_no_norm(order: Power) -> None:
    incomes = np.random.default_rng(6).lognormal(10.5, 0.6, size=(300, 1))
    table = np.hstack([incomes, np.random.default_rng(7).normal(40, 12, size=(300, 3))])
    norms = np.linalg.norm(table, axis=1)

    def error_of_norms(reference: Reference) -> float:
        key = fixed_key(reference, scale_hiding(Measure(table)))
        pushes = project(Measure(table), reference.measure())
        low, high = (key.conceal(pushes.interpolate(s)).points for s in (0.25, 0.75))
        unpushed = (3 * low - high) / 2
        place = ((high - unpushed / 4) / 0.75).mean(axis=0)
        found = np.linalg.norm(unpushed - place, axis=1)
        return float(np.median(np.abs(found - norms) / norms))

    assert error_of_norms(normal_reference(1, 4)) < 1e-3
    drawn = [error_of_norms(draw_reference(Measure(table), order)) for _ in range(20)]
    assert np.median(drawn) > 0.5


@pytest.mark.filterwarnings("ignore:FastICA did not converge")
def test_normal_scores_whitened_leave_no_columns_to_read() -> None:
    table = alike_from_all_sides(independent_columns(3000))
    upload = sealed_upload(table)
    assert read_columns(table, principal_components(upload)) == 0
    assert read_columns(table, independent_components(upload)) == 0
    assert audited(table) is DisclosureClass.UP_TO_ISOMETRY
