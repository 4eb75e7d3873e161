"""The bases of what clients send."""

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict


def _with_example(schema: dict[str, Any], body: type["RequestModel"]) -> None:
    schema["examples"] = [body.example]


class RequestModel(BaseModel):
    """A request body: an unknown field is refused, for it is a misspelt one.

    Attributes
    ----------
    example
        What Swagger UI offers to send: it is accepted as it is, once ids are those of something.
    """

    example: ClassVar[dict[str, Any]]

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra=_with_example)


def _without_defaults(schema: dict[str, Any], body: type[RequestModel]) -> None:
    for field in schema["properties"].values():
        field.pop("default", None)
    _with_example(schema, body)


class PatchModel(RequestModel):
    """The body of a PATCH: fields that are absent stay as they are.

    A field's default only says that it may be absent; it is never used, nor shown.
    """

    model_config = ConfigDict(json_schema_extra=_without_defaults)

    def changes(self) -> dict[str, object]:
        """Return the fields that came."""
        return self.model_dump(exclude_unset=True)
