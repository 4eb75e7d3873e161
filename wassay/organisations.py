"""Decide which names mean the same organisation, for ledgers and caps."""

import unicodedata


def organisation_key(name: str) -> str:
    """Normalise a name: case, blanks and the width of letters make no difference."""
    # NFKC turns full-width letters into ordinary ones.
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())
