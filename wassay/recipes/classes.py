"""Name the classes of labelled rows, and choose the names that a recipe discloses to sellers."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field

from wassay.recipes.kinds.kind import RecipeModel
from wassay.recipes.limits import FEWEST_OF_A_CATEGORY, MOST_CLASSES, MOST_TEXT
from wassay.transport.data.labels import class_indices


class ClassNames(RecipeModel):
    """The names of the buyer's classes, with which sellers compare their labels.

    The points do not depend on the names.
    """

    names: Annotated[
        list[Annotated[str, Field(max_length=MOST_TEXT)]],
        Field(min_length=1, max_length=MOST_CLASSES),
    ] = Field(description="The classes that enough rows have, sorted.")
    others: float = Field(ge=0, le=1, description="The share of rows in rarer classes.")

    def disclosed(self) -> str:
        """Say in a few words which class names sellers learn."""
        return f"classes that at least {FEWEST_OF_A_CATEGORY} rows have"


def class_name(value: Any) -> str:
    """Return the name of a class as text: "1" for 1, 1.0 and "1"."""
    if isinstance(value, bytes):
        value = value.decode()
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if isinstance(value, float | np.floating) and float(value).is_integer():
        value = int(value)
    return unicodedata.normalize("NFC", str(value).strip())


def class_names(labels: ArrayLike) -> NDArray[np.str_]:
    """Return the name of each row's class as text: "1" for 1, 1.0 and "1"."""
    classes, index = class_indices(labels)
    return np.array([class_name(each) for each in classes], dtype=np.str_)[index]


def common_classes(classes: NDArray[Any]) -> ClassNames | None:
    """Return the names of the classes that at least five rows have; None if there are none.

    At most the 1,000 most frequent are named; names too long for a recipe are left out.

    Parameters
    ----------
    classes : ndarray of str, shape (n,)
        The class of each row, as `class_name` writes it.
    """
    counts = Counter(classes.tolist()).most_common(MOST_CLASSES)
    common = {
        name: count
        for name, count in counts
        if count >= FEWEST_OF_A_CATEGORY and len(name) <= MOST_TEXT
    }
    if not common:
        return None
    others = 1.0 - sum(common.values()) / len(classes)
    return ClassNames(names=sorted(common), others=round(others, 3))
