"""The list of all kinds of fields, by name."""

from typing import Annotated, TypeAlias

from pydantic import Discriminator

from wassay.recipes.kinds.boolean import Boolean, BooleanFit
from wassay.recipes.kinds.category import Category, CategoryFit
from wassay.recipes.kinds.date import Date, Datetime
from wassay.recipes.kinds.image import Image
from wassay.recipes.kinds.integer import Integer
from wassay.recipes.kinds.number import Number
from wassay.recipes.kinds.numeric import NumericFit
from wassay.recipes.kinds.ordered import Ordered
from wassay.recipes.kinds.text import Text
from wassay.recipes.kinds.vector import Vector, VectorFit

AnyKind: TypeAlias = Annotated[
    Number | Integer | Date | Datetime | Boolean | Category | Ordered | Vector | Image | Text,
    Discriminator("kind"),
]

AnyFit: TypeAlias = Annotated[
    NumericFit | BooleanFit | CategoryFit | VectorFit, Discriminator("of")
]

_KINDS: tuple[type[AnyKind], ...] = (
    *(Number, Integer, Date, Datetime, Boolean, Category, Ordered, Vector, Image, Text),
)

BY_NAME: dict[str, type[AnyKind]] = {each.model_fields["kind"].default: each for each in _KINDS}
