"""Uploads in parts: wherever connections break, only a body with the declared digest is stored."""

import hashlib
import io
import os
import socket
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import numpy as np
import pytest

from app.arrays.parts import MAX_PARTIAL_BODIES, Part, PartialBodies
from tests.app.arrays.digest import digest_of
from tests.app.conftest import Party, Service
from tests.app.requests.market import Parties, draft, footprint, npy, refused
from tests.conftest import ON_SQLITE
from tests.relay import Relay, run_relay
from wassay import Client, Measure

CONTENT = npy(np.random.default_rng(3).normal(size=(500, 2)))


def send(
    party: Party,
    path: str,
    start: int,
    end: int,
    *,
    whole: bytes = CONTENT,
    body: bytes | None = None,
    **headers: str,
) -> httpx.Response:
    fields = {
        "Content-Type": "application/x-npy",
        "Content-Range": f"bytes {start}-{end - 1}/{len(whole)}",
        "Repr-Digest": digest_of(whole),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    return party.put(path, content=whole[start:end] if body is None else body, headers=fields)


def here(party: Party, path: str, whole: bytes = CONTENT) -> int:
    asked = send(party, path, 0, 0, whole=whole, Content_Range=f"bytes */{len(whole)}")
    assert asked.status_code == 202, asked.text
    received: int = asked.json()["received"]
    return received


def partial(service: Service, party: Party) -> list[Path]:
    return list((service.settings.arrays_folder / "partial").glob(f"{party.account_id}-*"))


@ON_SQLITE
def test_parts_are_joined_to_the_body(buyer: Party, path: str, service: Service) -> None:
    assert here(buyer, path) == 0
    first = send(buyer, path, 0, 3000, Content_Digest=digest_of(CONTENT[:3000]))
    assert (first.status_code, first.json()) == (202, {"received": 3000, "bytes": len(CONTENT)})
    assert buyer.get(path).status_code == 404
    # A part may repeat bytes that were sent before.
    assert send(buyer, path, 1000, 5000).json()["received"] == here(buyer, path) == 5000
    last = send(buyer, path, 5000, len(CONTENT))
    assert last.status_code == 201
    assert last.json()["digest"] == hashlib.sha256(CONTENT).hexdigest()
    assert buyer.get(path).content == CONTENT
    assert not partial(service, buyer)


@ON_SQLITE
@pytest.mark.parametrize("is_noticed", [True, False])
def test_bytes_received_before_a_broken_connection_are_not_sent_again(
    buyer: Party, path: str, service: Service, is_noticed: bool
) -> None:
    whole = npy(np.random.default_rng(4).normal(size=(95_000, 2)))
    address = urlsplit(service.url)
    head = (
        f"PUT {path} HTTP/1.1\r\nHost: {address.netloc}\r\n"
        f"Authorization: Bearer {buyer.key}\r\nContent-Type: application/x-npy\r\n"
        f"Content-Range: bytes 0-{len(whole) - 1}/{len(whole)}\r\n"
        f"Repr-Digest: {digest_of(whole)}\r\nContent-Length: {len(whole)}\r\n\r\n"
    )
    with socket.create_connection((address.hostname, address.port)) as line:
        line.sendall(head.encode() + whole[:1_400_000])
        received = at_least(1_000_000, buyer, path, whole)
        if is_noticed:
            line.close()
            received = at_least(received, buyer, path, whole)
        last = send(buyer, path, received, len(whole), whole=whole)
        assert last.status_code == 201
        if not is_noticed:
            # The first connection sends other bytes, which must not change the stored array.
            line.sendall(bytes(len(whole) - 1_400_000))
            assert b" 416 " in line.recv(1000)
    assert received < 1_400_001
    assert buyer.get(path).content == whole


def at_least(enough: int, buyer: Party, path: str, whole: bytes) -> int:
    deadline = time.monotonic() + 60
    while (received := here(buyer, path, whole)) < enough:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return received


@ON_SQLITE
def test_a_status_query_completes_no_upload(buyer: Party, path: str, service: Service) -> None:
    # The body is complete, but the process that received it was killed before it stored the array.
    send(buyer, path, 0, len(CONTENT) - 1)
    (file,) = partial(service, buyer)
    file.write_bytes(CONTENT)
    assert here(buyer, path) == len(CONTENT)
    assert buyer.get(path).status_code == 404
    assert send(buyer, path, len(CONTENT) - 1, len(CONTENT)).status_code == 201
    assert buyer.get(path).content == CONTENT


@ON_SQLITE
def test_a_part_after_a_gap_is_refused_with_the_byte_to_continue_at(
    buyer: Party, path: str
) -> None:
    send(buyer, path, 0, 1000)
    refusal = refused(send(buyer, path, 2000, 3000), 416, "wrong-part")
    assert (refusal["expected"], refusal["received"]) == (1000, 2000)
    assert here(buyer, path) == 1000


@ON_SQLITE
def test_a_body_with_another_digest_than_declared_is_discarded(
    buyer: Party, path: str, service: Service
) -> None:
    send(buyer, path, 0, 4000)
    changed = bytearray(CONTENT[4000:])
    changed[7] ^= 1
    refused(send(buyer, path, 4000, len(CONTENT), body=bytes(changed)), 422, "digest-mismatch")
    assert not partial(service, buyer)
    assert buyer.get(path).status_code == 404
    send(buyer, path, 0, 4000)
    damaged = send(buyer, path, 4000, 5000, Content_Digest=digest_of(b"another part"))
    refused(damaged, 422, "digest-mismatch")
    assert here(buyer, path) == 0


@ON_SQLITE
def test_a_body_in_parts_that_is_no_measure_is_refused_like_a_whole_one(
    buyer: Party, path: str, service: Service
) -> None:
    points = np.ones((300, 2))
    points[211, 1] = np.nan
    whole = npy(points)
    before = footprint(service)
    send(buyer, path, 0, 1000, whole=whole)
    refusal = refused(send(buyer, path, 1000, len(whole), whole=whole), 422, "invalid-entry")
    assert refusal["index"] == [211, 1]
    assert footprint(service) == before


@ON_SQLITE
@pytest.mark.parametrize(
    ("fields", "status", "slug"),
    [
        ({"Content_Range": "bytes 5-4/100"}, 400, "bad-request"),
        ({"Content_Range": "bytes 0-100/100"}, 400, "bad-request"),
        ({"Content_Range": "lines 0-9/100"}, 400, "bad-request"),
        ({"Content_Range": f"bytes 0-9/{2**40}"}, 413, "body-too-large"),
        (
            {"Content_Range": "bytes 0-9/100"},
            400,
            "bad-request",
        ),  # the body is longer than the range
        ({"Repr_Digest": "md5=:AAAA:"}, 422, "digest-mismatch"),
        ({"Content_Type": "application/json"}, 415, "unsupported-media-type"),
    ],
)
def test_a_malformed_part_leaves_no_file(
    buyer: Party, path: str, service: Service, fields: dict[str, Any], status: int, slug: str
) -> None:
    refused(send(buyer, path, 0, 100, **fields), status, slug)
    assert not partial(service, buyer)


@ON_SQLITE
def test_a_part_needs_the_digest_of_the_body(buyer: Party, path: str) -> None:
    fields = {"Content-Type": "application/x-npy", "Content-Range": "bytes 0-9/100"}
    refused(buyer.put(path, content=b"0123456789", headers=fields), 400, "bad-request")


@ON_SQLITE
def test_parts_belong_to_an_account_and_to_a_path(http: Parties, path: str, buyer: Party) -> None:
    send(buyer, path, 0, 4000)
    other = http("buyer")
    refused(send(other, path, 4000, len(CONTENT)), 404, "not-found")
    own = f"/v1/requests/{draft(other)}/measure"
    assert here(other, own) == here(buyer, f"/v1/requests/{draft(buyer)}/measure") == 0
    assert here(buyer, path) == 4000


@ON_SQLITE
def test_the_oldest_partial_bodies_are_evicted(buyer: Party, path: str, service: Service) -> None:
    wholes = [CONTENT[:-1] + bytes([place]) for place in range(MAX_PARTIAL_BODIES + 1)]
    for place, whole in enumerate(wholes[:-1]):
        send(buyer, path, 0, 1000 + place, whole=whole)
        (new,) = (each for each in partial(service, buyer) if each.stat().st_size == 1000 + place)
        os.utime(new, (time.time() + place - 100,) * 2)
    send(buyer, path, 0, 500, whole=wholes[-1])
    sizes = sorted(each.stat().st_size for each in partial(service, buyer))
    assert sizes == [500, *range(1001, 1000 + MAX_PARTIAL_BODIES)]
    for each in partial(service, buyer):
        os.utime(each, (time.time() - 2 * 24 * 3600,) * 2)
    send(buyer, path, 0, 10)  # the next upload removes bodies older than a day
    assert [each.stat().st_size for each in partial(service, buyer)] == [10]


def test_a_partial_body_may_be_evicted_while_a_part_of_it_arrives(tmp_path: Path) -> None:
    bodies, part, done = PartialBodies(tmp_path), Part(0, 1, 2, "0" * 64), threading.Event()

    def complete() -> None:
        while not done.is_set():
            for each in tmp_path.iterdir():
                each.unlink(missing_ok=True)

    completing = threading.Thread(target=complete)
    completing.start()
    try:
        for _ in range(5000):
            assert bodies.file_of("acc_1", "/measure", part).parent == tmp_path
    finally:
        done.set()
        completing.join()


def test_a_body_that_is_still_written_to_is_continued_in_a_copy(tmp_path: Path) -> None:
    bodies, part = PartialBodies(tmp_path), Part(0, 2, 4, "0" * 64)
    file = bodies.file_of("acc_1", "/measure", part)
    with bodies.open_alone(file) as dead:
        dead.write(b"ab")
        dead.flush()
        with bodies.open_alone(file) as alive:
            dead.write(b"XX")
            dead.flush()
            alive.seek(2)
            alive.write(b"cd")
            with pytest.raises(FileNotFoundError):
                bodies.require_current(dead, file)
            bodies.discard(dead, file)
            bodies.move(alive, file, tmp_path / "whole")
    assert (tmp_path / "whole").read_bytes() == b"abcd"
    assert [each.name for each in tmp_path.iterdir()] == ["whole"]


class Cutter(Relay):
    """Breaks its first connections after given numbers of bytes."""

    def __init__(self, url: str, cuts: list[int]) -> None:
        super().__init__(url)
        self.sent: dict[socket.socket, int] = {}
        self._cuts = cuts

    def look(self, line: socket.socket, piece: bytes) -> None:
        self.sent[line] = self.sent.get(line, 0) + len(piece)
        if self._cuts and self.sent[line] > self._cuts[0]:
            self._cuts.pop(0)
            raise ConnectionAbortedError


@ON_SQLITE
def test_the_sdk_resumes_an_upload_over_a_breaking_connection(
    http: Parties, service: Service
) -> None:
    buyer = http("buyer")
    request_id = draft(buyer, dimension=40)
    measure = Measure(np.random.default_rng(5).normal(size=(60_000, 40)))
    with (
        run_relay(Cutter(service.url, [5_000_000, 9_000_000])) as cutter,
        Client(cutter.address, buyer.key) as client,
    ):
        stored = client.requests.upload_measure(request_id, measure)
    assert stored.bytes == 19_200_128
    np.testing.assert_array_equal(
        np.load(io.BytesIO(buyer.get(f"/v1/requests/{request_id}/measure").content)), measure.points
    )
    # Only bytes in flight when a connection broke were sent twice.
    assert sum(cutter.sent.values()) < 19_200_128 + 2 * 3 * 2**20
