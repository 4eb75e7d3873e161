"""Caps: limits on what each organisation may learn about a seller's dataset."""

from typing import Annotated

from pydantic import Field

from wassay.models.base import Model

Count = Annotated[int, Field(ge=0, le=2**31 - 1, strict=True)]

DEFAULT_QUESTIONS = 12
"""The cap `questions` if a seller sets no other.

With a sweep of three s, twelve questions allow two evaluations of any number of sellers, or one
evaluation of three sellers with leave-one-out coalitions.
"""


class Caps(Model):
    """Limits on what each buyer's organisation may learn about one dataset.

    Each limit applies to all accounts of an organisation together. A limit that is null does not
    apply.

    `questions` limits the number of distances: one for each s of every coalition and pair that
    includes the dataset. Evaluations with the same inputs count once. `evaluations` limits the
    number of evaluations. Both count failed evaluations. Neither counts evaluations that were
    cancelled before they began.

    `buyer_points` is the least number of distinct points that a buyer's measure must have.
    `uniform_weights` requires that all points of the measure have the same weight.
    `distinct_measures` rejects a measure that nearly equals the measure of another request, if the
    organisation has evaluated the dataset for that request.

    `epsilon` allows only evaluations with noise, and limits the sum of their ε, including failed
    evaluations. `questions` does not limit evaluations with noise.
    """

    questions: Count | None = DEFAULT_QUESTIONS
    evaluations: Count | None = None
    buyer_points: Count | None = None
    uniform_weights: Annotated[bool, Field(strict=True)] = False
    distinct_measures: Annotated[bool, Field(strict=True)] = False
    epsilon: Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)] | None = None
