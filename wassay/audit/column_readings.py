"""The columns that attacks have read from the shape of the points, and how well."""

from __future__ import annotations

from dataclasses import dataclass

from wassay.audit.fact_readings import FactReading
from wassay.audit.ordinals import columns_in_words, fields_in_words, ordinal
from wassay.audit.read_thresholds import EXACT_SHARE, READ
from wassay.disclosure_class import DisclosureClass

_NAMED = 8


@dataclass(frozen=True)
class ColumnReading:
    """The best reading of one column.

    Attributes
    ----------
    column : int
        The index of the column among the sent columns, from 0.
    attack : str
        The attack that reads the column best.
    correlation : float
        The absolute rank correlation (Spearman) of the column and the attack's estimate.
    exact : float
        The share of values that the estimate gives exactly, once its scale and origin are fitted.
    """

    column: int
    attack: str
    correlation: float
    exact: float

    @property
    def is_read(self) -> bool:
        """Whether the rank correlation exceeds 0.9 (`READ`)."""
        return self.correlation > READ

    @property
    def is_exact(self) -> bool:
        """Whether the column is read, and at least half of its values are read exactly."""
        return self.is_read and self.exact >= EXACT_SHARE

    def __str__(self) -> str:
        return (
            f"the {ordinal(self.column)} column: rank correlation {self.correlation:.3f}, "
            f"{self.exact:.0%} of the values exactly, by {self.attack}"
        )


@dataclass(frozen=True)
class Combination:
    """A linear combination of the sent columns, with a pattern that chance does not explain.

    It shows a column, or a sum of columns, of the table before scaling and whitening.

    Attributes
    ----------
    attack : str
        The attack that finds the combination.
    nearest : int
        The index of the sent column that the combination resembles most.
    correlation : float
        The absolute rank correlation (Spearman) of the combination with this column.
    why : str
        A phrase that names the pattern, such as "rows are in its order (rank correlation 0.998)".
    exact : bool
        Whether all values are read exactly, up to scale, sign and origin.
    """

    attack: str
    nearest: int
    correlation: float
    why: str
    exact: bool

    def __str__(self) -> str:
        return (
            f"a combination of columns: rank correlation {self.correlation:.3f} with the "
            f"{ordinal(self.nearest)} column, {self.why}, by {self.attack}"
        )


@dataclass(frozen=True)
class ColumnReadings:
    """The columns, combinations of columns, and facts that a receiver reads.

    Attributes
    ----------
    attempts : tuple of ColumnReading
        The best reading of each column that is not constant, whether the column is read or not.
    sampled : int
        The number of records that were attacked.
    remarks : tuple of str
        Sentences on what else the attacks found.
    combinations : tuple of Combination
        The combinations that do not follow from the columns that are read, or from each other.
    facts : tuple of FactReading
        The facts of the original table that are read.
    """

    attempts: tuple[ColumnReading, ...] = ()
    sampled: int = 0
    remarks: tuple[str, ...] = ()
    combinations: tuple[Combination, ...] = ()
    facts: tuple[FactReading, ...] = ()

    @property
    def read(self) -> tuple[ColumnReading, ...]:
        """The readings of the columns that are read: the rank correlation exceeds 0.9 (`READ`)."""
        return tuple(each for each in self.attempts if each.is_read)

    @property
    def disclosure_class(self) -> DisclosureClass:
        """The class of what is read.

        `EXACT` if anything is read exactly, `NOTHING` if nothing is read, and otherwise
        `APPROXIMATE`.
        """
        columns = [each.is_exact for each in self.read]
        facts = [each.is_exact for each in self.facts]
        if any([*columns, *facts, *(each.exact for each in self.combinations)]):
            return DisclosureClass.EXACT
        found = self.read or self.combinations or self.facts
        return DisclosureClass.APPROXIMATE if found else DisclosureClass.NOTHING

    @property
    def names(self) -> str:
        """What a receiver reads, in words: fields of the table, sent columns, and combinations.

        Empty if nothing is read.
        """
        read = [each.column for each in self.read]
        sent = [columns_in_words(read, _NAMED)] if read else []
        fields = [fields_in_words(self.fields, _NAMED)] if self.facts else []
        return ", and ".join([*fields, *sent, *self._combined])

    @property
    def fields(self) -> tuple[str, ...]:
        """The original table's columns about which the receiver reads facts, each once."""
        return tuple(dict.fromkeys(each.field for each in self.facts))

    @property
    def count(self) -> str:
        """How many columns, combinations of columns and fields of the table are read, in words."""
        sent = f"{len(self.read)} of {len(self.attempts)} columns"
        fields = len(self.fields)
        of_table = [f"{fields} field{'s' if fields > 1 else ''} of the table"] if fields else []
        return ", and ".join([sent, *self._combined, *of_table])

    @property
    def _combined(self) -> list[str]:
        exact = sum(each.exact for each in self.combinations)
        counts = (exact, "exact"), (len(self.combinations) - exact, "approximate")
        return [
            f"{count} {how} combination{'s' if count > 1 else ''} of columns"
            for count, how in counts
            if count
        ]

    def __str__(self) -> str:
        if not self.attempts:
            return ""
        sample = f"without knowing any record ({self.sampled} were attacked), "
        if not self.read and not self.combinations and not self.facts:
            nearest = max(each.correlation for each in self.attempts)
            lines = [f"{sample}no column is read; the largest rank correlation is {nearest:.2f}"]
        else:
            exact = sum(each.is_exact for each in self.read)
            count = f"{len(self.read)} of {len(self.attempts)} columns are read, {exact} exactly"
            lines = [sample + count]
            for found in (self.facts, self.read, self.combinations):
                lines += [f"  {each}" for each in found[:_NAMED]]
                if len(found) > _NAMED:
                    lines.append(f"  and {len(found) - _NAMED} more")
        return "\n".join([*lines, *(f"  {remark}" for remark in self.remarks)])
