"""No byte that leaves the parties' processes contains a secret."""

import base64
import socket
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.conftest import ON_SQLITE
from tests.e2e.service import NewParty, Service
from tests.relay import Relay, run_relay
from wassay import (
    Buyer,
    BuyerPrivacy,
    Client,
    Measure,
    Normal,
    Profile,
    Protocol,
    Reference,
    Seller,
    SellerPrivacy,
    transport,
)
from wassay.client.buyer.saved_request import SavedRequest
from wassay.models import Mode

pytestmark = ON_SQLITE

T0 = 0.3718281828459045
SEED = 2**100 + 17


class Tap(Relay):
    """A relay that keeps what clients send."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.sent = bytearray()

    def look(self, line: socket.socket, piece: bytes) -> None:
        self.sent += piece


@pytest.fixture
def tap(service: Service) -> Iterator[Tap]:
    with run_relay(Tap(service.url)) as tap:
        yield tap


def traces(number: float) -> list[bytes]:
    """Return encodings of a number: as text with at least five decimals, and as binary."""
    texts = [f"{number:.{digits}f}" for digits in range(5, 17)] + [repr(number)]
    return [text.encode() for text in texts] + [
        struct.pack(layout, number) for layout in ("<d", ">d", "<f", ">f")
    ]


def key_traces(key: bytes) -> list[bytes]:
    """Return the beginnings of a key's encodings: binary, hexadecimal, base64 and decimal."""
    texts = (key.hex(), base64.b64encode(key).decode(), str(int.from_bytes(key)))
    return [key[:8], *(text[:12].encode() for text in texts), key.hex()[:12].upper().encode()]


def absent(secrets: Iterable[bytes], sent: bytes) -> bool:
    return all(secret not in sent for secret in secrets)


def coordinates(*arrays: NDArray[np.float64]) -> Iterator[bytes]:
    """Yield the encodings of all numbers that are too long to occur by chance."""
    for array in arrays:
        for number in array.ravel():
            yield from (trace for trace in traces(float(number)) if len(trace) >= 8)


def test_t0_and_the_buyers_spread_never_leave_the_process(tap: Tap, new_party: NewParty) -> None:
    random = np.random.default_rng(9)
    needed = random.normal(size=(40, 3))
    reference = Reference(10, 3, Normal(), seed=SEED)
    spread = transport.project(Measure(needed), reference.measure()).spread
    buyer, seller = new_party("buyer"), new_party("seller")
    with Client(tap.address, buyer.key) as tapped:
        request = Buyer(tapped).ask(
            needed,
            title="Secret",
            sellers=[seller.account_id],
            privacy=BuyerPrivacy(sealed=False, max_disclosure="exact"),
            protocol=Protocol(t0=T0, reference=reference),
        )
        Seller(seller.client).answer(
            request.id,
            random.normal(size=(30, 3)),
            privacy=SellerPrivacy(scores="scores", max_disclosure="exact", open_reference=True),
        )
        request.wait_for(1, timeout=120)
        evaluation = request.evaluate().wait(timeout=300)
        estimates = evaluation.result().estimates()
        evaluation.scores()
        request.close()

    assert estimates.grand_coalition is not None
    assert estimates.grand_coalition.interval is not None
    assert spread > 0
    sent = bytes(tap.sent)
    for secret in (T0, 1 - T0, spread, spread**2):
        assert absent(traces(secret), sent)
    # The same search does find what is sent: the seed, the sweep and a coordinate of η_μ(t0).
    pushed = transport.interpolate(Measure(needed), reference.measure(), T0)
    for seen in (str(SEED).encode(), b"0.75", struct.pack("<d", pushed.points[0, 0])):
        assert seen in sent


@pytest.mark.parametrize("mode", ["measure", "cost-block"])
def test_with_a_sealed_reference_no_seed_no_isometry_and_no_point_leaves_in_the_clear(
    tap: Tap, new_party: NewParty, profile: Path, tmp_path: Path, mode: Mode
) -> None:
    random = np.random.default_rng(10)
    needed, offered = random.normal(size=(40, 3)), random.normal(0.5, 1.0, size=(30, 3))
    reference = Reference(2, 3, Normal(), seed=SEED)
    buyer, seller = new_party("buyer"), new_party("seller")
    with Client(tap.address, buyer.key) as asking, Client(tap.address, seller.key) as answering:
        request = Buyer(asking).ask(
            needed,
            title="Sealed",
            sellers=[seller.account_id],
            privacy=BuyerPrivacy(reveals_measure=mode == "cost-block", max_disclosure="exact"),
            protocol=Protocol(t0=T0, reference=reference, modes=[mode]),
        )
        Seller(answering).answer(request.id, offered, mode=mode)
        request.wait_for(1, timeout=120)
        request.evaluate().wait(timeout=300).result().estimates()
    request.save(tmp_path / "request.json")
    key = SavedRequest.load(tmp_path / "request.json").key
    assert key is not None

    sent = bytes(tap.sent)
    gamma = key.reference.measure()
    basis = key.conceal(Measure(np.vstack([np.zeros(3), np.eye(3)]))).points
    pushed = transport.interpolate(Measure(needed), gamma, T0)
    answers = [transport.interpolate(Measure(offered), gamma, s) for s in (0.25, 0.5, 0.75)]
    assert absent(key_traces(key.isometry.key), sent)
    assert absent(key_traces(key.nonce), sent)
    assert absent([str(SEED).encode(), SEED.to_bytes(16), SEED.to_bytes(16, "little")], sent)
    for party in (buyer, seller):
        assert absent(key_traces(Profile(profile).key_pair(party.account_id).secret), sent)
    assert absent(coordinates(key.isometry.translation, basis[1:] - basis[0]), sent)
    assert absent(coordinates(needed, offered, gamma.points), sent)
    assert absent(coordinates(pushed.points, *(answer.points for answer in answers)), sent)
    # The same search does find what is sent: a commitment and a concealed coordinate.
    concealed = key.conceal(pushed)
    for seen in (key.commitment.encode(), struct.pack("<d", concealed.points[0, 0])):
        assert seen in sent
