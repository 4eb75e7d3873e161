"""Summarise an audit in one sentence: what is sent, and what each receiver could compute."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from wassay.disclosure_class import DisclosureClass

if TYPE_CHECKING:
    from wassay.audit.exposure import Exposure

_COMPUTES = {
    DisclosureClass.NOTHING: "nothing",
    DisclosureClass.SCALARS: "a few numbers about all records together",
    DisclosureClass.SCORES: "facts about single records",
    DisclosureClass.PROJECTION: "the records along some directions",
    DisclosureClass.UP_TO_ISOMETRY: "the records up to a rotation and a shift",
    DisclosureClass.APPROXIMATE: "the records approximately",
    DisclosureClass.EXACT: "the records exactly",
}


def summarize(message: str, exposures: Iterable[Exposure]) -> str:
    """Return a sentence on what is sent, and what each receiver could compute.

    `message` is a phrase for what is sent.
    """
    # For each receiver, the exposure that reveals most.
    alone: dict[str, Exposure] = {}
    together: list[Exposure] = []
    for each in exposures:
        # The part before the comma is the party, as in "each seller, by scores of labels".
        name = each.receiver.partition(", ")[0]
        if each.colluding:
            together.append(each)
        elif name not in alone or _reveals_more(each, alone[name]):
            alone[name] = each
    computed: dict[str, list[str]] = {}
    for name, each in sorted(alone.items(), key=lambda item: -_rank(item[1])):
        computed.setdefault(_what(each), []).append(name)
    who = [f"{_in_words(names)} could compute {what}" for what, names in computed.items()]
    most = max(alone.values(), key=_rank)
    worst = most.disclosure_class.value
    # Receivers who collude are named only if they learn more.
    joint = [
        f", or {each.disclosure_class.value} for {each.receiver}"
        for each in together
        if _reveals_more(each, most)
    ]
    return (
        f"In short: this sends {message}, from which {'; '.join(who)}: at most {worst}"
        + "".join([*joint, "."])
    )


def _what(exposure: Exposure) -> str:
    found = exposure.disclosure_class
    if found is exposure.records_class:
        return _COMPUTES[found]
    how = "exactly" if found is DisclosureClass.EXACT else "approximately"
    return f"{exposure.columns.count} {how}"


def _reveals_more(one: Exposure, other: Exposure) -> bool:
    return one.disclosure_class.reveals_more_than(other.disclosure_class)


def _rank(exposure: Exposure) -> int:
    return list(DisclosureClass).index(exposure.disclosure_class)


def _in_words(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
