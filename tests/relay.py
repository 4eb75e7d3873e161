"""A relay between a client and a server, which can record, stop and break connections."""

import socket
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlsplit

PIECE_BYTES = 2**16


class Relay(socketserver.ThreadingTCPServer):
    """Passes connections on to `http://host:port`; while `silent`, accepts them without a response.

    Whatever arrives while it is silent is never answered; `unanswered` counts such connections.
    """

    daemon_threads = True
    block_on_close = False

    allow_reuse_address = True

    def __init__(self, address: str, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Connection)
        target = urlsplit(address)
        self.target = (target.hostname, target.port)
        self.silent = False
        self.unanswered = 0
        self.ended = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def look(self, line: socket.socket, piece: bytes) -> None:
        """Inspect what a client sent before it is passed on; an OSError breaks the connection."""

    def pass_on(
        self, source: socket.socket, sink: socket.socket, look: Callable[[bytes], None]
    ) -> None:
        """Pass on bytes until the source ends, or until either side closes the connection."""
        try:
            while piece := source.recv(PIECE_BYTES):
                if self.silent:
                    self.unanswered += 1
                    self.ended.wait()
                    return
                look(piece)
                sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            for end in (source, sink):
                with suppress(OSError):  # it is closed already
                    end.shutdown(socket.SHUT_RDWR)


class Connection(socketserver.BaseRequestHandler):
    server: Relay

    def handle(self) -> None:
        with socket.create_connection(self.server.target) as target:
            ways: list[tuple[Any, ...]] = [
                (self.request, target, partial(self.server.look, self.request)),
                (target, self.request, lambda _: None),
            ]
            threads = [
                threading.Thread(target=self.server.pass_on, args=way, daemon=True) for way in ways
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()


R = TypeVar("R", bound=Relay)


@contextmanager
def run_relay(relay: R) -> Iterator[R]:
    """Run a relay in a thread while the block runs."""
    with relay:
        thread = threading.Thread(target=relay.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield relay
        finally:
            relay.ended.set()
            relay.shutdown()
            thread.join()
