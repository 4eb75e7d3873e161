"""Make points of the buyer's rows: by the given recipe, or by one fitted to a table or images."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from numpy.typing import NDArray

from wassay.client.shared.arguments import as_measure
from wassay.errors import InvalidArgumentError
from wassay.models import MAX_BOX
from wassay.recipes import Recipe
from wassay.recipes.frames import IMAGE_AXES
from wassay.recipes.kinds.text import Vectors
from wassay.transport import Measure

_BESIDE = 4096
"""How many characters of a sealed box are left for the key, the digest and the encryption."""


class Rows(NamedTuple):
    """The points of rows, and how they were made.

    Attributes
    ----------
    measure : Measure
    labels : ndarray or None
        The class of each point; None if no field of the recipe has the role `label`.
    recipe : Recipe or None
        The recipe that made the points; None if the rows were points already.
    """

    measure: Measure
    labels: NDArray[Any] | None
    recipe: Recipe | None


def rows_of(rows: Any, recipe: Recipe | None, vectors: Mapping[str, Vectors] | None = None) -> Rows:
    """Make points of rows by the given recipe, or by one fitted to a table or images.

    Without a recipe, rows that are neither a table nor images are taken as points.

    Parameters
    ----------
    rows : DataFrame, mapping of columns, array_like, or Measure
    recipe : Recipe or None
    vectors : mapping, optional
        The word vectors for each column that the recipe embeds as text, by the column's name.

    Raises
    ------
    RecipeError
        If the recipe cannot make points of the rows.
    InvalidArgumentError
        If `recipe` is not a `Recipe`, or is given although the rows are a `Measure`.
    """
    if recipe is None:
        if not is_table(rows) and len(getattr(rows, "shape", ())) not in IMAGE_AXES:
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
    """Tell whether rows have named columns, as a DataFrame, Arrow table or mapping has."""
    return isinstance(rows, Mapping) or hasattr(rows, "columns") or hasattr(rows, "column_names")


def require_sealable(recipe: Recipe, *, sealed: bool) -> None:
    """Raise unless the fitted part of a recipe can be sealed to sellers.

    Raises
    ------
    InvalidArgumentError
        If the reference is open, or the fitted part is too large for a box.
    """
    if not sealed:
        raise InvalidArgumentError(
            "what a recipe learns from your rows is sealed to sellers with the reference's key, "
            "but an open reference has no key: leave the reference sealed, or pass the coordinates "
            "as an array (recipe.apply(frame).points)"
        )
    characters = 4 * len(recipe.fitted.model_dump_json().encode()) // 3 + _BESIDE
    if characters > MAX_BOX:
        raise InvalidArgumentError(
            f"expected a recipe of at most {MAX_BOX:,} characters when sealed, received one of "
            f"{characters:,}: leave out columns (Recipe.fit(frame, roles={{…: 'ignored'}})), or do "
            "not whiten (whiten=False)"
        )
