"""Turn the rows that a buyer compares into points, by a recipe if they have named columns."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from numpy.typing import NDArray

from wassay.client.errors import InvalidArgumentError
from wassay.client.shared.arguments import as_measure
from wassay.models import MAX_BOX
from wassay.recipes import Recipe
from wassay.recipes.kinds.text import Vectors
from wassay.transport import Measure

_BESIDE = 4096
"""Characters of a box beside the recipe: the key, the digest, and the encryption's own."""


class Rows(NamedTuple):
    """Rows as points, with their classes if a field of the recipe has the role `label`."""

    measure: Measure
    labels: NDArray[Any] | None
    recipe: Recipe | None


def rows_of(rows: Any, recipe: Recipe | None, vectors: Mapping[str, Vectors] | None = None) -> Rows:
    """Turn rows into points; fit a recipe on a table that comes without one.

    `vectors` has the word vectors for each column of text that the recipe embeds.

    Raises
    ------
    RecipeError
        If the rows do not become points by the recipe.
    InvalidArgumentError
        If `recipe` is something else, or the rows are points already.
    """
    if recipe is None:
        if not is_table(rows):
            return Rows(as_measure(rows), None, None)
        recipe = Recipe.fit(rows)
    if not isinstance(recipe, Recipe):
        raise InvalidArgumentError(f"expected recipe to be a wassay.Recipe, received {recipe!r}")
    if isinstance(rows, Measure):
        raise InvalidArgumentError(
            "expected rows that the recipe makes points of, received a Measure: pass the table, "
            "or leave the recipe out"
        )
    coordinates = recipe.apply(rows, vectors=vectors)
    return Rows(Measure(coordinates.points, coordinates.weights), coordinates.labels, recipe)


def is_table(rows: Any) -> bool:
    """Whether rows have named columns: a DataFrame, an Arrow table, or a mapping of columns."""
    return isinstance(rows, Mapping) or hasattr(rows, "columns") or hasattr(rows, "column_names")


def require_sealable(recipe: Recipe, *, sealed: bool) -> None:
    """Raise unless what a recipe learned can be sealed to sellers.

    Raises
    ------
    InvalidArgumentError
        If the reference is open, or the recipe too large for a box.
    """
    if not sealed:
        raise InvalidArgumentError(
            "what a recipe learns from your rows is sealed to sellers with the reference's key, "
            "and an open reference has none: leave it sealed, or pass the coordinates as an array "
            "(recipe.apply(frame).points)"
        )
    characters = 4 * len(recipe.fitted.model_dump_json().encode()) // 3 + _BESIDE
    if characters > MAX_BOX:
        raise InvalidArgumentError(
            f"expected a recipe that takes at most {MAX_BOX:,} characters when it is sealed, "
            f"received one that takes {characters:,}: leave out columns "
            "(Recipe.fit(frame, roles={…: 'ignored'})), or do not whiten (whiten=False)"
        )
