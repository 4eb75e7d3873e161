"""Caps: limits on what one organisation may learn of a seller's dataset."""

from typing import Annotated

from pydantic import Field

from wassay.models.base import Model

Count = Annotated[int, Field(ge=0, le=2**31 - 1, strict=True)]

DEFAULT_QUESTIONS = 12
"""The cap `questions` unless a seller sets another.

It allows two evaluations at three s of any number of sellers, or one of three sellers with
leave-one-out coalitions.
"""


class Caps(Model):
    """Limits for each buyer's organisation, summed over its accounts, on one dataset.

    A limit of null does not apply. `questions` is the number of distances: one for each s of every
    coalition with these data. `evaluations` is the number of evaluations. Both include failed
    evaluations, but not those cancelled before they begin. The next three limit the buyer's
    measure: `buyer_points` is the least number of distinct points; `uniform_weights` requires equal
    weights; `distinct_measures` rejects a measure that nearly equals one of another request of the
    organisation. `epsilon` allows evaluations with noise only, up to this sum of their ε, failed
    ones included; `questions` does not limit those.
    """

    questions: Count | None = DEFAULT_QUESTIONS
    evaluations: Count | None = None
    buyer_points: Count | None = None
    uniform_weights: Annotated[bool, Field(strict=True)] = False
    distinct_measures: Annotated[bool, Field(strict=True)] = False
    epsilon: Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)] | None = None
