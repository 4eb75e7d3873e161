"""A JSON body over the limit is refused, whether or not it says its length."""

import json
import select
import socket
from collections.abc import Callable
from contextlib import suppress

import httpx

from tests.app.conftest import Party, Service, problem
from tests.conftest import ON_SQLITE

pytestmark = ON_SQLITE

Http = Callable[..., Party]

NEW = {"size": 1, "dimension": 1, "distribution": {"kind": "constant"}}
JSON = {"Content-Type": "application/json"}


def test_a_body_over_the_limit_is_refused_by_its_declared_length(
    http: Http, service: Service
) -> None:
    buyer = http("buyer")
    large = b" " * (service.settings.max_json_bytes + 1)
    response = buyer.post("/v1/references", content=large, headers=JSON)
    assert problem(response) == (413, "body-too-large")
    assert response.json()["expected"] == service.settings.max_json_bytes


def test_a_body_that_does_not_say_its_length_is_refused_as_soon_as_it_passes_the_limit(
    http: Http, service: Service
) -> None:
    buyer = http("buyer")
    url = httpx.URL(service.url)
    head = (
        f"POST /v1/references HTTP/1.1\r\nHost: {url.host}\r\nAuthorization: Bearer {buyer.key}\r\n"
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    chunk = b"4000\r\n" + b" " * 0x4000 + b"\r\n"
    with socket.create_connection((url.host, url.port), timeout=60) as connection:
        connection.sendall(head.encode())
        sent = 0
        with suppress(ConnectionError):  # the service may close the connection while we send
            while not select.select([connection], [], [], 0)[0]:
                connection.sendall(chunk)
                sent += 0x4000
                assert sent < 1000 * service.settings.max_json_bytes
        response = b""
        while b"}" not in response:
            response += connection.recv(2**16)
    assert response.startswith(b"HTTP/1.1 413 ")
    assert b"/problems/body-too-large" in response


def test_a_body_within_the_limit_is_read(http: Http, service: Service) -> None:
    padded = json.dumps(NEW).ljust(service.settings.max_json_bytes)
    response = http("buyer").post("/v1/references", content=padded, headers=JSON)
    assert response.status_code == 201
