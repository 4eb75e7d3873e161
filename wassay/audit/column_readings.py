"""The columns that attacks on the shape of the points have read, and how well."""

from __future__ import annotations

from dataclasses import dataclass

from wassay.disclosure_class import DisclosureClass

READ = 0.9
"""A column is read if its rank correlation with a component exceeds this."""

EXACT_SHARE = 0.5
"""A column is read exactly if at least this share of its values is exact."""

_NAMED = 8


@dataclass(frozen=True)
class ColumnReading:
    """The best reading of one column.

    Attributes
    ----------
    column : int
        Its index.
    attack : str
        The attack that reads it best.
    correlation : float
        The absolute rank correlation (Spearman) of the column and the attack's estimate of it.
    exact : float
        Share of the values that the estimate gives exactly, after its scale and origin are fitted.
    """

    column: int
    attack: str
    correlation: float
    exact: float

    @property
    def is_read(self) -> bool:
        """Whether the rank correlation exceeds `READ`."""
        return self.correlation > READ

    @property
    def is_exact(self) -> bool:
        """Whether the reading gives at least half of the values."""
        return self.is_read and self.exact >= EXACT_SHARE

    def __str__(self) -> str:
        return (
            f"column {self.column}: rank correlation {self.correlation:.3f}, "
            f"{self.exact:.0%} of the values exactly, by {self.attack}"
        )


@dataclass(frozen=True)
class ColumnReadings:
    """The columns that a receiver reads without knowing any record.

    Attributes
    ----------
    readings : tuple of ColumnReading
        The best reading of each column that is not constant, in the order of the columns.
    sampled : int
        Number of records that were attacked.
    remarks : tuple of str
        Sentences on what else the attacks found.
    """

    readings: tuple[ColumnReading, ...] = ()
    sampled: int = 0
    remarks: tuple[str, ...] = ()

    @property
    def read(self) -> tuple[ColumnReading, ...]:
        """The readings of those columns that are read."""
        return tuple(each for each in self.readings if each.is_read)

    @property
    def disclosure_class(self) -> DisclosureClass:
        """`EXACT` or `APPROXIMATE` if columns are read, or else `NOTHING`."""
        if any(each.is_exact for each in self.read):
            return DisclosureClass.EXACT
        return DisclosureClass.APPROXIMATE if self.read else DisclosureClass.NOTHING

    @property
    def names(self) -> str:
        """The numbers of the columns that are read, counted from 0, in words."""
        names = ", ".join(str(each.column) for each in self.read[:_NAMED])
        return names + (f" and {len(self.read) - _NAMED} more" if len(self.read) > _NAMED else "")

    def __str__(self) -> str:
        if not self.readings:
            return ""
        sample = f"without knowing any record ({self.sampled} were attacked), "
        if not self.read:
            nearest = max(each.correlation for each in self.readings)
            lines = [f"{sample}no column is read; the largest rank correlation is {nearest:.2f}"]
        else:
            exact = sum(each.is_exact for each in self.read)
            count = f"{len(self.read)} of {len(self.readings)} columns are read, {exact} exactly"
            lines = [sample + count, *(f"  {each}" for each in self.read[:_NAMED])]
            if len(self.read) > _NAMED:
                lines.append(f"  and {len(self.read) - _NAMED} more")
        return "\n".join([*lines, *(f"  {remark}" for remark in self.remarks)])
