"""Base of the models of the HTTP API."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from wassay.tabular import html_facts

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


NAMES = ("label", "title", "organisation", "name")
"""The fields that people know a thing by; they are shown beside its id."""

_MOST_CHARACTERS = 60
_MOST_VALUES = 8


def names_beside_id(names: Iterable[str]) -> list[str]:
    """Return the names of fields in the order in which people look for them."""
    order = {name: place for place, name in enumerate(("id", *NAMES))}
    return sorted(names, key=lambda name: order.get(name, len(order)))


class Listed(Model):
    """A value that the service lists, shown by its name beside its id.

    Shown are the fields with a single value or a few, if they are known.
    """

    def facts(self) -> dict[str, Any]:
        """Return what is shown of it, by the names of fields.

        Returns
        -------
        dict
        """
        values = {name: _shown(value) for name, value in super().__repr_args__() if name}
        return {name: values[name] for name in names_beside_id(values) if values[name] is not None}

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        return list(self.facts().items())

    def _repr_html_(self) -> str:
        """Return a table for notebooks."""
        return html_facts(self.facts(), type(self).__name__)


def _shown(value: Any) -> Any:
    """Return a value as it is shown; None if it is nested or unknown."""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S %Z}"
    if isinstance(value, str):
        long = len(value) > _MOST_CHARACTERS
        return (f"{value[:_MOST_CHARACTERS]}…" if long else value) or None
    if isinstance(value, Sequence) and all(isinstance(each, (str, float)) for each in value):
        few = ", ".join(map(str, value[:_MOST_VALUES]))
        more = len(value) - _MOST_VALUES
        return (f"{few} and {more} more" if more > 0 else few) or None
    return value if isinstance(value, (int, float)) else None


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
