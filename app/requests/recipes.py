"""Check the public part of a recipe: its size, its texts, and whether it fits the request."""

from typing import Annotated, Any

from pydantic import AfterValidator

from wassay.readable_text import require_readable_text, require_visible_text
from wassay.recipes import PublicPart

from .models import Request
from .problems import RecipeNotPossible

MOST_PUBLIC_BYTES = 2**18
"""The most bytes of a public part, limited because lists of requests contain all their recipes."""


def _bounded(recipe: PublicPart) -> PublicPart:
    size = len(recipe.model_dump_json().encode())
    if size > MOST_PUBLIC_BYTES:
        raise ValueError(
            f"expected at most {MOST_PUBLIC_BYTES:,} bytes in the recipe's public part, received "
            f"{size:,}: leave out columns or descriptions"
        )
    return recipe


def _readable(recipe: PublicPart) -> PublicPart:
    for text in _texts(recipe.model_dump(mode="json")):
        require_readable_text(text)
    for field in recipe.fields:
        for name in (field.name, field.title, field.unit):
            require_visible_text(name or "")
    return recipe


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return _texts(list(value.values()))
    return [text for each in value for text in _texts(each)] if isinstance(value, list) else []


PublicRecipe = Annotated[PublicPart, AfterValidator(_bounded), AfterValidator(_readable)]


def check_recipe(request: Request, recipe: PublicPart) -> None:
    """Raise if a recipe does not fit the other terms of the request.

    Raises
    ------
    RecipeNotPossible
        If the request's reference is open, or is for raw points of another dimension than the
        recipe's.
    """
    dimension = request.reference.raw_dimension
    for holds, expected, received in (
        (
            request.reference.disclosure == "sealed",
            "a sealed reference",
            {"reference": {"disclosure": request.reference.disclosure}},
        ),
        (
            recipe.dimension == dimension,
            f"a reference for points of {recipe.dimension} coordinates",
            {"dimension": dimension},
        ),
    ):
        if not holds:
            raise RecipeNotPossible(
                f"For this recipe, expected {expected}; received {received}.",
                expected=expected,
                received=received,
            )
