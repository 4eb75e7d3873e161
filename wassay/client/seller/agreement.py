"""Make points of a seller's rows by the request's recipe, which also made the buyer's points."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import ArrayLike
from pydantic import ValidationError

from wassay.client.errors import ACCEPTABLE, DifferencesError
from wassay.client.shared.arguments import as_measure, described
from wassay.client.shared.sampling import drawn_labels, drawn_rows, label_of
from wassay.client.shared.sent_rows import SentRows
from wassay.client.shared.table_facts import TableFacts
from wassay.errors import InvalidArgumentError
from wassay.models import Request
from wassay.recipes import Difference, FittedPart, PublicPart, Recipe, RecipeError
from wassay.recipes.kinds.text import Vectors
from wassay.sampling import DrawnRows, Sample
from wassay.sealed_boxes import SealingError
from wassay.transport import Measure
from wassay.transport.errors import InvalidMeasure


@dataclass(frozen=True, eq=False)
class Offer:
    """The rows that a seller offers, and how their columns match the recipe's columns.

    Attributes
    ----------
    rows : DataFrame, mapping of columns, array_like, or Measure
    rename : mapping of str to str, optional
        Maps the seller's name of a column to the buyer's name.
    factors : mapping of str to float, optional
        Maps the buyer's name of a column to the factor that converts the seller's values to the
        buyer's unit.
    vectors : mapping, optional
        Word vectors for each column that the recipe embeds as text, by the buyer's name of the
        column.
    labels : array_like, shape (n,), optional
        The class of every row, if no column has it.
    sample : DrawnRows, optional
        Which rows of the seller's table were drawn; None if `rows` is the whole table.
    """

    rows: Any
    rename: Mapping[str, str] | None = None
    factors: Mapping[str, float] | None = None
    vectors: Mapping[str, Vectors] | None = None
    labels: ArrayLike | None = None
    sample: DrawnRows | None = None

    def drawn(self, request: Request, sample: Sample | int | None) -> Offer:
        """Return this offer with a sample of its rows; with all rows if `sample` is None.

        Parameters
        ----------
        request : wassay.models.Request
        sample : Sample or int or None
            The sample to draw, or its number of rows. Without `Sample.by`, the sample is stratified
            by the field with the role `label` in the request's recipe.

        Raises
        ------
        InvalidArgumentError
            If the offer's rows are a sample already and `sample` asks for another, or the sample
            cannot be drawn. Also if `rename` or `factors` is not a mapping.
        RecipeError
            If the column to stratify by does not exist.
        """
        public = None if request.recipe is None else PublicPart.model_validate(request.recipe)
        label = label_of(public)
        for name, option in (("rename", self.rename), ("factors", self.factors)):
            if not isinstance(option, Mapping | None):
                raise InvalidArgumentError(
                    f"expected {name} to be a mapping from names of columns, such as "
                    f"{{'INCOME': …}}, received {described(option)}: name the columns"
                )
        mine = {theirs: mine for mine, theirs in (self.rename or {}).items()}
        by = None if label is None else mine.get(label, label)
        rows, drawn = drawn_rows(self.rows, sample, by)
        labels = None if self.labels is None else drawn_labels(self.labels, drawn)
        return replace(self, rows=rows, labels=labels, sample=drawn)

    def differences(self, recipe: Recipe) -> list[Difference]:
        """Return how the rows differ from what the recipe expects.

        Raises
        ------
        RecipeError
            If the rows cannot be read, or `rename` or `factors` names a missing column.
        InvalidArgumentError
            If the rows are a `Measure`.
        """
        if isinstance(self.rows, Measure):
            raise InvalidArgumentError(
                "expected rows with the columns of the request's recipe, received a Measure: pass "
                "the table"
            )
        found = recipe.compare(
            self.rows, rename=self.rename, factors=self.factors, labels=self.labels
        )
        sample = self.sample
        return found if sample is None else [each.renumbered(sample.numbers) for each in found]

    def points(
        self, recipe: Recipe | None, accepted: Iterable[str] = ()
    ) -> tuple[Measure, ArrayLike | None]:
        """Return the points, and their classes if there are any.

        Columns that the recipe does not read are left out, with a warning.

        Parameters
        ----------
        recipe : Recipe or None
            The request's recipe; None if the request has none and takes points.
        accepted : iterable of str
            The names of differences that do not stop the upload.

        Returns
        -------
        points : Measure
        classes : array_like or None
            The offered labels; without them, the values of the recipe's field with the role
            `label`.

        Raises
        ------
        DifferencesError
            If a difference from what the recipe expects is not accepted.
        RecipeError
            If the rows cannot be read, or `rename` or `factors` names a missing column.
        InvalidArgumentError
            If there is a recipe, and the rows are a `Measure`. If there is no recipe, and the rows
            are a table with values other than numbers, or `rename` or `factors` is given.
        TransportError
            If there is no recipe, and a point is not finite.
        """
        if recipe is None:
            if self.rename or self.factors:
                raise InvalidArgumentError(
                    "the request has no recipe, so its points have no names of columns: leave out "
                    "rename and factors, and order and scale the columns as the buyer says"
                )
            return self._as_array(), self.labels
        found, known = self.differences(recipe), set(accepted)
        refused = [each for each in found if not each.harmless and each.name not in known]
        if refused:
            raise DifferencesError(refused)
        left_out = [each.column for each in found if each.harmless and each.column is not None]
        if left_out:
            warnings.warn(
                f"left out the columns {', '.join(map(repr, left_out))}, which the request's "
                "recipe does not read",
                stacklevel=2,
            )
        coordinates = recipe.apply(
            self.rows, rename=self.rename, factors=self.factors, vectors=self.vectors
        )
        coordinates.points.flags.writeable = False  # so that Measure does not copy the array
        labels = coordinates.labels if self.labels is None else self.labels
        return Measure(coordinates.points, coordinates.weights), labels

    def facts(self, recipe: Recipe | None, measure: Measure, sent: SentRows) -> TableFacts | None:
        """Return facts about the points, such as columns' values; None without a recipe.

        `measure` has the points in the order in which they are sent, and `sent` has the row of each
        point.
        """
        return None if recipe is None else TableFacts.of(self.rows, measure, sent)

    def _as_array(self) -> Measure:
        try:
            return as_measure(self.rows)
        except InvalidMeasure as error:
            if isinstance(self.rows, Mapping) or hasattr(self.rows, "columns"):
                raise InvalidArgumentError(
                    "the request has no recipe, so it takes an array of numbers, received a table "
                    "with other columns: pass the columns of numbers, in the buyer's order"
                ) from error
            raise


def require_kinds(accepted: Iterable[str]) -> None:
    """Raise unless a seller can accept all of the named differences.

    Raises
    ------
    InvalidArgumentError
        If a name does not begin with a kind of difference that a seller can accept.
    """
    for name in accepted:
        if str(name).partition(":")[0] not in ACCEPTABLE:
            raise InvalidArgumentError(
                "expected accept_differences by kind and field, such as 'unit:income', of the "
                f"kinds {', '.join(sorted(ACCEPTABLE))}, received {name!r}: pass the "
                "`name` of each difference that `check` returns"
            )


def agreed_recipe(request: Request, fitted: FittedPart | None) -> Recipe | None:
    """Join the public part of a request's recipe and the part that the buyer sealed.

    Returns
    -------
    Recipe or None
        None if there is neither part.

    Raises
    ------
    SealingError
        If one part is missing, or the parts do not belong together.
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
