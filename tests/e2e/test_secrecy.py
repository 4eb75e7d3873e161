"""Nothing that leaves the buyer's process holds t0 or σ_bμ; every byte is looked at."""

import socket
import struct
import threading
from collections.abc import Iterator
from urllib.parse import urlsplit

import numpy as np
import pytest

from tests.e2e.service import NewParty, Service
from wassay import Buyer, Client, Measure, Normal, Reference, Seller, transport

T0 = 0.3718281828459045
PIECE = 2**16


class Tap:
    """Passes connections on to a service, and keeps what clients send."""

    def __init__(self, url: str) -> None:
        target = urlsplit(url)
        self._target = (target.hostname, target.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.sent = bytearray()
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(self._target)
            for source, sink, keep in ((near, far, True), (far, near, False)):
                threading.Thread(target=self._pass, args=(source, sink, keep), daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket, keep: bool) -> None:
        while piece := source.recv(PIECE):
            if keep:
                self.sent += piece
            sink.sendall(piece)
        sink.close()


@pytest.fixture
def tap(service: Service) -> Iterator[Tap]:
    tap = Tap(service.url)
    yield tap
    tap.close()


def traces(number: float) -> list[bytes]:
    """Ways in which a number could be on the wire: text of five digits or more, and binary."""
    texts = [f"{number:.{digits}f}" for digits in range(5, 17)] + [repr(number)]
    return [text.encode() for text in texts] + [
        struct.pack(layout, number) for layout in ("<d", ">d", "<f", ">f")
    ]


def test_t0_and_the_buyers_spread_never_leave_the_process(tap: Tap, new_party: NewParty) -> None:
    random = np.random.default_rng(9)
    needed = random.normal(size=(40, 3))
    reference = Reference(10, 3, Normal(), seed=2**100 + 17)
    spread = transport.project(Measure(needed), reference.measure()).spread
    buyer, seller = new_party("buyer"), new_party("seller")
    with Client(tap.url, buyer.key) as tapped:
        request = Buyer(tapped).ask(
            needed, title="Secret", t0=T0, reference=reference, sellers=[seller.account_id]
        )
        Seller(seller.client).answer(request.id, random.normal(size=(30, 3)))
        request.wait_for(1, timeout=120)
        evaluation = request.evaluate().wait(timeout=300)
        estimates = evaluation.result().at(T0)
        evaluation.scores()
        request.close()

    assert estimates.together.interval is not None
    assert spread > 0
    sent = bytes(tap.sent)
    for secret in (T0, 1 - T0, spread, spread**2):
        for trace in traces(secret):
            assert trace not in sent
    # What does leave is seen by the same means: the seed, the sweep, and a coordinate of η_μ(t0).
    pushed = transport.interpolate(Measure(needed), reference.measure(), T0)
    for seen in (str(2**100 + 17).encode(), b"0.75", struct.pack("<d", pushed.points[0, 0])):
        assert seen in sent
