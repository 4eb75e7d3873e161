"""What an audit finds: one line for each receiver."""

from __future__ import annotations

from dataclasses import dataclass

from wassay.disclosure_class import DisclosureClass
from wassay.table import table


@dataclass(frozen=True)
class Exposure:
    """What one receiver can compute of the records.

    Attributes
    ----------
    receiver : str
    disclosure_class : DisclosureClass
    explanation : str
        The attack, or why there is none.
    rank : int or None
        Of the projection, for that class.
    relative_error : float or None
        Of the reconstruction: 0 is the records themselves, 1 is no better than their mean. None
        where there is no reconstruction.
    reidentified : int or None
        Records whose nearest reconstruction is their own.
    attacked : int
        Of how many; records that the receiver is taken to know beforehand do not count.
    words_read : int or None
        Of these, where the records are a text: reconstructions whose nearest word is theirs.
    colluding : bool
        Whether it takes two who put together what they have.
    """

    receiver: str
    disclosure_class: DisclosureClass
    explanation: str
    rank: int | None = None
    relative_error: float | None = None
    reidentified: int | None = None
    attacked: int = 0
    words_read: int | None = None
    colluding: bool = False

    @property
    def learns(self) -> str:
        """The class in words."""
        if self.disclosure_class is DisclosureClass.PROJECTION and self.rank is not None:
            return f"projection of rank {self.rank}"
        return self.disclosure_class.value


@dataclass(frozen=True)
class Audit:
    """What every receiver of a message can compute; prints as a table.

    Attributes
    ----------
    message : str
        What was about to be sent.
    exposures : tuple of Exposure
        One for each receiver, and for receivers who put together what they have.
    text : str
        Of a text: how many of its words are read in the sent points by one who does not attack.
    """

    message: str
    exposures: tuple[Exposure, ...]
    text: str = ""

    @property
    def worst(self) -> DisclosureClass:
        """The most that any receiver learns, those who collude included."""
        classes = [exposure.disclosure_class for exposure in self.exposures]
        return max(classes, key=list(DisclosureClass).index)

    def beyond(self, limit: DisclosureClass) -> tuple[Exposure, ...]:
        """The receivers who by themselves learn more than a limit allows.

        Those who collude do not count: whoever shares a key can always give it away.
        """
        return tuple(
            exposure
            for exposure in self.exposures
            if not exposure.colluding and exposure.disclosure_class.reveals_more_than(limit)
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
            receivers.setdefault(exposure.explanation, []).append(exposure.receiver)
        how = [f"{', '.join(who)}: {explanation}" for explanation, who in receivers.items()]
        text = [self.text] if self.text else []
        return "\n".join(
            [f"Before sending {self.message}:", "", table(columns, rows), "", *how, *text]
        )


def _missing(value: float | None, form: str) -> str:
    return "-" if value is None else form.format(value)
