"""The document of a recipe: its public part, its fitted part, and the checks of both."""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal, Self, TypeAlias

import rfc8785
from pydantic import AfterValidator, Field, model_validator

from wassay.recipes.classes import ClassNames
from wassay.recipes.kinds.kind import Number, Positive, RecipeModel
from wassay.recipes.kinds.registry import AnyFit, AnyKind
from wassay.recipes.limits import (
    MOST_DIMENSIONS,
    MOST_FIELDS,
    MOST_TEXT,
    MOST_WEIGHT,
    MOST_WHITENED,
)

Role: TypeAlias = Literal["feature", "label", "weight", "ignored"]
Text: TypeAlias = Annotated[str, Field(max_length=MOST_TEXT)]


def _different(fields: list[FieldSpec]) -> list[FieldSpec]:
    names = [field.name for field in fields]
    if len(set(names)) < len(names):
        raise ValueError("expected fields of different names")
    for role in ("label", "weight"):
        if sum(field.role == role for field in fields) > 1:
            raise ValueError(f"expected at most one field with the role {role}")
    return fields


class FieldSpec(RecipeModel):
    """A field as both sides know it: its name, what it means and how it becomes coordinates."""

    name: Text = Field(description="The column's name.")
    title: Text | None = Field(default=None, description="A title of the column, for people.")
    description: Text | None = Field(default=None, description="What the column's values mean.")
    type: Text = Field(
        default="any", description="The type in Table Schema's vocabulary: number, string, date, …"
    )
    unit: Text | None = Field(default=None, description="The unit, such as EUR or kg/m².")
    role: Role = Field(default="feature", description="What the field is used for.")
    weight: float = Field(
        default=1.0,
        gt=0,
        le=MOST_WEIGHT,
        description="The mean squared distance of two random rows in this field.",
    )
    kind: AnyKind | None = Field(
        default=None, description="How the field becomes coordinates; null unless it is a feature."
    )
    dimension: Annotated[int, Field(ge=0, le=MOST_DIMENSIONS)] = Field(
        default=0, description="The number of its coordinates."
    )

    @model_validator(mode="after")
    def _features_have_kinds(self) -> Self:
        if (self.role == "feature") != (self.kind is not None and self.dimension > 0):
            raise ValueError("expected a kind and a dimension for features, and for no other field")
        return self

    @property
    def allows_missing(self) -> bool:
        """Whether rows may have no value in this field."""
        return self.kind is not None and self.kind.missing in ("indicator", "imputed")

    @property
    def indicates(self) -> bool:
        """Whether the field has an extra coordinate that indicates missing values."""
        return self.kind is not None and self.kind.missing == "indicator"


class PublicPart(RecipeModel):
    """The part of a recipe that everybody may read; it tells sellers what data fits."""

    fields: Annotated[
        list[FieldSpec], Field(min_length=1, max_length=MOST_FIELDS), AfterValidator(_different)
    ]
    whiten: bool = Field(description="Whether coordinates are whitened.")
    jitter: bool = Field(description="Whether equal values are spread at random.")

    @property
    def features(self) -> list[FieldSpec]:
        """The fields that become coordinates, in their order."""
        return [field for field in self.fields if field.role == "feature"]

    @property
    def label(self) -> FieldSpec | None:
        """The field with the classes of the rows, if there is one."""
        return next((field for field in self.fields if field.role == "label"), None)

    @property
    def weights(self) -> FieldSpec | None:
        """The field with the weights of the rows, if there is one."""
        return next((field for field in self.fields if field.role == "weight"), None)

    @property
    def dimension(self) -> int:
        """The number of coordinates of a point."""
        return sum(field.dimension for field in self.features)

    def digest(self) -> str:
        """Return the SHA-256 of this part as canonical JSON (RFC 8785).

        Returns
        -------
        str
            64 hexadecimal digits.
        """
        return hashlib.sha256(rfc8785.dumps(self.model_dump(mode="json"))).hexdigest()


class FieldFit(RecipeModel):
    """One field's parameters, learned from the buyer's rows."""

    fit: AnyFit
    centre: Annotated[list[Number], Field(min_length=1, max_length=MOST_DIMENSIONS)] = Field(
        description="The mean of the coordinates, which is subtracted."
    )
    scale: Positive = Field(description="The factor that coordinates are multiplied by.")
    missing: float = Field(ge=0, le=1, description="The share of rows without a value.")
    jitter: float = Field(
        ge=0, description="The share of the field's mean squared distance that comes from jitter."
    )


Row: TypeAlias = Annotated[list[Number], Field(max_length=MOST_WHITENED)]


class FittedPart(RecipeModel):
    """The parameters learned from the buyer's rows.

    Invited sellers receive them encrypted, together with the reference's key; the service cannot
    read them.
    """

    public_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] = Field(
        description="The digest of the public part that this fitted part belongs to."
    )
    fields: Annotated[dict[Text, FieldFit], Field(max_length=MOST_FIELDS)]
    whitening: Annotated[list[Row], Field(max_length=MOST_WHITENED)] | None = Field(
        default=None, description="The matrix that rows of whitened coordinates are multiplied by."
    )
    jitter_key: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = Field(
        default=None,
        description=(
            "The secret from which jitter is derived; equal rows of both sides get equal jitter. "
            "Null without jitter, or if the buyer's rows often repeat."
        ),
    )
    classes: ClassNames | None = Field(
        default=None, description="The classes of the buyer's rows; null if they have no labels."
    )


class RecipeDocument(RecipeModel):
    """A recipe as a document without code, which gives the same points on every machine."""

    version: Literal[1] = 1
    public: PublicPart
    fitted: FittedPart

    @model_validator(mode="after")
    def _parts_fit(self) -> Self:
        """Raise unless the public and the fitted part match."""
        if self.fitted.public_sha256 != self.public.digest():
            raise ValueError("expected the fitted part of this public part, received another")
        if list(self.fitted.fields) != [field.name for field in self.public.features]:
            raise ValueError("expected one fit for each feature, in their order")
        if self.public.dimension > MOST_DIMENSIONS:
            raise ValueError(f"expected at most {MOST_DIMENSIONS} coordinates")
        for field in self.public.features:
            fitted = self.fitted.fields[field.name]
            if field.kind is None or not isinstance(fitted.fit, field.kind.fit_type):
                raise ValueError(f"expected field {field.name!r} to be fitted as its kind requires")
            width = field.kind.width(fitted.fit)  # type: ignore[arg-type]
            if len(fitted.centre) != width or field.dimension != width + field.indicates:
                raise ValueError(f"expected as many coordinates of field {field.name!r} as fitted")
        size = _whitened_dimension(self.public)
        matrix = self.fitted.whitening
        if (matrix is not None) != (size > 0):
            raise ValueError(
                "expected a whitening matrix if coordinates are whitened, and none otherwise"
            )
        if matrix is not None and (len(matrix) != size or any(len(row) != size for row in matrix)):
            raise ValueError(f"expected a whitening matrix of {size} × {size}")
        return self


def _whitened_dimension(public: PublicPart) -> int:
    """Return how many coordinates are whitened together."""
    if not public.whiten:
        return 0
    return sum(field.dimension for field in public.features if field.kind and field.kind.whitened)
