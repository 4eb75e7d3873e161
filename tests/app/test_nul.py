"""NUL, which Postgres cannot store and terminals interpret, is refused in every text."""

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.app.conftest import Party, Service, problem
from tests.app.described import OPENAPI
from tests.conftest import ON_POSTGRES

pytestmark = ON_POSTGRES

METHODS = {"get", "post", "put", "patch", "delete"}
Operation = dict[str, Any]


def operations(service: Service) -> Iterator[tuple[str, str, Operation]]:
    for path, item in OPENAPI["paths"].items():
        for method in sorted(METHODS & item.keys()):
            yield method, path, item[method]


def filled(path: str, operation: Operation, name: str = "", value: str = "") -> str:
    for parameter in operation.get("parameters", []):
        if parameter["in"] == "path":
            here = value if parameter["name"] == name else "nobody"
            path = path.replace(f"{{{parameter['name']}}}", here)
    return path


@pytest.fixture
def everything(http: Callable[..., Party]) -> Party:
    return http("buyer", "seller", "admin")


@pytest.mark.parametrize("value", ["%00", "a%00b"])
@pytest.mark.parametrize("place", ["path", "query"])
def test_in_an_address(service: Service, everything: Party, place: str, value: str) -> None:
    tried = 0
    for method, path, operation in operations(service):
        for parameter in operation.get("parameters", []):
            if parameter["in"] != place:
                continue
            address = filled(path, operation, parameter["name"], value)
            query = f"?{parameter['name']}={value}" if place == "query" else ""
            content = b"x" if method == "put" else None
            response = everything.request(method, address + query, content=content)
            assert problem(response)[0] == 422, (method, path, parameter["name"])
            tried += 1
    assert tried > 10


def test_in_a_body(service: Service, everything: Party) -> None:
    schemas = OPENAPI["components"]["schemas"]
    tried = 0
    for method, path, operation in operations(service):
        content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        name = content.get("schema", {}).get("$ref", "").rpartition("/")[2]
        for example in schemas.get(name, {}).get("examples", []):
            further = (
                (example | {member: value}, (member,))
                for member in schemas[name]["properties"]
                for value in ("a\0b", ["a\0b"], {"a\0b": 1})
            )
            for body, where in (*with_nul(example), *further):
                response = everything.request(method, filled(path, operation), json=body)
                assert problem(response)[0] == 422, (method, path, where)
                tried += 1
    assert tried > 20


def with_nul(value: Any, *above: str | int) -> Iterator[tuple[Any, tuple[str | int, ...]]]:
    """Yield copies of a document, each with NUL in another text, and the location of that text."""
    if isinstance(value, str):
        yield f"{value}\0", above
        yield "\0", above
    elif isinstance(value, dict):
        for name in value:
            for changed, where in with_nul(value[name], *above, name):
                yield value | {name: changed}, where
    elif isinstance(value, list):
        for index in range(len(value)):
            for changed, where in with_nul(value[index], *above, index):
                yield [*value[:index], changed, *value[index + 1 :]], where


@pytest.mark.parametrize(
    "name",
    [
        *("Authorization", "Idempotency-Key", "If-Match", "If-None-Match", "Last-Event-ID"),
        *("Content-Type", "Content-Digest", "Accept", "X-Request-Id"),
    ],
)
def test_in_a_field_of_the_head(service: Service, everything: Party, name: str) -> None:
    host, port = service.url.removeprefix("http://").split(":")
    key = "" if name == "Authorization" else f"Authorization: Bearer {everything.key}\r\n"
    with socket.create_connection((host, int(port))) as line:
        line.sendall(
            f"POST /v1/references HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{key}"
            f"{name}: a\0b\r\nContent-Length: 2\r\n\r\n{{}}".encode()
        )
        response = line.makefile("rb").read()
    assert response.split()[1] in {b"400", b"401", b"422"}, response
