"""Which names of organisations count as one: what a ledger adds up, and what caps count, by."""

import unicodedata


def organisation_key(name: str) -> str:
    """Return what names that differ in width, case or blanks only have in common.

    That is NFKC with case folded, and one space wherever there were blanks.
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
