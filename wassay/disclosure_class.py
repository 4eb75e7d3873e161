"""How much a receiver learns of somebody's records."""

from __future__ import annotations

from enum import Enum


class DisclosureClass(Enum):
    """What a receiver learns of somebody's records, least first."""

    NOTHING = "nothing"
    SCALARS = "scalars"
    SCORES = "scores"
    PROJECTION = "projection"
    UP_TO_ISOMETRY = "up-to-isometry"
    APPROXIMATE = "approximate"
    EXACT = "exact"

    def reveals_more_than(self, other: DisclosureClass) -> bool:
        """Whether this is the worse of two classes for whom the records belong to."""
        order = list(DisclosureClass)
        return order.index(self) > order.index(other)
