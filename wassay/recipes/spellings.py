"""Match names that differ only in spelling."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable


def other_spellings(names: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """Match each name to the known name that differs from it only in spelling.

    Spellings may differ in case, in spaces and underscores, and in how a number is written.

    Parameters
    ----------
    names : iterable of str
        Names that are not known.
    known : iterable of str
        The names with which to match them.

    Returns
    -------
    dict of str to str
        From names to known names. Names that match no known name, or several, are left out.
    """
    by_plain = defaultdict(list)
    for each in known:
        by_plain[_plain(each)].append(each)
    like = {name: by_plain.get(_plain(name), []) for name in names}
    return {name: spelt[0] for name, spelt in like.items() if len(spelt) == 1}


def _plain(name: str) -> str:
    text = " ".join(re.split(r"[\s_]+", unicodedata.normalize("NFKC", name).strip().casefold()))
    try:
        number = float(text)
    except ValueError:
        return text
    return repr(number) if math.isfinite(number) else text
