"""A real HTTP server that responds from a script and records the requests."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from wassay import Client

KEY = "wsy_abcdefgh_not-a-real-secret"


@dataclass
class Received:
    method: str
    target: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Answer:
    """A response; if `status` is None, the connection is closed without a response."""

    status: int | None
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)

    def bytes(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


Reaction = Answer | Callable[[Received], Answer]


class ScriptedServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script: list[Reaction] = []
        self.received: list[Received] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: ScriptedServer
    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        received = Received(self.command, self.path, dict(self.headers), body)
        self.server.received.append(received)
        reaction = self.server.script.pop(0)
        answer = reaction if isinstance(reaction, Answer) else reaction(received)
        if answer.status is None:
            self.close_connection = True
            return
        content = answer.bytes()
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = do_PATCH = answer  # noqa: N815 - http.server's names

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()
    assert not server.script, "the client did not make all the calls that the test expected"


@pytest.fixture
def client(server: ScriptedServer) -> Iterator[Client]:
    with Client(server.url, KEY) as client:
        yield client
