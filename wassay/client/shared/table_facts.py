"""What a table says about the points that an audit attacks, such as the values of table columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from wassay.audit import COLUMN_RECORDS, sampled_rows
from wassay.audit.facts import Fact
from wassay.client.shared.sent_rows import SentRows
from wassay.recipes.facts import facts_of
from wassay.recipes.sampled import take
from wassay.transport import Measure


@dataclass(frozen=True, eq=False)
class TableFacts:
    """What a table says about the points that an audit attacks.

    Attributes
    ----------
    points : ndarray of int
        The index of each attacked point among all points as sent, ascending.
    facts : tuple of Fact
        What the columns say about the attacked points. `Fact.values` follows the order of `points`.
    """

    points: NDArray[np.intp]
    facts: tuple[Fact, ...]

    @classmethod
    def of(cls, table: Any, measure: Measure, rows: SentRows) -> Self:
        """Choose the points that an audit attacks, and read what a table says about them.

        Parameters
        ----------
        table : DataFrame, mapping of columns, or array
            The rows that became the points, in the table's order.
        measure : Measure
            All points, in the order in which they are sent.
        rows : SentRows
            Which row of the table each point is.
        """
        points = sampled_rows(measure, COLUMN_RECORDS)
        places = np.argsort(rows.points_by_row, kind="stable")[points]
        return cls(points, facts_of(take(table, places)))

    def at(self, points: NDArray[np.intp]) -> tuple[Fact, ...]:
        """Return the facts about the given points, in the order of the points.

        For a point that is not in `self.points`, `Fact.known` is false.
        """
        places = np.minimum(np.searchsorted(self.points, points), len(self.points) - 1)
        here = self.points[places] == points
        found = (fact.at(places) for fact in self.facts)
        return tuple(replace(fact, known=fact.known & here) for fact in found)
