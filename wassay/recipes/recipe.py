"""Recipes: turn the rows of a table into points that buyer and seller can compare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import ValidationError

from wassay.private_file import written_privately
from wassay.recipes.classes import class_names, common_classes
from wassay.recipes.columns import quoted
from wassay.recipes.comparing import compare
from wassay.recipes.description import describe, disclosed
from wassay.recipes.differences import Difference
from wassay.recipes.document import FittedPart, PublicPart, RecipeDocument, Role
from wassay.recipes.encoding import encode
from wassay.recipes.errors import RecipeError
from wassay.recipes.fitting import fit
from wassay.recipes.frames import columns_of
from wassay.recipes.guessing import specify
from wassay.recipes.kinds.registry import AnyKind
from wassay.recipes.kinds.text import Vectors
from wassay.recipes.limits import MOST_BYTES
from wassay.recipes.parsing import parse_document, sentence
from wassay.recipes.reading import embed, labels_of, read_columns, weights_of


@dataclass(frozen=True, eq=False)
class Coordinates:
    """The points, classes and weights of a frame's rows.

    Attributes
    ----------
    points : ndarray, shape (n, d)
        One point a row, in float64.
    labels : ndarray, shape (n,), or None
        The classes of the rows; None if no field has the role `label`.
    weights : ndarray, shape (n,), or None
        The weights of the rows, which sum to 1; None if no field has the role `weight`.
    """

    points: NDArray[np.float64]
    labels: NDArray[Any] | None
    weights: NDArray[np.float64] | None


class Recipe:
    """How rows of a table become points that buyer and seller can compare.

    Make a recipe with `Recipe.fit`, or read one with `Recipe.load` or `Recipe.from_json`. The same
    rows and the same seed give the same points on every machine, to the last bit.

    Parameters
    ----------
    document : RecipeDocument
        The recipe's public and fitted parts.

    Attributes
    ----------
    document : RecipeDocument
    """

    def __init__(self, document: RecipeDocument) -> None:
        self.document = document

    def __repr__(self) -> str:
        return f"Recipe({quoted(self.field_names)}: {self.dimension} coordinates)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Recipe) and self.document == other.document

    def __hash__(self) -> int:
        return hash(self.document.fitted.public_sha256)

    @classmethod
    def fit(
        cls,
        frame: Any,
        *,
        roles: Mapping[str, Role] | None = None,
        kinds: Mapping[str, str | AnyKind] | None = None,
        weights: Mapping[str, float] | None = None,
        units: Mapping[str, str] | None = None,
        descriptions: Mapping[str, str] | None = None,
        vectors: Mapping[str, Vectors] | None = None,
        whiten: bool = True,
        jitter: bool = True,
        seed: int | None = None,
    ) -> Recipe:
        """Fit a recipe on the buyer's rows.

        This leaves out columns that cannot be features, such as an index, and warns of them.

        Parameters
        ----------
        frame : pandas.DataFrame, polars.DataFrame, pyarrow.Table, mapping or array
            At least 20 rows.
        roles : mapping, optional
            By column name, the roles of columns that are not features: label, weight or ignored.
        kinds : mapping, optional
            By column name, how a column becomes coordinates: the name of a kind, or a kind with
            options, such as ``Number(transform="log")``. By default, the column's type decides.
        weights : mapping, optional
            By column name, how much a field counts: the mean squared distance between two random
            rows in this field. 1 by default.
        units : mapping, optional
            By column name, the unit, such as EUR. Sellers see the units.
        descriptions : mapping, optional
            By column name, what the column means. Sellers see the descriptions.
        vectors : mapping, optional
            For each column of the kind `Text`, a mapping from words to vectors.
        whiten : bool, optional
            Give coordinates the same spread in every direction, except those of images, texts and
            vectors. Otherwise a receiver of the rotated points can find columns by their different
            spreads.
        jitter : bool, optional
            Spread equal values at random, except images, texts, vectors, and numbers with the
            transform ``log`` or ``identity``. Otherwise a receiver of the rotated points can find
            columns by their repeated values.
        seed : int, optional
            Seed of the jitter while fitting, and of the recipe's jitter key. By default, a random
            seed.

        Returns
        -------
        Recipe

        Raises
        ------
        RecipeError
            If the frame cannot be read, or has too few rows, no feature, or too many coordinates.
            Also if an option names a missing column, or values do not fit their kind.

        Notes
        -----
        Jitter also spreads equal rows if more than 1 % of the buyer's rows equal earlier ones.
        """
        columns = columns_of(frame)
        fields = specify(
            columns,
            roles=roles or {},
            kinds=kinds or {},
            weights=weights or {},
            units=units or {},
            descriptions=descriptions or {},
        )
        fields = embed(fields, columns, vectors or {})
        try:
            return cls(fit(fields, columns, whiten=whiten, jitter=jitter, seed=seed))
        except ValidationError as error:
            raise RecipeError(sentence(error)) from error

    @classmethod
    def from_parts(cls, public: PublicPart, fitted: FittedPart) -> Recipe:
        """Build a recipe from its public and its fitted part.

        Parameters
        ----------
        public : PublicPart
        fitted : FittedPart

        Returns
        -------
        Recipe

        Raises
        ------
        RecipeError
            If the parts do not belong together.
        """
        try:
            return cls(RecipeDocument(public=public, fitted=fitted))
        except ValidationError as error:
            raise RecipeError(sentence(error)) from error

    @classmethod
    def from_json(cls, content: str | bytes) -> Recipe:
        """Read a recipe from JSON.

        Parameters
        ----------
        content : str or bytes
            JSON, as `to_json` writes it.

        Returns
        -------
        Recipe

        Raises
        ------
        RecipeError
            If the content is too large, or not a recipe of a version that this SDK knows.
        """
        return cls(parse_document(content.encode() if isinstance(content, str) else content))

    @classmethod
    def load(cls, path: str | Path) -> Recipe:
        """Read a recipe from a file.

        Parameters
        ----------
        path : str or Path

        Returns
        -------
        Recipe

        Raises
        ------
        RecipeError
            If the content is too large, or not a recipe of a version that this SDK knows.
        """
        with Path(path).open("rb") as file:
            content = file.read(MOST_BYTES + 1)
        try:
            return cls.from_json(content)
        except RecipeError as error:
            raise RecipeError(f"{path}: {error}; name a file that Recipe.save wrote") from error

    def save(self, path: str | Path) -> None:
        """Write the recipe to a file that only its owner can read (mode 0600).

        The file holds the public and the fitted part, and so quantiles of the buyer's rows.

        Parameters
        ----------
        path : str or Path
            The file; an existing file is replaced.
        """
        file = Path(path)
        with written_privately(file.parent, file.name, self.to_json() + "\n") as new:
            new.replace(file)

    def to_json(self) -> str:
        """Return the recipe, with its public and its fitted part, as JSON.

        Returns
        -------
        str
        """
        return self.document.model_dump_json()

    @property
    def public(self) -> PublicPart:
        """The public part: names, types, units and kinds, which tell sellers what data fits."""
        return self.document.public

    @property
    def fitted(self) -> FittedPart:
        """The fitted part: quantiles, categories and whitening, learned from the buyer's rows."""
        return self.document.fitted

    @property
    def dimension(self) -> int:
        """The number of coordinates of a point."""
        return self.public.dimension

    @property
    def field_names(self) -> list[str]:
        """The names of all columns that the recipe reads."""
        return [field.name for field in self.public.fields if field.role != "ignored"]

    def fields_of(self, coordinates: Iterable[int]) -> list[str]:
        """Return the names of the fields from which the given coordinates come.

        Whitening mixes a little of other fields into each coordinate; these do not count.

        Parameters
        ----------
        coordinates : iterable of int
            Indices, from 0.

        Returns
        -------
        list of str
            Each name once, in the order of the fields.
        """
        names = [field.name for field in self.public.features for _ in range(field.dimension)]
        return list(dict.fromkeys(names[each] for each in sorted(coordinates)))

    def with_classes(self, labels: ArrayLike | None) -> Recipe:
        """Return a copy of this recipe, with the class names of the given labels.

        Parameters
        ----------
        labels : array_like, shape (n,), or None
            The class of every row. Sellers learn the names of the classes that at least five rows
            have. None removes the class names.

        Returns
        -------
        Recipe
        """
        classes = None if labels is None else common_classes(class_names(labels))
        fitted = self.fitted.model_copy(update={"classes": classes})
        return Recipe(self.document.model_copy(update={"fitted": fitted}))

    @property
    def disclosed(self) -> str:
        """A sentence on what sellers who hold the recipe learn about the buyer's rows."""
        return disclosed(self.document)

    def describe(self) -> str:
        """Return a table of how each field is encoded, and a sentence on what sellers learn.

        Returns
        -------
        str
        """
        return describe(self.document)

    def compare(
        self,
        frame: Any,
        *,
        rename: Mapping[str, str] | None = None,
        factors: Mapping[str, float] | None = None,
        labels: ArrayLike | None = None,
    ) -> list[Difference]:
        """Return the differences between a frame and what the recipe expects.

        Parameters
        ----------
        frame : pandas.DataFrame, polars.DataFrame, pyarrow.Table, mapping or array
        rename : mapping, optional
            From the frame's names of columns to the recipe's, where they differ.
        factors : mapping, optional
            By the recipe's name of a column, the factor that converts its numbers to the recipe's
            unit.
        labels : array_like, shape (n,), optional
            The class of every row. By default, the field with the role `label` has them.

        Returns
        -------
        list of Difference
            Empty if the frame fits. `str()` of each is a sentence.

        Raises
        ------
        RecipeError
            If the frame cannot be read, or an option names a missing column.
        """
        classes = None if labels is None else class_names(labels)
        return compare(self.document, read_columns(frame, rename, factors), classes)

    def apply(
        self,
        frame: Any,
        *,
        rename: Mapping[str, str] | None = None,
        factors: Mapping[str, float] | None = None,
        vectors: Mapping[str, Vectors] | None = None,
        seed: int | None = None,
    ) -> Coordinates:
        """Turn rows into points.

        Columns are found by name, in any order; columns that the recipe does not name are ignored.

        Parameters
        ----------
        frame : pandas.DataFrame, polars.DataFrame, pyarrow.Table, mapping or array
        rename : mapping, optional
            From the frame's names of columns to the recipe's, where they differ.
        factors : mapping, optional
            By the recipe's name of a column, the factor that converts its numbers to the recipe's
            unit: 1000 for an income in thousands.
        vectors : mapping, optional
            The buyer's word vectors, as for `fit`.
        seed : int, optional
            Seed of the jitter; the same seed gives the same points. By default, the recipe's jitter
            key or, if there is none, a random seed.

        Returns
        -------
        Coordinates

        Raises
        ------
        RecipeError
            If a column is missing, an option names a missing one, or values do not fit their kind.
        """
        columns = read_columns(frame, rename, factors)
        missing = [name for name in self.field_names if name not in columns]
        if missing:
            raise RecipeError(
                f"expected the columns {quoted(self.field_names)}, received none named "
                f"{quoted(missing)}: add them, or say which of your columns they are "
                f"(rename={{'yours': {missing[0]!r}}})"
            )
        embed(self.public.features, columns, vectors or {})
        return Coordinates(
            encode(self.document, columns, seed),
            labels_of(self.public, columns),
            weights_of(self.public, columns),
        )
