"""Say that there is no such resource, and what an id that is none of its kind looks like."""

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
"""Kinds of resources, by the prefixes of their ids."""

PREFIXES = {kind: prefix for prefix, kind in KINDS.items()}

ADVICE: dict[Kind, str] = {
    "request": " A seller sees the open requests that they are invited to or that are for everyone,"
    " and those that they have answered.",
}


def missing(kind: Kind, id_: str) -> NotFound:
    """Build the problem of an id that no resource has, or none that the caller may see.

    Both are told in the same words, so that nobody learns which ids there are.
    """
    prefix = PREFIXES[kind]
    given, _, rest = id_.partition("_")
    other = KINDS.get(given) if rest else None
    if other is None:
        remedy = f"Expected an id, which begins with {prefix}_."
    elif other != kind:
        remedy = (
            f"That is the id of {_with_article(other)}; expected one that begins with {prefix}_."
        )
    else:
        remedy = (
            "Check the id, and that this key is of an account that may see it."
            f"{ADVICE.get(kind, '')}"
        )
    return NotFound(f"There is no {kind} {id_}. {remedy}", received=id_)


def _with_article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aei' else 'a'} {kind}"
