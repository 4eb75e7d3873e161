"""The result of an audit: the exposure of the records to each receiver."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

from wassay.audit.column_readings import ColumnReadings
from wassay.audit.summary import summarize
from wassay.control_characters import escape_control_characters
from wassay.disclosure_class import DisclosureClass
from wassay.table import table
from wassay.tabular import Columns, Tabular, records_to_columns

KEPT_ORDER = (
    "The rows keep the order of your table: every receiver of them reads the ranks of a column "
    "that the table is sorted by."
)


@dataclass(frozen=True)
class Exposure:
    """The exposure of the records to one receiver.

    Attributes
    ----------
    receiver : str
    records_class : DisclosureClass
        What the receiver learns about whole records.
    explanation : str
        The attack in words, or why there is none.
    rank : int or None
        The number of directions along which the receiver can compute the records; None if no attack
        gives one.
    relative_error : float or None
        Error of the reconstruction: 0 for the records themselves, 1 for their mean. None without a
        reconstruction, or if the solver is not installed.
    reidentified : int or None
        The number of records whose nearest reconstruction is their own; None if nothing is
        reconstructed.
    attacked : int
        The number of reconstructed records that were compared with the true ones.
    words_read : int or None
        The number of reconstructions whose nearest word is right; None unless the records are a
        text.
    colluding : bool
        Whether the receiver is two parties who share their knowledge.
    predicted : ColumnReadings
        The raw columns that a receiver with the reference's key predicts from random projections.
    columns : ColumnReadings
        The columns that a receiver without this key reads from the shape of the points.
    """

    receiver: str
    records_class: DisclosureClass
    explanation: str
    rank: int | None = None
    relative_error: float | None = None
    reidentified: int | None = None
    attacked: int = 0
    words_read: int | None = None
    colluding: bool = False
    predicted: ColumnReadings = field(default_factory=ColumnReadings)
    columns: ColumnReadings = field(default_factory=ColumnReadings)

    @property
    def disclosure_class(self) -> DisclosureClass:
        """The most that the receiver learns, about whole records or about columns."""
        columns = self.columns.disclosure_class
        return columns if columns.reveals_more_than(self.records_class) else self.records_class

    @property
    def learns(self) -> str:
        """The disclosure class in words, with the rank or the number of columns that are read."""
        if self.disclosure_class is not self.records_class:
            return f"{self.disclosure_class.value} ({self.columns.count})"
        if self.disclosure_class is DisclosureClass.PROJECTION and self.rank is not None:
            return f"projection of rank {self.rank}"
        return self.disclosure_class.value


@dataclass(frozen=True, repr=False)
class Audit(Tabular):
    """The exposure to every receiver of a message; prints as a sentence and a table.

    Attributes
    ----------
    message : str
        A phrase for the message that is about to be sent, such as "cost blocks at s = 0.25, 0.5".
    exposures : tuple of Exposure
        One for each receiver. If there is a service, also one for it and a seller together.
    text : str
        A sentence on how many words can be read without an attack; empty unless points of a text
        are sent.
    keeps_order : bool
        Whether rows are sent in the order of the sender's table.
    """

    message: str
    exposures: tuple[Exposure, ...]
    text: str = ""
    keeps_order: bool = False

    def to_dict(self) -> Columns:
        """Return the exposures as columns, with a row for each receiver.

        Returns
        -------
        dict of str to list
        """
        rows = [
            {
                "receiver": each.receiver,
                "learns": each.learns,
                "relative_error": each.relative_error,
                "reidentified": each.reidentified,
                "attacked": each.attacked,
                "words_read": each.words_read,
                "explanation": each.explanation,
                "columns": str(each.columns),
            }
            for each in self.exposures
        ]
        return records_to_columns(rows)

    def notes(self) -> list[str]:
        """Return warnings that hold for every receiver of the points.

        Returns
        -------
        list of str
            How many words can be read without an attack, if the records are a text. What the order
            of rows reveals, if rows keep the table's order.
        """
        return [*([self.text] if self.text else []), *([KEPT_ORDER] if self.keeps_order else [])]

    @property
    def summary(self) -> str:
        """One sentence: what is sent, what each receiver could compute, and the worst class.

        If receivers who collude learn more, the sentence also states their class.
        """
        return summarize(self.message, self.exposures)

    @property
    def worst(self) -> DisclosureClass:
        """The most that any receiver learns, including colluding ones."""
        classes = [exposure.disclosure_class for exposure in self.exposures]
        return max(classes, key=list(DisclosureClass).index)

    @property
    def readable_columns(self) -> str:
        """The fields and columns that any receiver reads from the shape of the points, in words.

        At most eight fields and eight columns are named. Empty if nothing is read.
        """
        return self._read_by_any.names

    @property
    def read_columns(self) -> tuple[int, ...]:
        """The indices of the sent columns that any receiver reads from the shape of the points."""
        return tuple(each.column for each in self._read_by_any.read)

    @property
    def read_fields(self) -> tuple[str, ...]:
        """The table's columns about which any receiver reads facts from the points' shape."""
        return self._read_by_any.fields

    @property
    def _read_by_any(self) -> ColumnReadings:
        """What the receivers read: each column, combination and fact once."""
        several = [each.columns for each in self.exposures]
        columns = {each.column: each for one in several for each in one.read}
        return ColumnReadings(
            attempts=tuple(columns[each] for each in sorted(columns)),
            combinations=tuple(dict.fromkeys(each for one in several for each in one.combinations)),
            facts=tuple(dict.fromkeys(each for one in several for each in one.facts)),
        )

    def beyond(self, limit: DisclosureClass, *, columns: bool = True) -> tuple[Exposure, ...]:
        """Return the exposures of receivers who learn more than a limit allows.

        This leaves out colluding receivers, because a party can always share the reference's key.

        Parameters
        ----------
        limit : DisclosureClass
            The most that a receiver may learn.
        columns : bool
            Whether columns that are read from the shape of the points count too. If False, only
            whole records count.

        Returns
        -------
        tuple of Exposure
            Empty if no receiver learns more.
        """
        return tuple(
            exposure
            for exposure in self.exposures
            if not exposure.colluding
            and (
                exposure.disclosure_class if columns else exposure.records_class
            ).reveals_more_than(limit)
        )

    def __str__(self) -> str:
        columns = ["receiver", "learns", "relative error", "records re-identified"]
        rows = [
            [
                exposure.receiver,
                exposure.learns,
                _missing(exposure.relative_error, "{:.1e}"),
                _missing(exposure.reidentified, f"{{}} of {exposure.attacked}"),
            ]
            for exposure in self.exposures
        ]
        if any(exposure.words_read is not None for exposure in self.exposures):
            columns.append("words read")
            for row, exposure in zip(rows, self.exposures, strict=True):
                row.append(_missing(exposure.words_read, f"{{}} of {exposure.attacked}"))
        receivers: dict[str, list[str]] = {}
        for exposure in self.exposures:
            for explanation in filter(None, (exposure.explanation, str(exposure.columns))):
                receivers.setdefault(explanation, []).append(exposure.receiver)
        how = [f"{', '.join(who)}: {explanation}" for explanation, who in receivers.items()]
        lines = [self.summary, "", table(columns, rows), "", *how, *self.notes()]
        # The names of fields come from a buyer's recipe.
        return escape_control_characters("\n".join(lines))

    def _repr_html_(self) -> str:
        """Return the summary and a table as HTML for notebooks."""
        return f"<p><strong>{escape(self.summary)}</strong></p>{super()._repr_html_()}"


def _missing(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)
