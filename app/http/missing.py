"""Report that a resource does not exist, and what a proper id of its kind looks like."""

from typing import Literal

from .problems import NotFound

Kind = Literal[
    "account", "contribution", "evaluation", "key", "listing", "receipt key", "reference", "request"
]

KINDS: dict[str, Kind | Literal["invitation"]] = {
    "acc": "account",
    "con": "contribution",
    "evl": "evaluation",
    "inv": "invitation",
    "key": "key",
    "lst": "listing",
    "rct": "receipt key",
    "ref": "reference",
    "req": "request",
}
"""Kinds of resources, keyed by the prefixes of their ids."""

PREFIXES = {kind: prefix for prefix, kind in KINDS.items()}

ADVICE: dict[Kind, str] = {
    "request": " A seller sees the open requests that invite the seller or everyone, and those "
    "to which the seller has contributed.",
}


def missing(kind: Kind, id_: str) -> NotFound:
    """Build the problem for an id that does not exist, or that the caller may not see.

    In both cases the text is the same, so that callers do not learn which ids exist.
    """
    prefix = PREFIXES[kind]
    given, _, rest = id_.partition("_")
    other = KINDS.get(given) if rest else None
    if other is None:
        remedy = f"Expected an id that begins with {prefix}_."
    elif other != kind:
        remedy = (
            f"That is the id of {_with_article(other)}; expected an id that begins with {prefix}_."
        )
    else:
        remedy = (
            "Check the id, and that your key belongs to an account that may see "
            f"it.{ADVICE.get(kind, '')}"
        )
    return NotFound(f"There is no {kind} {id_}. {remedy}", received=id_)


def _with_article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aei' else 'a'} {kind}"
