"""Invalid uploads of arrays are refused with what was wrong, and leave nothing."""

import itertools
import socket
import time
from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np
import pytest

from tests.app.arrays.digest import digest_of
from tests.app.arrays.test_npy import HOSTILE
from tests.app.conftest import Party, Service
from tests.app.requests.market import POINTS, footprint, npy, put, refused
from tests.conftest import ON_SQLITE


@pytest.fixture
def nothing_changes(service: Service, path: str) -> Iterator[None]:
    """Check that the test's refused calls change no row and no file."""
    before = footprint(service)
    yield
    assert footprint(service) == before


@ON_SQLITE
@pytest.mark.usefixtures("nothing_changes")
def test_hostile_bytes_are_refused_and_leave_nothing(
    buyer: Party, path: str, subtests: pytest.Subtests
) -> None:
    for name, content in HOSTILE.items():
        with subtests.test(name):
            refused(put(buyer, path, content), 422, "malformed-array")


@ON_SQLITE
@pytest.mark.usefixtures("nothing_changes")
def test_a_coordinate_that_is_no_number_is_named_by_row_and_column(
    buyer: Party, path: str, subtests: pytest.Subtests
) -> None:
    orders: tuple[Literal["C", "F"], ...] = ("C", "F")
    for value, dtype, order in itertools.product([np.nan, np.inf, -np.inf], ["<f4", "<f8"], orders):
        with subtests.test(value=value, dtype=dtype, order=order):
            array = np.zeros((90_000, 7), dtype=dtype, order=order)
            array[70_001, 5] = value
            body = refused(put(buyer, path, array), 422, "invalid-entry")
            assert body["index"] == [70_001, 5]
            assert body["received"] == str(value)
            assert "row 70001, column 5" in body["detail"]


@ON_SQLITE
def test_coordinates_are_limited_so_that_sums_of_squares_are_finite(
    buyer: Party, path: str
) -> None:
    for dtype, largest in (("<f4", np.finfo("<f4").max), ("<f8", 1e75)):
        assert put(buyer, path, np.full((2, 2), largest, dtype=dtype)).is_success
    refused(put(buyer, path, np.full((2, 2), 1.1e75)), 422, "invalid-entry")


@ON_SQLITE
@pytest.mark.usefixtures("nothing_changes")
def test_weights_that_are_no_probabilities_are_refused(
    buyer: Party, path: str, subtests: pytest.Subtests
) -> None:
    for weights, slug, received in (
        ([0.5, 0.5, -1e-12], "invalid-entry", "-1e-12"),
        ([0.5, 0.5, np.nan], "invalid-entry", "nan"),
        ([0.0, 0.0, 0.0], "invalid-weights", 0.0),
        ([0.5, 0.5, 1e-8], "invalid-weights", 1.00000001),
        ([1.0, 1.0, 1.0], "invalid-weights", 3.0),
    ):
        with subtests.test(weights=weights):
            array = np.column_stack([POINTS, weights])
            body = refused(put(buyer, path, array, weights="last_column"), 422, slug)
            assert body["received"] == received
            assert body.get("index") == ([2, 2] if slug == "invalid-entry" else None)


@ON_SQLITE
@pytest.mark.usefixtures("nothing_changes")
def test_json_that_is_no_array_is_refused(
    buyer: Party, path: str, subtests: pytest.Subtests
) -> None:
    for content, slug, words in (
        (b"", "malformed-array", "points"),
        (b"{", "malformed-array", "points"),
        (b"[[1, 2]]", "malformed-array", "points"),
        (b'{"costs": [[1, 2]]}', "malformed-array", "points"),
        (b'{"points": [[1, 2]], "color": 1}', "malformed-array", "color"),
        (b'{"points": [[1, "2"]]}', "malformed-array", "points/0/1"),
        (b'{"points": [[1, true]]}', "malformed-array", "points/0/1"),
        (b'{"points": [[1, null]]}', "malformed-array", "points/0/1"),
        (b'{"points": [[1, 2], [3]]}', "wrong-shape", "received 1 in row 1"),
        (b'{"points": []}', "wrong-shape", "at least one row"),
        (b'{"points": [[]]}', "wrong-shape", "at least one row"),
        (b'{"points": [[1, 2]], "weights": [0.5, 0.5]}', "wrong-shape", "one weight per row"),
        (b'{"points": [[1, 2]], "weights": [0.5]}', "invalid-weights", "received a sum of 0.5"),
        (b'{"points": [[1, NaN]]}', "invalid-entry", "row 0, column 1"),
        (b'{"points": [[1, 1e999]]}', "invalid-entry", "row 0, column 1"),
        (b'{"points": ' + b"[" * 5000 + b"]" * 5000 + b"}", "malformed-array", "points"),
        (b'{"points": [["\xff"]]}', "malformed-array", "points"),
    ):
        with subtests.test(content=content[:40]):
            response = put(buyer, path, content, media_type="application/json")
            assert words in refused(response, 422, slug)["detail"]


@ON_SQLITE
@pytest.mark.usefixtures("nothing_changes")
def test_a_body_that_changed_on_the_way_is_refused(buyer: Party, path: str) -> None:
    body = refused(
        put(buyer, path, POINTS, Content_Digest=digest_of(b"another")), 422, "digest-mismatch"
    )
    assert body["expected"] == digest_of(b"another")
    assert body["received"] == digest_of(npy(POINTS))


@ON_SQLITE
@pytest.mark.usefixtures("nothing_changes")
def test_a_digest_that_cannot_be_verified_is_refused(
    buyer: Party, path: str, subtests: pytest.Subtests
) -> None:
    fields = ("sha-256=:!!:", "sha-256=abc", "md5=:AAAA:", "sha-256=:AAAA:", "garbage", "")
    digest = digest_of(npy(POINTS))
    malformed = (f"md5=:!!:, {digest}", f"{digest},", digest.replace("sha", "SHA"))
    for field in fields + malformed:
        with subtests.test(field):
            refused(put(buyer, path, POINTS, Content_Digest=field), 422, "digest-mismatch")


@ON_SQLITE
@pytest.mark.usefixtures("nothing_changes")
def test_another_media_type_is_refused_with_those_that_are_read(
    buyer: Party, path: str, subtests: pytest.Subtests
) -> None:
    for media_type in ("", "application/octet-stream", "application/zip", "text/csv"):
        with subtests.test(media_type):
            response = put(buyer, path, POINTS, media_type=media_type)
            body = refused(response, 415, "unsupported-media-type")
            assert body["supported"] == ["application/x-npy", "application/json"]


@ON_SQLITE
@pytest.mark.usefixtures("nothing_changes")
def test_a_compressed_body_is_refused(buyer: Party, path: str, subtests: pytest.Subtests) -> None:
    for coding in ("gzip", "zstd", "gzip, identity"):
        with subtests.test(coding):
            response = put(buyer, path, POINTS, Content_Encoding=coding)
            assert refused(response, 415, "unsupported-media-type")["received"] == coding


@ON_SQLITE
@pytest.mark.usefixtures("nothing_changes")
def test_json_above_its_limit_is_refused_with_what_to_do(
    buyer: Party, path: str, service: Service
) -> None:
    limit = service.settings.max_json_bytes
    content = b'{"points": [[0.0, 1.0]]' + b" " * limit + b"}"
    body = refused(put(buyer, path, content, media_type="application/json"), 413, "body-too-large")
    assert body["expected"] == limit
    assert "application/x-npy" in body["detail"]


@ON_SQLITE
@pytest.mark.usefixtures("nothing_changes")
def test_a_declared_length_above_the_limit_is_refused_before_the_body_arrives(
    buyer: Party, path: str, service: Service
) -> None:
    received = service.settings.max_upload_bytes + 1
    with connection(service, buyer, path, f"Content-Length: {received}") as raw:
        raw.sendall(b"\x93NUMPY")
        head = raw.recv(4096)
    assert head.startswith(b"HTTP/1.1 413 ")


@ON_SQLITE
@pytest.mark.usefixtures("nothing_changes")
def test_a_body_without_a_length_is_counted_as_it_arrives(
    buyer: Party, path: str, service: Service
) -> None:
    def endless() -> Iterator[bytes]:
        yield b'{"points": [['
        for _ in range(64):
            yield b"0.0," * 2**14

    response = buyer.put(path, content=endless(), headers={"Content-Type": "application/json"})
    body = refused(response, 413, "body-too-large")
    assert body["received"] > body["expected"] == service.settings.max_json_bytes


@ON_SQLITE
@pytest.mark.usefixtures("nothing_changes")
def test_another_dimension_or_too_many_points_are_refused(
    buyer: Party, path: str, subtests: pytest.Subtests
) -> None:
    for array, weights, expected, received in (
        (np.zeros((3, 3)), "uniform", 2, 3),
        (np.zeros((3, 1)), "uniform", 2, 1),
        (np.full((3, 2), 1 / 3), "last_column", 2, 1),
        (np.full((1, 1), 1.0), "last_column", "at least 2 columns", 1),
        (np.zeros((100_001, 1)), "uniform", 100_000, 100_001),
        (np.zeros((1, 65_537)), "uniform", 65_536, 65_537),
    ):
        with subtests.test(shape=array.shape, weights=weights):
            body = refused(put(buyer, path, array, weights=weights), 422, "wrong-shape")
            assert (body["expected"], body["received"]) == (expected, received)


@ON_SQLITE
def test_a_client_that_disconnects_leaves_no_file(
    buyer: Party, path: str, service: Service
) -> None:
    before = footprint(service)
    incoming = service.settings.data_folder / "arrays" / "incoming"
    content = npy(np.zeros((200_000, 2)))
    left_by_killed_processes = set(incoming.iterdir())
    with connection(service, buyer, path, f"Content-Length: {len(content)}") as raw:
        raw.sendall(content[: len(content) // 2])
        wait_until(lambda: not set(incoming.iterdir()) <= left_by_killed_processes)
    wait_until(lambda: set(incoming.iterdir()) <= left_by_killed_processes)
    assert footprint(service) == before
    assert put(buyer, path, POINTS).status_code == 201


def connection(service: Service, party: Party, path: str, *fields: str) -> socket.socket:
    """A raw connection, which can stop in the middle of a body."""
    host, port = service.url.removeprefix("http://").split(":")
    raw = socket.create_connection((host, int(port)), timeout=60)
    head = (
        f"PUT {path} HTTP/1.1",
        f"Host: {host}",
        f"Authorization: Bearer {party.key}",
        "Content-Type: application/x-npy",
        *fields,
        "",
        "",
    )
    raw.sendall("\r\n".join(head).encode())
    return raw


def wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline, "it did not come true within 60 s"
        time.sleep(0.01)
