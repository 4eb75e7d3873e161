"""Base of the models of the HTTP API."""

from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

SweepValue = Annotated[float, Field(gt=0, lt=1)]
"""One s_j of a sweep: strictly between 0 (the raw data) and 1 (the reference alone)."""

MIN_SWEEP, MAX_SWEEP = 3, 32
"""Number of values in a sweep; a quadratic in s takes three."""


class Model(BaseModel):
    """A frozen value of the HTTP API.

    Unknown fields are ignored, so that an older SDK can read the responses of a newer service.
    Validation errors do not repeat the input, which may hold a key.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)


Item = TypeVar("Item", bound=Model)


class Page(Model, Generic[Item]):
    """One page of a list; pass `next_cursor` as `cursor` to read the next page."""

    items: list[Item]
    next_cursor: str | None = None


class Problem(Model):
    """A problem (RFC 9457): what was expected, what was received, and what to do."""

    model_config = ConfigDict(frozen=True, extra="allow")

    type: str = Field(
        description="The kind of problem: a stable name.", examples=["/problems/not-found"]
    )
    title: str = Field(description="A short title of the kind of problem.")
    status: int = Field(description="The HTTP status.")
    detail: str = Field(description="What was expected, what was received, and what to do.")
    request_id: str | None = Field(default=None, description="The id of the request, in logs.")
    expected: Any = Field(
        default=None, description="What was expected: a value, a limit or a description."
    )
    received: Any = Field(default=None, description="What was received, if it may be repeated.")
