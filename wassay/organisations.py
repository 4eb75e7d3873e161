"""Decide which names of organisations are the same, for ledgers and caps."""

import unicodedata


def organisation_key(name: str) -> str:
    """Normalise a name, so that names that differ only in width, case or blanks are equal.

    Applies NFKC and case folding, and joins words by single spaces.
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
