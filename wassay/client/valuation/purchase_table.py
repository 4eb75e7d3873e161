"""The purchases within a budget: a tuple that also prints and exports as a table."""

from __future__ import annotations

from wassay.table import fixed, table
from wassay.tabular import Columns, Tabular
from wassay.transport import Estimate, Purchase


class Purchases(tuple[Purchase[Estimate], ...], Tabular):
    """A tuple of purchases in the order of buying, which prints and exports as a table."""

    __slots__ = ()

    def to_dict(self) -> Columns:
        """Return the columns of a table with one row for each purchase.

        Each row has the joint distance of all purchases up to this one.

        Returns
        -------
        dict of str to list
        """
        return {
            "label": [each.label for each in self],
            "contribution_id": [each.contribution_id for each in self],
            "spent": [each.spent for each in self],
            "distance": [each.distance.value for each in self],
        }

    def __str__(self) -> str:
        if not self:
            return "nothing bought"
        rows = [
            (each.label, each.contribution_id, f"{each.spent:g}", fixed(each.distance.value))
            for each in self
        ]
        return table(("seller", "contribution", "total spent", "total distance"), rows)

    __repr__ = __str__
