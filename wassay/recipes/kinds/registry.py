"""The kinds of field: one line each."""

from typing import Annotated, TypeAlias

from pydantic import Discriminator

from wassay.recipes.kinds.boolean import Boolean, BooleanFit
from wassay.recipes.kinds.dates import Date, Datetime
from wassay.recipes.kinds.integer import Integer
from wassay.recipes.kinds.number import Number
from wassay.recipes.kinds.numeric import NumericFit

AnyKind: TypeAlias = Annotated[Number | Integer | Date | Datetime | Boolean, Discriminator("kind")]

AnyFit: TypeAlias = Annotated[NumericFit | BooleanFit, Discriminator("of")]

BY_NAME: dict[str, type[AnyKind]] = {
    each.model_fields["kind"].default: each for each in (Number, Integer, Date, Datetime, Boolean)
}
