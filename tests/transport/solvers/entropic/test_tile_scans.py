"""Scans of large costs by tiles find what a look at every entry finds."""

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from wassay.transport import Measure, PointCost, Power
from wassay.transport.progress import ProgressCallback
from wassay.transport.solvers.certify.check_dual_feasibility import check_dual_feasibility
from wassay.transport.solvers.certify.dual_potentials import DualPotentials
from wassay.transport.solvers.entropic.tile_scans import lower_minima, rare_indices
from wassay.transport.solvers.prepared_cost import PreparedCost
from wassay.transport.solvers.transport_problem import TransportProblem
from wassay.transport.thread_pool import ThreadPool

N, M = 150, 190


@pytest.fixture
def threads() -> Iterator[ThreadPool]:
    with ThreadPool(ProgressCallback(lambda: None)) as pool:
        yield pool


@pytest.fixture(autouse=True)
def small_tiles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut even small costs into tiles, of sizes that do not divide theirs."""
    prepared = "wassay.transport.solvers.prepared_cost"
    monkeypatch.setattr(f"{prepared}.MIN_TILED_COLUMNS", 1)
    monkeypatch.setattr(f"{prepared}.TILE_ROWS", 64)
    monkeypatch.setattr(f"{prepared}.TILE_COLUMNS", 80)
    monkeypatch.setattr(
        "wassay.transport.solvers.certify.check_dual_feasibility.MIN_COMPILED_PAIRS", 0
    )


def singles(random: np.random.Generator, *shape: int) -> NDArray[np.float32]:
    return random.random(shape).astype(np.float32)


@pytest.mark.parametrize("width", [1, 63, 64, 190])
@pytest.mark.parametrize("shift", [-10.0, -0.9, 10.0])
def test_rare_indices_are_those_below_their_rows_limit(
    width: int, shift: float, random: np.random.Generator
) -> None:
    tile, g = singles(random, 37, width), singles(random, width)
    limits = singles(random, 37) + np.float32(shift)
    expected = np.flatnonzero(tile - g <= limits[:, None])
    assert rare_indices(tile, g, limits).tolist() == expected.tolist()


@pytest.mark.parametrize("width", [1, 63, 64, 190])
def test_minima_are_lowered_to_the_entries_and_never_raised(
    width: int, random: np.random.Generator
) -> None:
    tile, f, g = singles(random, 37, width), singles(random, 37), singles(random, width)
    f[3], g[0] = -np.inf, -np.inf  # points without mass
    rows, columns = singles(random, 37) - 1, singles(random, width) - 1
    expected_rows = np.minimum(rows, (tile - g).min(axis=1))
    expected_columns = np.minimum(columns, (tile - f[:, None]).min(axis=0))
    lower_minima(tile, f, g, rows, columns)
    assert rows.tolist() == expected_rows.tolist()
    assert columns.tolist() == expected_columns.tolist()


@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("shift", [0.0, 0.02])
@pytest.mark.parametrize("tolerance", [1e-9, 1e-2])
def test_tiles_prove_what_all_costs_in_float64_prove(
    p: Power, shift: float, tolerance: float, random: np.random.Generator, threads: ThreadPool
) -> None:
    rows, columns = random.normal(size=(N, 5)), random.normal(size=(M, 5))
    a, b = random.random(N), random.random(M)
    a[7] = b[11] = 0  # no potential is limited by these
    a, b = a / a.sum(), b / b.sum()
    cost = PreparedCost.normalised(PointCost(Measure(rows), Measure(columns), p), 0, threads)
    assert cost.has_tiles
    problem = TransportProblem(cost, a, b, tolerance, 1, ProgressCallback(lambda: None))
    matrix = np.ldexp(cdist(rows, columns) ** p, -cost.exponent)
    f = matrix.min(axis=1)
    g = (matrix - f[:, None]).min(axis=0)
    f = f + shift * random.random(N)
    found = check_dual_feasibility(cost, [DualPotentials(problem, f, g, 1.0, -1e-13)])[0]
    with_mass = np.ix_(a > 0, b > 0)
    of_rows = (matrix - g)[:, b > 0].min(axis=1)
    of_columns = (matrix - f[:, None])[a > 0].min(axis=0)
    exact = max(a @ of_rows + b @ g, a @ f + b @ of_columns)
    rounding = 1e-9 if tolerance < 1e-3 else 1e-4
    assert exact - rounding <= found.dual <= exact + 1e-12
    assert (found.f[:, None] + found.g - matrix)[with_mass].max() <= 1e-12
    assert found.violation == pytest.approx((f - of_rows)[a > 0].max(), abs=rounding)
    reduced = matrix - f[:, None] - g
    violated = np.zeros((N, M), bool)
    violated[found.rows, found.columns] = True
    assert violated[with_mass][reduced[with_mass] < -1e-5].all()
    assert (reduced[violated] < 1e-5).all()
