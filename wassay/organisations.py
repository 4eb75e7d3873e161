"""Decide which names mean the same organisation, for ledgers and caps."""

import unicodedata


def organisation_key(name: str) -> str:
    """Normalise a name; names that differ only in width, case or blanks become equal.

    The name is normalised by NFKC and case-folded, and its words are joined by single spaces.
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
