"""The base classes of the models of the HTTP API."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import Enum
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from wassay.tabular import html_facts


class Model(BaseModel):
    """The base of all models. Instances are frozen.

    By default, unknown fields are ignored, so that an older SDK can read a newer service's
    responses.
    """

    # Validation errors do not repeat the input, because it may contain a key.
    model_config = ConfigDict(frozen=True, extra="ignore", hide_input_in_errors=True)


NAMES = ("label", "title", "organisation", "name")
"""The fields by which people know an object. They are shown next to the object's id."""

_MOST_CHARACTERS = 60
_MOST_VALUES = 8


def id_first(names: Iterable[str]) -> list[str]:
    """Sort names of fields: `id` first, then those in `NAMES`, then all others."""
    order = {name: place for place, name in enumerate(("id", *NAMES))}
    return sorted(names, key=lambda name: order.get(name, len(order)))


class Listed(Model):
    """The base of the objects that the service lists.

    `repr` and notebooks show the id and the name first, and leave out empty and nested values.
    """

    def facts(self) -> dict[str, Any]:
        """Return the fields that `repr` shows, as a dict from name to value.

        Returns
        -------
        dict
        """
        values = {name: _shown(value) for name, value in super().__repr_args__() if name}
        return {name: values[name] for name in id_first(values) if values[name] is not None}

    def __repr_args__(self) -> Iterable[tuple[str | None, Any]]:
        return list(self.facts().items())

    def _repr_html_(self) -> str:
        """Return the shown fields as HTML for notebooks."""
        return html_facts(self.facts(), type(self).__name__)


def _shown(value: Any) -> Any:
    """Return a field's value as `repr` shows it, or None if the value is nested or empty."""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S %Z}"
    if isinstance(value, Enum):
        return value.value
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
    """One page of a list."""

    items: list[Item] = Field(description="The objects on this page.")
    next_cursor: str | None = Field(
        default=None, description="Pass it as `cursor` to read the next page. Null: there is none."
    )


class Problem(Model):
    """An error of the API (RFC 9457): what was expected, what was received, and what to do."""

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
