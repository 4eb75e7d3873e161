"""No name that a caller sends contains a character that nobody sees, whatever the field."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.app.conftest import Party
from tests.app.described import OPENAPI
from tests.app.test_openapi_fuzz import example_of
from tests.conftest import ON_SQLITE

PROSE = {"description", "reason", "terms"}
"""Fields of whole texts, in which characters may join others."""
HIDDEN = "a\u200bb"


def values_with(schema: dict[str, Any], value: str) -> Iterator[tuple[str, Any]]:
    """Yield each place of a free string in a schema, and the least value that has it there."""
    if "anyOf" in schema:
        for each in schema["anyOf"]:
            yield from values_with(each, value)
    elif "$ref" in schema:
        name = schema["$ref"].removeprefix("#/components/schemas/")
        yield from values_with(OPENAPI["components"]["schemas"][name], value)
    elif schema.get("type") == "string":
        if not schema.keys() & {"pattern", "enum", "const", "format"}:
            yield "", value
    elif schema.get("type") == "array":
        for place, item in values_with(schema.get("items", {}), value):
            yield f"/0{place}", [item]
    else:
        for name, member in schema.get("properties", {}).items():
            if name not in PROSE:
                for place, inner in values_with(member, value):
                    yield f"/{name}{place}", {name: inner}


NAMES = [
    pytest.param(method.upper(), path, schema, value, id=f"{method.upper()} {path} {place}")
    for path, operations in OPENAPI["paths"].items()
    for method, operation in operations.items()
    for schema in [
        operation.get("requestBody", {})
        .get("content", {})
        .get("application/json", {})
        .get("schema")
    ]
    if schema is not None
    for place, value in values_with(schema, HIDDEN)
    # Parts of a recipe are checked once the whole recipe is valid: tests/app/requests.
    if not place.startswith("/recipe")
]


def test_the_names_of_all_resources_are_found() -> None:
    found = " ".join(str(each.id) for each in NAMES)
    for place in (
        *("accounts /organisation", "accounts /name", "keys /label", "requests /title"),
        *("requests /class_names/0", "contributions /label", "listings /title"),
        *("listings /fields/0/name", "listings /fields/0/unit", "listings /licence"),
    ):
        assert place in found


@ON_SQLITE
@pytest.mark.parametrize(("method", "path", "schema", "value"), NAMES)
def test_a_name_with_an_invisible_character_is_refused(
    http: Callable[..., Party], method: str, path: str, schema: dict[str, Any], value: Any
) -> None:
    party = http("buyer", "seller", "admin")
    ids = {"account_id": party.account_id}
    for name in ("request_id", "contribution_id", "listing_id", "evaluation_id", "key_id"):
        ids[name] = f"{name[:3]}_{'0' * 26}"
    answer = party.request(
        method,
        path.format(**ids),
        json=example_of(schema, OPENAPI) | value,
        headers={"If-Match": "*"},
    )
    assert answer.status_code == 422, answer.text
    assert "U+200B" in answer.text
