"""Make a seller's rows comparable with the buyer's, by the recipe that both agreed on."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import ArrayLike, NDArray
from pydantic import ValidationError

from wassay.client.errors import ACCEPTABLE, DifferencesError, InvalidArgumentError, name_of
from wassay.client.shared.arguments import as_measure, brief
from wassay.client.shared.sampling import drawn_labels, drawn_rows, label_of
from wassay.models import Request
from wassay.recipes import Difference, FittedPart, PublicPart, Recipe, RecipeError
from wassay.recipes.kinds.text import Vectors
from wassay.sampling import DrawnRows, Sample
from wassay.sealing import SealingError
from wassay.transport import Measure
from wassay.transport.errors import InvalidMeasure


@dataclass(frozen=True, eq=False)
class Offer:
    """The rows that a seller offers, and how to name and scale their columns for the recipe.

    Attributes
    ----------
    rows : DataFrame, mapping of columns, array_like, or Measure
    rename : mapping of str to str, optional
        The buyer's names of columns, by the seller's.
    factors : mapping of str to float, optional
        Factors that convert columns to the buyer's units, by the buyer's names.
    vectors : mapping, optional
        Word vectors, by the buyer's names of columns that the recipe embeds as texts.
    sample : DrawnRows, optional
        Which rows of the seller's table these are, if they are a sample.
    """

    rows: Any
    rename: Mapping[str, str] | None = None
    factors: Mapping[str, float] | None = None
    vectors: Mapping[str, Vectors] | None = None
    sample: DrawnRows | None = None

    def drawn(self, request: Request, sample: Sample | int | None) -> Offer:
        """Return an offer of a sample of the rows, stratified by labels if the recipe reads any.

        Raises
        ------
        InvalidArgumentError
            If rows are sampled twice, or the sample cannot be drawn.
        RecipeError
            If no column has the name to stratify by.
        """
        public = None if request.recipe is None else PublicPart.model_validate(request.recipe)
        label = label_of(public)
        for name, option in (("rename", self.rename), ("factors", self.factors)):
            if not isinstance(option, Mapping | None):
                raise InvalidArgumentError(
                    f"expected {name} to map names of columns, such as {{'INCOME': …}}, received "
                    f"{brief(option)}: name the columns"
                )
        mine = {theirs: mine for mine, theirs in (self.rename or {}).items()}
        by = None if label is None else mine.get(label, label)
        rows, drawn = drawn_rows(self.rows, sample, by)
        return replace(self, rows=rows, sample=drawn)

    def labels(self, labels: ArrayLike | None) -> ArrayLike | None:
        """Return the labels of the drawn rows, given the labels of all rows."""
        return None if labels is None else drawn_labels(labels, self.sample)

    def differences(self, recipe: Recipe) -> list[Difference]:
        """Return how the rows differ from what the recipe expects.

        Raises
        ------
        RecipeError
            If the rows cannot be read, or an option names no column.
        InvalidArgumentError
            If the rows are points already.
        """
        if isinstance(self.rows, Measure):
            raise InvalidArgumentError(
                "expected rows with the columns of the request's recipe, received a Measure: pass "
                "the table"
            )
        return recipe.compare(self.rows, rename=self.rename, factors=self.factors)

    def points(
        self, recipe: Recipe | None, accepted: Iterable[str] = ()
    ) -> tuple[Measure, NDArray[Any] | None]:
        """Return the points, and the classes if a field of the recipe has the role `label`.

        Warns of columns that are left out, since the recipe does not read them.

        Raises
        ------
        DifferencesError
            If the rows differ from what the recipe expects. Columns that the recipe does not read,
            and accepted differences, do not count.
        RecipeError
            If the rows cannot be read, or an option names no column.
        InvalidArgumentError
            If there is no recipe to rename columns for, the rows are points already, or a table
            for a request without a recipe.
        """
        if recipe is None:
            if self.rename or self.factors:
                raise InvalidArgumentError(
                    "the request has no recipe, so its points have no names of columns: leave out "
                    "rename and factors, and order and scale the columns as the buyer says"
                )
            return self._as_array(), None
        found, known = self.differences(recipe), set(accepted)
        refused = [each for each in found if not each.harmless and name_of(each) not in known]
        if refused:
            raise DifferencesError(refused)
        left_out = [each.column for each in found if each.harmless and each.column is not None]
        if left_out:
            warnings.warn(
                f"left out {', '.join(map(repr, left_out))}: the request's recipe reads no such "
                "columns",
                stacklevel=2,
            )
        coordinates = recipe.apply(
            self.rows, rename=self.rename, factors=self.factors, vectors=self.vectors
        )
        coordinates.points.flags.writeable = False  # so that Measure does not copy them
        return Measure(coordinates.points, coordinates.weights), coordinates.labels

    def _as_array(self) -> Measure:
        try:
            return as_measure(self.rows)
        except InvalidMeasure as error:
            if isinstance(self.rows, Mapping) or hasattr(self.rows, "columns"):
                raise InvalidArgumentError(
                    "the request has no recipe, so it takes an array of numbers, received a table "
                    "that is none: pass its columns of numbers, in the order that the buyer says"
                ) from error
            raise


def require_kinds(accepted: Iterable[str]) -> None:
    """Raise if a difference to accept is of no kind that can be accepted.

    Raises
    ------
    InvalidArgumentError
        If one is not.
    """
    for name in accepted:
        if str(name).partition(":")[0] not in ACCEPTABLE:
            raise InvalidArgumentError(
                "expected accept_differences by kind and field, such as 'unit:income', of the "
                f"kinds {', '.join(sorted(ACCEPTABLE))}, received {name!r}: pass names that "
                "`check` lists"
            )


def agreed_recipe(request: Request, fitted: FittedPart | None) -> Recipe | None:
    """Build the recipe from the part that a request shows and the part that its buyer sealed.

    Raises
    ------
    SealingError
        If the parts do not belong together.
    """
    if request.recipe is None and fitted is None:
        return None
    mismatch = SealingError(
        f"the recipe that request {request.id} shows is not the one whose other part its buyer "
        "sealed, so points would not be comparable: upload nothing, and ask the buyer"
    )
    if request.recipe is None or fitted is None:
        raise mismatch
    try:
        return Recipe.from_parts(PublicPart.model_validate(request.recipe), fitted)
    except (ValidationError, RecipeError) as error:
        raise mismatch from error
