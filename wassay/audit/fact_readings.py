"""Compare the columns that attacks found with the facts of the table behind the points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wassay.audit.facts import Fact
from wassay.audit.read_thresholds import EXACT_FACT_SHARE, READ
from wassay.transport.inversion import ranks

Matrix = NDArray[np.float64]

_FEWEST_RECORDS, _CHANCE = 20, 1e-3
"""Facts that are known of fewer than 20 records do not count.

Nor do readings that chance gives with a probability above 1e-3."""

_TRIED = 4
"""A threshold is sought in this many components, those most correlated with the fact."""


@dataclass(frozen=True)
class FactReading:
    """The best reading of one fact of the table.

    Attributes
    ----------
    field : str
        The name of the table's column that states the fact.
    words : str
        The fact in words.
    attack : str
        The attack that reads the fact best.
    correlation : float
        The rank correlation of the fact with the values that the attack found. For a yes-or-no
        fact, the correlation with the two sides of the best threshold.
    correct_share : float or None
        The share of rows on the correct side of the threshold; None for a fact of numbers.
    """

    field: str
    words: str
    attack: str
    correlation: float
    correct_share: float | None

    @property
    def is_exact(self) -> bool:
        """Whether at least 99 % of rows are on the correct side of the threshold."""
        return self.correct_share is not None and self.correct_share >= EXACT_FACT_SHARE

    def __str__(self) -> str:
        quality = (
            f"rank correlation {self.correlation:.3f}"
            if self.correct_share is None
            else f"{self.correct_share:.1%} of rows on the correct side"
        )
        return f"{self.words}: {quality}, by {self.attack}"


def read_facts(facts: Sequence[Fact], found: Sequence[tuple[str, Matrix]]) -> list[FactReading]:
    """Return the facts that attacks read, each with its best reading.

    Parameters
    ----------
    facts : sequence of Fact
    found : sequence of (str, ndarray of shape (n, c))
        The name of each attack, and the components (columns) that the attack found.
    """
    attacks = [name for name, values in found for _ in range(values.shape[1])]
    if not attacks or not facts or len(found[0][1]) < _FEWEST_RECORDS:
        return []
    components = ranks(np.hstack([values for _, values in found]))
    tests = math.log(2 * len(attacks) * len(facts) / _CHANCE)
    readings = []
    for fact in facts:
        values, rows = fact.values[fact.known], components[fact.known]
        if len(values) < _FEWEST_RECORDS or not np.ptp(values) > 0:
            continue
        if fact.is_yes_or_no:
            best, correlation, correct_share = _best_component(values == 1, rows)
            if _log_divisions(len(values), int(values.sum())) < tests:
                continue
        else:
            followed = np.abs(_correlations(ranks(values[:, None])[:, 0], rows))
            best, correct_share = int(followed.argmax()), None
            correlation = float(followed[best])
        if correlation > READ:
            readings.append(
                FactReading(fact.field, fact.words, attacks[best], correlation, correct_share)
            )
    return readings


def _best_component(holds: NDArray[np.bool_], rows: Matrix) -> tuple[int, float, float]:
    """Return the index of the column of `rows` that tells best in which rows a fact holds.

    Also return the correlation and the share of correct rows at the column's best threshold.
    """
    followed = np.abs(_correlations(holds.astype(np.float64), rows))
    candidates = [
        (*_at_threshold(holds, rows[:, each]), int(each)) for each in followed.argsort()[-_TRIED:]
    ]
    correlation, correct_share, best = max(candidates)
    return best, correlation, correct_share


def _at_threshold(holds: NDArray[np.bool_], values: Matrix) -> tuple[float, float]:
    """Return how well the best threshold of `values` tells in which rows a fact holds.

    Return the correlation of the fact with the threshold's sides, and the share of correct rows.
    """
    count, yes = len(holds), int(holds.sum())
    order = np.argsort(values, kind="stable")
    ends = np.flatnonzero(np.diff(values[order]) > 0) + 1
    if not len(ends):  # all values are equal
        return 0.0, 0.0
    below = np.cumsum(holds[order])[ends - 1]
    covariance = below / count - yes / count * (ends / count)
    spread = np.sqrt(yes * (count - yes) * (ends / count) * (1 - ends / count)) / count
    correlations = np.abs(covariance) / spread
    place = int(correlations.argmax())
    wrong = ends[place] - 2 * below[place] + yes
    correct_share = max(wrong, count - wrong) / count
    return float(correlations[place]), float(correct_share)


def _log_divisions(rows: int, yes: int) -> float:
    """Return the logarithm of the number of ways to choose `yes` of the rows."""
    return math.lgamma(rows + 1) - math.lgamma(yes + 1) - math.lgamma(rows - yes + 1)


def _correlations(values: Matrix, columns: Matrix) -> Matrix:
    centred, others = values - values.mean(), columns - columns.mean(axis=0)
    lengths = np.linalg.norm(others, axis=0) * np.linalg.norm(centred)
    return np.asarray(centred @ others / np.where(lengths > 0, lengths, np.inf))
