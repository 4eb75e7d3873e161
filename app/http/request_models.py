"""Base classes of request bodies."""

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict


def meaning(model: type[BaseModel], field: str) -> str:
    """Return the description of a response's field, for the same field of a request body.

    Raises
    ------
    ValueError
        If the field has no description.
    """
    description = model.model_fields[field].description
    if description is None:
        raise ValueError(f"expected a description of {model.__name__}.{field}, received none")
    return description


def _with_example(schema: dict[str, Any], body: type["RequestModel"]) -> None:
    schema["examples"] = [body.example]


class RequestModel(BaseModel):
    """A request body. Unknown fields are refused, because they are probably misspelt.

    Attributes
    ----------
    example
        The body that Swagger UI shows. It is valid once the ids in it exist.
    """

    example: ClassVar[dict[str, Any]]

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra=_with_example)


def _without_defaults(schema: dict[str, Any], body: type[RequestModel]) -> None:
    for field in schema["properties"].values():
        field.pop("default", None)
    _with_example(schema, body)


class PatchModel(RequestModel):
    """The body of a PATCH; fields that are absent stay unchanged.

    Each field needs a default, so that it may be absent; the default is never used.
    """

    model_config = ConfigDict(json_schema_extra=_without_defaults)

    def changes(self) -> dict[str, object]:
        """Return the fields that the client sent, with their values."""
        return self.model_dump(exclude_unset=True)
