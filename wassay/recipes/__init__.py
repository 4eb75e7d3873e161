"""Recipes: how rows of a table become points that buyer and seller can compare."""

from wassay.recipes.document import FittedPart, PublicPart, RecipeDocument
from wassay.recipes.errors import RecipeError
from wassay.recipes.kinds.boolean import Boolean
from wassay.recipes.kinds.dates import Date, Datetime
from wassay.recipes.kinds.integer import Integer
from wassay.recipes.kinds.number import Number
from wassay.recipes.recipe import Coordinates, Recipe

__all__ = [
    "Boolean",
    "Coordinates",
    "Date",
    "Datetime",
    "FittedPart",
    "Integer",
    "Number",
    "PublicPart",
    "Recipe",
    "RecipeDocument",
    "RecipeError",
]
