"""The OpenAPI document is complete."""

import re
from typing import Any

import httpx
import pytest

from tests.conftest import ON_SQLITE

pytestmark = ON_SQLITE


@pytest.fixture
def openapi(anonymous: httpx.Client) -> dict[str, Any]:
    document: dict[str, Any] = anonymous.get("/openapi.json").json()
    return document


def operations(openapi: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        f"{method.upper()} {path}": operation
        for path, methods in openapi["paths"].items()
        for method, operation in methods.items()
    }


def test_every_operation_has_a_readable_name_and_says_what_it_does(
    openapi: dict[str, Any],
) -> None:
    named = [operation["operationId"] for operation in operations(openapi).values()]
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)+", name) for name in named)
    assert len(set(named)) == len(named)
    assert all(operation["description"] for operation in operations(openapi).values())


PUBLIC = " /v1/receipt-keys"
"""The route without authentication: those who verify receipts need no account."""


def test_every_operation_of_the_api_needs_a_key_and_says_its_problems(
    openapi: dict[str, Any],
) -> None:
    for name, operation in operations(openapi).items():
        if " /v1/" not in name or name.endswith(PUBLIC):
            continue
        assert operation["security"] == [{"ApiKey": []}], name
        assert {"401", "403", "422"} <= operation["responses"].keys(), name
        for status, response in operation["responses"].items():
            if status >= "400":
                assert list(response["content"]) == ["application/problem+json"], name


def test_every_authenticated_response_reports_the_remaining_requests(
    openapi: dict[str, Any],
) -> None:
    for name, operation in operations(openapi).items():
        for status, response in operation["responses"].items():
            said = {"RateLimit", "RateLimit-Policy"} <= response.get("headers", {}).keys()
            assert said is ("security" in operation and status != "401"), (name, status)
            assert ("Retry-After" in response.get("headers", {})) is (status in {"429", "503"})
        assert ("429" in operation["responses"]) is ("security" in operation), name


def test_every_reference_in_the_document_resolves(openapi: dict[str, Any]) -> None:
    for reference in re.findall(r"'\$ref': '#/components/([^']+)'", str(openapi)):
        kind, name = reference.split("/")
        assert name in openapi["components"][kind]
    assert "HTTPValidationError" not in openapi["components"]["schemas"]
