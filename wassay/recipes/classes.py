"""The classes of labelled rows: their names, and which of them a recipe tells."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from wassay.recipes.kinds.kind import Part
from wassay.recipes.limits import FEWEST_OF_A_CATEGORY, MOST_CLASSES, MOST_TEXT


class ClassNames(Part):
    """The names of the buyer's classes, so that sellers notice classes that they spell otherwise.

    No point depends on them.
    """

    names: Annotated[
        list[Annotated[str, Field(max_length=MOST_TEXT)]],
        Field(min_length=1, max_length=MOST_CLASSES),
    ] = Field(description="The classes that enough rows have, sorted.")
    others: float = Field(ge=0, le=1, description="The share of rows in rarer classes.")

    def disclosed(self) -> str:
        """Say that sellers learn the names of classes."""
        return f"classes that at least {FEWEST_OF_A_CATEGORY} rows have"


def class_name(value: Any) -> str:
    """Return the name by which a class is known on both sides: 1, 1.0 and "1" are one."""
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float | np.floating) and float(value).is_integer():
        value = int(value)
    return unicodedata.normalize("NFC", str(value).strip())


def name_classes(classes: NDArray[Any]) -> ClassNames | None:
    """Return the names of the classes that enough rows have; None if there is none.

    Parameters
    ----------
    classes : ndarray of str, shape (n,)
        As `class_name` names them.
    """
    counts = Counter(classes.tolist()).most_common(MOST_CLASSES)
    told = {
        name: count
        for name, count in counts
        if count >= FEWEST_OF_A_CATEGORY and len(name) <= MOST_TEXT
    }
    if not told:
        return None
    others = 1.0 - sum(told.values()) / len(classes)
    return ClassNames(names=sorted(told), others=round(others, 3))
