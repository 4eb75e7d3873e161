"""Connections that send a request too slowly, or do not read the response, are closed."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from app.http.connection_timeouts import TimeoutProtocol
from tests.app.evaluations.jobs import eventually

PIECE = b"x" * 1024


class Hurried(TimeoutProtocol):
    header_seconds = 0.5
    body_seconds = 2.0
    body_bytes = 1024
    reading_seconds = 0.5
    checks = 0

    def _check_body(self) -> None:
        Hurried.checks += 1
        super()._check_body()


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Read the body of a PUT, send much to `/much`, and respond to everything else at once."""
    assert scope["type"] == "http"
    received = 0
    while scope["method"] == "PUT":
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        received += len(message["body"])
        if not message["more_body"]:
            break
    size = 2**26 if scope["path"] == "/much" else 0
    headers = [(b"content-length", str(size or len(str(received))).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for _ in range(size // 2**16):
        await send({"type": "http.response.body", "body": bytes(2**16), "more_body": True})
    await send({"type": "http.response.body", "body": b"" if size else str(received).encode()})


@pytest.fixture(scope="module")
def server() -> Iterator[uvicorn.Server]:
    server = uvicorn.Server(
        uvicorn.Config(application, port=0, http=Hurried, lifespan="off", log_config=None)
    )
    thread = threading.Thread(target=server.run)
    thread.start()
    eventually(lambda: server.started, "started")
    yield server
    server.should_exit = True
    thread.join()


@pytest.fixture
def connect(server: uvicorn.Server) -> Iterator[Callable[[], socket.socket]]:
    address = server.servers[0].sockets[0].getsockname()
    connections: list[socket.socket] = []

    def new() -> socket.socket:
        connections.append(socket.create_connection(address, timeout=60))
        return connections[-1]

    yield new
    for connection in connections:
        connection.close()


def until_closed(connection: socket.socket) -> bytes:
    """Read until the service closes the connection; fail after a minute.

    If the test still sends, the connection is reset; what arrived before is returned.
    """
    received = b""
    with suppress(ConnectionResetError):
        while piece := connection.recv(2**16):
            received += piece
    return received


def has_checked(number: int) -> bool:
    return Hurried.checks >= number


def drip(connection: socket.socket, piece: bytes) -> None:
    """Send a piece again and again, in a thread, as long as the connection is open."""

    def send() -> None:
        try:
            while True:
                connection.sendall(piece)
                time.sleep(0.1)
        except OSError:
            return

    threading.Thread(target=send, daemon=True).start()


def test_a_connection_that_says_nothing_is_closed(connect: Callable[[], socket.socket]) -> None:
    assert until_closed(connect()) == b""


@pytest.mark.parametrize("before", [b"", b"GET / HTTP/1.1\r\nHost: wassay\r\n\r\n"])
def test_headers_that_do_not_end_are_refused_even_if_they_go_on(
    connect: Callable[[], socket.socket], before: bytes
) -> None:
    connection = connect()
    connection.sendall(before + b"GET / HTTP/1.1\r\nHost: wassay\r\n")
    drip(connection, b"X-More: y\r\n")
    answer = until_closed(connection)
    assert answer.count(b"HTTP/1.1 200") == bool(before)
    assert b"HTTP/1.1 408 Request Timeout\r\n" in answer
    assert b'"type": "/problems/request-timeout"' in answer


def test_a_body_that_stops_is_refused(connect: Callable[[], socket.socket]) -> None:
    connection = connect()
    connection.sendall(b"PUT / HTTP/1.1\r\nHost: wassay\r\nContent-Length: 100000\r\n\r\nabc")
    answer = until_closed(connection)
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"Expected at least 1024 bytes of the body in 2 s; received" in answer


def test_a_body_that_arrives_slowly_but_steadily_is_received_whole(
    connect: Callable[[], socket.socket],
) -> None:
    connection = connect()
    connection.sendall(b"PUT / HTTP/1.1\r\nHost: wassay\r\nContent-Length: 3072\r\n\r\n")
    for check in range(Hurried.checks + 1, Hurried.checks + 3):
        connection.sendall(PIECE)
        eventually(partial(has_checked, check), "checked")
    connection.sendall(PIECE + b"GET / HTTP/1.1\r\nHost: wassay\r\nConnection: close\r\n\r\n")
    answer = until_closed(connection)
    assert answer.count(b"HTTP/1.1 200") == 2
    assert b"\r\n\r\n3072" in answer


def test_what_is_left_of_a_body_after_the_response_is_not_read_for_ever(
    connect: Callable[[], socket.socket],
) -> None:
    connection = connect()
    connection.sendall(b"POST / HTTP/1.1\r\nHost: wassay\r\nContent-Length: 100000000\r\n\r\n")
    drip(connection, PIECE * 100)
    with suppress(ConnectionResetError):  # the service may close the connection while we send
        assert until_closed(connection).startswith(b"HTTP/1.1 200")


def test_a_caller_who_does_not_read_is_disconnected(
    server: uvicorn.Server, connect: Callable[[], socket.socket]
) -> None:
    connection = connect()
    connection.sendall(b"GET /much HTTP/1.1\r\nHost: wassay\r\n\r\n")
    eventually(lambda: server.server_state.connections, "connected")
    eventually(lambda: not server.server_state.connections, "disconnected")
    with suppress(ConnectionResetError):
        assert len(until_closed(connection)) < 2**26
