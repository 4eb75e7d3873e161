"""Caps: what a seller lets one organisation learn of a dataset at most."""

from typing import Annotated

from pydantic import Field

from wassay.models.base import Model

Count = Annotated[int, Field(ge=0, le=2**31 - 1, strict=True)]


class Caps(Model):
    """How much every buyer's organisation, all its accounts together, may ask of a dataset.

    What is left out has no cap. `evaluations` is how many evaluations it may ask for, whether they
    fail or not; those that are cancelled before they begin do not count. The others say which buyer
    measures are answered: those with at least `buyer_points` points at different places; those
    whose points all weigh the same, if `uniform_weights`; those that are not almost one that the
    organisation has asked with before in another request, if `distinct_measures`. With `epsilon`,
    only answers with noise are given, until their ε sum up to it; those that fail count too.
    """

    evaluations: Count | None = None
    buyer_points: Count | None = None
    uniform_weights: Annotated[bool, Field(strict=True)] = False
    distinct_measures: Annotated[bool, Field(strict=True)] = False
    epsilon: Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)] | None = None
