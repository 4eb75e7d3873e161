"""Recognise names that people cannot tell apart (Unicode Technical Standard 39)."""

import json
import unicodedata
from collections import defaultdict
from functools import lru_cache
from importlib import resources

LEFT_TO_RIGHT_MARK = "\u200e"


def skeleton(name: str) -> str:
    """Return a normal form of a name, equal for names that look alike in any case, width or script.

    Compare normal forms, but never show them.
    """
    # For example, "rn" and "m" become the same text, and so do the Latin and the Cyrillic "a".
    return _prototypes(unicodedata.normalize("NFKC", _prototypes(name)).casefold())


def _prototypes(text: str) -> str:
    table = _prototype_table()
    decomposed = unicodedata.normalize("NFKD", text)
    visible = (each for each in decomposed if unicodedata.category(each) != "Cf")
    mapped = "".join(table.get(each, each) for each in visible)
    return " ".join(unicodedata.normalize("NFD", mapped).split())


@lru_cache(maxsize=1)
def _prototype_table() -> dict[str, str]:
    """Return a table from each confusable character to its prototype.

    Characters that look alike have the same prototype.
    """
    # The package lists each pair of Unicode's confusables.txt in both directions, and does not say
    # which of the two is the prototype. So texts form a group if a chain of pairs connects them.
    package = resources.files("confusable_homoglyphs")
    listed = json.loads((package / "confusables.json").read_text(encoding="utf-8"))
    linked: defaultdict[str, set[str]] = defaultdict(set)
    for text, alike in listed.items():
        for other in alike:
            one, two = (each.replace(LEFT_TO_RIGHT_MARK, "") for each in (text, other["c"]))
            linked[one].add(two)
            linked[two].add(one)
    table: dict[str, str] = {}
    for first in sorted(linked):
        if first in table:
            continue
        members, unseen = {first}, [first]
        while unseen:
            new = linked[unseen.pop()] - members
            members |= new
            unseen += new
        prototype = min(members, key=lambda each: (-len(each), each))
        table |= dict.fromkeys(members, prototype)
    return {text: prototype for text, prototype in table.items() if len(text) == 1}
