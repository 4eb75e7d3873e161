"""What stands between a service and something that it needs, and can fall silent."""

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

PIECE_BYTES = 2**16


class Relay(socketserver.ThreadingTCPServer):
    """Passes connections on to an address; while `silent`, accepts, and answers nobody.

    What came over a connection then is never answered; `unanswered` counts such connections.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self, address: str) -> None:
        super().__init__(("127.0.0.1", 0), Connection)
        target = urlsplit(address)
        self.target = (target.hostname, target.port)
        self.silent = False
        self.unanswered = 0
        self.ended = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        """Pass on what comes until its end, or until either side has gone."""
        try:
            while piece := source.recv(PIECE_BYTES):
                if self.silent:
                    self.unanswered += 1
                    self.ended.wait()
                    return
                sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass


class Connection(socketserver.BaseRequestHandler):
    server: Relay

    def handle(self) -> None:
        with socket.create_connection(self.server.target) as target:
            ways = [(self.request, target), (target, self.request)]
            threads = [
                threading.Thread(target=self.server.pass_on, args=way, daemon=True) for way in ways
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()


@contextmanager
def relay(address: str) -> Iterator[Relay]:
    """Run a relay to `http://host:port`."""
    with Relay(address) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield running
        finally:
            running.ended.set()
            running.shutdown()
            thread.join()
