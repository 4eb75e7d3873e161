"""The web process restarts while parties upload and wait: they notice only a delay."""

import socket
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from tests.e2e.processes import Process, eventually
from tests.e2e.test_outages import NEEDED, OFFERED, new_key, ready
from tests.object_store import free_ports
from tests.relay import Relay, run_relay
from wassay import Buyer, Client, Seller
from wassay.transport import Measure, Normal, Reference

pytestmark = pytest.mark.endurance

COLUMNS = 60
BYTES = 48 * 10**6
IN_FLIGHT = 2**24
"""More bytes than buffers can hold when a process is killed."""


class Counting(Relay):
    """A relay that counts and delays what clients send."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.passed = 0

    def look(self, line: socket.socket, piece: bytes) -> None:
        time.sleep(0.01)
        self.passed += len(piece)


@pytest.mark.parametrize("blow", ["terminate", "kill"])
def test_a_large_upload_goes_on_where_it_was_when_the_web_process_restarts(
    blow: str, tmp_path: Path
) -> None:
    (port,) = free_ports("127.0.0.1", 1)
    settings = {"WASSAY_DATA_FOLDER": str(tmp_path / "data"), "WASSAY_PORT": str(port)}
    arguments = ("serve", "--no-worker")
    with ExitStack() as stack:
        first = stack.enter_context(Process(tmp_path, settings, *arguments))
        url = first.says(r"listening on (http://\S+)")
        eventually(lambda: ready(url), "ready")
        between = stack.enter_context(run_relay(Counting(url)))
        client = stack.enter_context(Client(between.address, new_key(settings, "buyer")))
        points = np.random.default_rng(3).normal(size=(BYTES // 8 // COLUMNS, COLUMNS))
        reference = client.references.create(Reference(1, COLUMNS, Normal(), seed=7))
        request = client.requests.create(title="Large", reference_id=reference.id)
        upload = threading.Thread(
            target=client.requests.upload_measure, args=(request.id, Measure(points))
        )
        upload.start()
        eventually(lambda: between.passed > BYTES // 3, "a third passed")

        getattr(first.process, blow)()
        first.process.wait(60)
        second = stack.enter_context(Process(tmp_path, settings, *arguments))
        second.says("listening on")
        upload.join(120)

        assert not upload.is_alive()
        assert client.requests.get(request.id).measure is not None
        assert between.passed < BYTES + IN_FLIGHT


def test_who_waits_for_an_evaluation_outlives_seconds_without_a_web_process(
    tmp_path: Path,
) -> None:
    (port,) = free_ports("127.0.0.1", 1)
    settings = {"WASSAY_DATA_FOLDER": str(tmp_path / "data"), "WASSAY_PORT": str(port)}
    with ExitStack() as stack:
        first = stack.enter_context(Process(tmp_path, settings, "serve", "--no-worker"))
        url = first.says(r"listening on (http://\S+)")
        eventually(lambda: ready(url), "ready")
        keys = [new_key(settings, scope) for scope in ("buyer", "seller")]
        buyer, seller = (stack.enter_context(Client(url, key)) for key in keys)
        Seller(seller).publish_key()
        request = Buyer(buyer).ask(
            NEEDED[:50], title="Five features", sellers=[seller.accounts.me().id]
        )
        Seller(seller).answer(request.id, OFFERED[:50])
        evaluation = request.evaluate()
        results = []
        waiting = threading.Thread(
            target=lambda: results.append(evaluation.wait(timeout=120).result())
        )
        waiting.start()

        first.process.kill()
        time.sleep(10)  # longer than a single call is retried
        assert waiting.is_alive()
        stack.enter_context(Process(tmp_path, settings, "serve"))
        waiting.join(120)

        assert len(results) == 1
