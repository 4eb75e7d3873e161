"""Recipes: how rows of a table become points that buyer and seller can compare."""

from wassay.recipes.differences import Difference
from wassay.recipes.document import FittedPart, PublicPart, RecipeDocument
from wassay.recipes.errors import RecipeError
from wassay.recipes.kinds.boolean import Boolean
from wassay.recipes.kinds.category import Category
from wassay.recipes.kinds.date import Date, Datetime
from wassay.recipes.kinds.image import Image
from wassay.recipes.kinds.integer import Integer
from wassay.recipes.kinds.number import Number
from wassay.recipes.kinds.ordered import Ordered
from wassay.recipes.kinds.text import Text
from wassay.recipes.kinds.vector import Vector
from wassay.recipes.recipe import Coordinates, Recipe

__all__ = [
    "Boolean",
    "Category",
    "Coordinates",
    "Date",
    "Datetime",
    "Difference",
    "FittedPart",
    "Image",
    "Integer",
    "Number",
    "Ordered",
    "PublicPart",
    "Recipe",
    "RecipeDocument",
    "RecipeError",
    "Text",
    "Vector",
]
