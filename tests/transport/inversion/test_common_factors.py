"""Columns with common factors are hard to separate, but whole numbers are read all the same."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.decomposition import FastICA

from tests.transport.inversion.records import haar
from tests.transport.inversion.test_structure import standardised
from wassay.transport.inversion import (
    beyond_chance,
    least_gaussian_components,
    match_columns,
    repeated_values,
)

Table = NDArray[np.float64]
CONTRASTS = ("logcosh", "exp", "cube")


def answers(rows: int, columns: int, seed: int) -> Table:
    """Draw survey answers from 1 to 5, in columns that depend on three common factors."""
    random = np.random.default_rng(seed)
    factors = random.normal(size=(rows, 3)) @ random.normal(size=(3, columns)) * 0.8
    return np.clip(np.round(3 + factors + random.normal(size=(rows, columns))), 1, 5)


def skewed(rows: int, columns: int, seed: int) -> Table:
    """Draw amounts with a common factor, each with a long tail of its own."""
    random = np.random.default_rng(seed)
    return random.exponential(size=(rows, columns)) + 0.3 * random.normal(size=(rows, 1))


def turned(table: Table) -> Table:
    return standardised(table) @ haar(np.random.default_rng(1), table.shape[1])


def exactly(table: Table, found: Table) -> set[int]:
    """Return the columns that are found with all their values."""
    matches = match_columns(table, found)
    return {column for column, each in enumerate(matches) if each is not None and each.exact == 1}


def test_answers_are_read_exactly_though_no_component_is_far_from_gaussian() -> None:
    """The search succeeds with most tables; which ones depends on how BLAS rounds."""
    read = 0
    for seed in range(8):
        table = answers(700, 24, seed)
        components = least_gaussian_components(turned(table))
        found = repeated_values(turned(table), beyond_chance(components, 24), components)
        read += len(exactly(table, found)) >= 1
    assert read >= 4


@pytest.mark.filterwarnings("ignore:FastICA did not converge")
def test_what_fastica_reads_with_any_contrast_is_read() -> None:
    for seed in range(3):
        table = skewed(600, 6, seed)
        points = turned(table)
        best = np.zeros(6)
        for contrast in CONTRASTS:
            analysis = FastICA(fun=contrast, random_state=seed, whiten="unit-variance")
            matches = match_columns(table, analysis.fit_transform(points))
            best = np.maximum(best, [each.correlation for each in matches if each is not None])
        found = match_columns(table, beyond_chance(least_gaussian_components(points), 6))
        for column in np.flatnonzero(best > 0.99):
            each = found[column]
            assert each is not None
            assert each.correlation > 0.9


def test_normal_points_have_neither_levels_nor_components() -> None:
    for seed in range(10):
        points = np.random.default_rng(seed).normal(size=(200, 6))
        components = least_gaussian_components(points)
        assert not beyond_chance(components, 6).size
        assert not repeated_values(points, points, components).size
