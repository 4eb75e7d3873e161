"""Decide which names mean the same organisation, for ledgers and caps."""

import unicodedata


def organisation_key(name: str) -> str:
    """Normalise a name; names that differ only in case, blanks or width of letters become equal.

    The name is normalised by NFKC and case-folded, and its words are joined by single spaces. NFKC
    turns full-width letters into ordinary ones.
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
