"""The bases of what clients send."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class Body(BaseModel):
    """A request body: an unknown field is refused, for it is a misspelt one."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _without_defaults(schema: dict[str, Any]) -> None:
    for field in schema["properties"].values():
        field.pop("default", None)


class Edit(Body):
    """The body of a PATCH: fields that are absent stay as they are.

    A field's default only says that it may be absent; it is never used, nor shown.
    """

    model_config = ConfigDict(json_schema_extra=_without_defaults)

    def changes(self) -> dict[str, object]:
        """Return the fields that came."""
        return self.model_dump(exclude_unset=True)
