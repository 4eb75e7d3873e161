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
    """Limits on what the accounts of one organisation together may learn about one dataset.

    A limit that is null does not apply. Failed evaluations count, but evaluations that were
    cancelled before they began do not.
    """

    questions: Count | None = Field(
        default=DEFAULT_QUESTIONS,
        description="The most distances without noise: one for each s of every coalition and pair "
        "that includes the dataset. Evaluations with the same inputs count once.",
    )
    evaluations: Count | None = Field(
        default=None, description="The most evaluations that include the dataset."
    )
    buyer_points: Count | None = Field(
        default=None, description="The fewest distinct points that a buyer's measure may have."
    )
    uniform_weights: Annotated[bool, Field(strict=True)] = Field(
        default=False,
        description="Whether all points of a buyer's measure must have the same weight.",
    )
    distinct_measures: Annotated[bool, Field(strict=True)] = Field(
        default=False,
        description="Whether to refuse a measure that nearly equals that of another request for "
        "which the organisation has evaluated the dataset.",
    )
    epsilon: Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)] | None = Field(
        default=None,
        description="The largest sum of the ε of all evaluations. Evaluations without noise are "
        "refused.",
    )
