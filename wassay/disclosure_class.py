"""The classes of disclosure: how much a receiver can learn about another party's records."""

from __future__ import annotations

from enum import Enum


class DisclosureClass(Enum):
    """The most that a receiver can learn about another party's records, from nothing to all."""

    NOTHING = "nothing"
    SCALARS = "scalars"
    SCORES = "scores"
    PROJECTION = "projection"
    UP_TO_ISOMETRY = "up-to-isometry"
    APPROXIMATE = "approximate"
    EXACT = "exact"

    def reveals_more_than(self, other: DisclosureClass) -> bool:
        """Tell whether this class reveals more about the records than another class.

        Parameters
        ----------
        other : DisclosureClass

        Returns
        -------
        bool
            False for equal classes.
        """
        classes = list(DisclosureClass)
        return classes.index(self) > classes.index(other)
