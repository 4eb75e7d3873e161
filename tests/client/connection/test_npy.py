"""Arrays as they are sent, which numpy's own reader can read."""

import base64
import hashlib
import io
import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.typing import NDArray

from tests.client.answers import later, problem, request, stored
from tests.client.conftest import Answer, Received, ScriptedServer
from wassay import Client, Measure, TransportError
from wassay.client import (
    IntegrityError,
    InvalidArgumentError,
    TooLargeError,
    UnexpectedResponseError,
)
from wassay.client.connection.npy import ArrayBody, read_measure

Matrix = NDArray[np.float64]


def uniform(count: int) -> Matrix:
    return np.full(count, 1 / count)


def saved(array: NDArray[Any]) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


finite = st.floats(-1e300, 1e300).filter(lambda each: each == 0 or abs(each) > 1e-140)
matrices = arrays(np.float64, array_shapes(min_dims=2, max_dims=2, max_side=7), elements=finite)


@given(matrices)
def test_uniform_points_are_written_as_numpy_writes_them(points: Matrix) -> None:
    body = ArrayBody(points, uniform(len(points)))
    assert not body.weighted
    assert b"".join(body) == saved(points)


@given(matrices, st.randoms(use_true_random=False))
def test_other_weights_are_the_last_column(points: Matrix, random: Any) -> None:
    weights = np.array([random.random() + 1e-3 for _ in points])
    weights /= weights.sum()
    body = ArrayBody(points, weights)
    if body.weighted:
        loaded = np.load(io.BytesIO(b"".join(body)))
        np.testing.assert_array_equal(loaded, np.column_stack((points, weights)))


@pytest.mark.parametrize("weighted", [False, True])
def test_length_and_digest_are_those_of_the_bytes_each_time_they_are_read(weighted: bool) -> None:
    random = np.random.default_rng(5)
    points = random.normal(size=(3000, 150))
    weights = random.dirichlet(np.ones(3000)) if weighted else uniform(3000)
    body = ArrayBody(points, weights)
    pieces = list(body)
    assert len(pieces) > 3
    for content in (b"".join(pieces), b"".join(body)):
        assert len(content) == body.length
        assert hashlib.sha256(content).digest() == body.digest


@pytest.mark.parametrize("weighted", [False, True])
def test_parts_are_those_bytes_of_the_whole(weighted: bool) -> None:
    random = np.random.default_rng(5)
    points = random.normal(size=(3000, 150))
    weights = random.dirichlet(np.ones(3000)) if weighted else uniform(3000)
    body = ArrayBody(points, weights)
    whole = b"".join(body)
    edges = [0, 1, 100, 127, 128, 129, 128 + 8 * 150, 10**6, 2**20, 2 * 2**20 + 5, len(whole)]
    for start, end in itertools.combinations(edges, 2):
        assert b"".join(body.between(start, end)) == whole[start:end]


def test_columns_first_arrays_and_integers_are_written_as_rows_of_floats() -> None:
    points = np.asfortranarray(np.arange(12).reshape(3, 4))
    loaded = np.load(io.BytesIO(b"".join(ArrayBody(points, uniform(3)))))
    assert loaded.dtype == np.float64
    np.testing.assert_array_equal(loaded, points)


@given(matrices)
def test_a_measure_is_read_as_it_was_written(points: Matrix) -> None:
    np.testing.assert_array_equal(read_measure(saved(points), weighted=False).points, points)


def test_single_floats_and_columns_first_are_read() -> None:
    points = np.asfortranarray([[1.5, 2.5, -3.0], [0.25, 4.0, 8.0]], dtype=np.float32)
    np.testing.assert_array_equal(read_measure(saved(points), weighted=False).points, points)


def test_weights_are_read_from_the_last_column() -> None:
    measure = read_measure(saved(np.array([[5.0, 0.25], [7.0, 0.75]])), weighted=True)
    np.testing.assert_array_equal(measure.points, [[5.0], [7.0]])
    np.testing.assert_array_equal(measure.weights, [0.25, 0.75])


def declared(shape: str, descr: str = "<f8") -> bytes:
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}}}"
    text += " " * (118 - len(text) - 1) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        saved(np.zeros(3)),
        saved(np.zeros((3, 2), dtype=">f8")),
        saved(np.zeros((3, 2), dtype=complex)),
        saved(np.zeros((3, 2), dtype=np.int64)),
        saved(np.zeros((3, 2))) + b"x",
        saved(np.zeros((3, 2)))[:-1],
        declared("(65536, 65536)"),
        declared("(3, 2)", "|O"),
        declared("(1000000000000, 1)", "|V0"),
        b"\x93NUMPY\x03\x00" + bytes(200),
    ],
)
def test_bytes_that_are_not_a_matrix_of_floats_are_refused(content: bytes) -> None:
    with pytest.raises(UnexpectedResponseError):
        read_measure(content, weighted=False)


def digest_of(received: Received) -> str:
    return hashlib.sha256(received.body).hexdigest()


def test_an_upload_is_repeated_whole_and_names_its_digest(
    client: Client, server: ScriptedServer
) -> None:
    measure = Measure(np.random.default_rng(1).normal(size=(40_000, 5)))
    server.script = [
        later(503),
        lambda received: Answer(201, stored(digest_of(received))),
    ]
    client.requests.upload_measure("req_1", measure)
    first, second = server.received
    assert first.body == second.body == saved(measure.points)
    assert second.target == "/v1/requests/req_1/measure?weights=uniform"
    assert second.headers["Content-Type"] == "application/x-npy"
    expected = base64.b64encode(hashlib.sha256(second.body).digest()).decode()
    assert second.headers["Content-Digest"] == f"sha-256=:{expected}:"


def test_of_a_large_upload_what_arrived_is_not_sent_again(
    client: Client, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wassay.client.array_uploads.RESUMED_FROM_BYTES", 4000)
    points = np.random.default_rng(6).normal(size=(500, 2))
    whole = saved(points)
    digest = hashlib.sha256(whole)
    # Six broken connections exceed the limit of retries, which counts only those without progress.
    arrived = [1000, 1001, 5000, 5000, 7000, len(whole)]
    for received in arrived:
        server.script += [Answer(None), Answer(202, {"received": received, "bytes": len(whole)})]
    server.script.append(Answer(201, stored(digest.hexdigest(), rows=500)))

    client.requests.upload_measure("req_1", Measure(points))

    sent, asked = server.received[::2], server.received[1::2]
    # If all bytes arrived without a response, the last byte is sent again to get one.
    begins = [0, *arrived[:-1], len(whole) - 1]
    assert [call.body for call in sent] == [whole[start:] for start in begins]
    assert [call.headers["Content-Range"] for call in sent] == [
        f"bytes {start}-{len(whole) - 1}/{len(whole)}" for start in begins
    ]
    assert {(call.headers["Content-Range"], call.body) for call in asked} == {
        (f"bytes */{len(whole)}", b"")
    }
    promised = f"sha-256=:{base64.b64encode(digest.digest()).decode()}:"
    assert {call.headers["Repr-Digest"] for call in server.received} == {promised}


PROXYS_WORDS = b"<html><center>413 Request Entity Too Large</center><hr>nginx</html>"


class Proxy:
    """A proxy that refuses bodies over a limit, with the service behind it."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.here = b""
        self.sizes: list[int] = []

    def __call__(self, received: Received) -> Answer:
        self.sizes.append(len(received.body))
        if len(received.body) > self.limit:
            return Answer(413, PROXYS_WORDS, {"Content-Type": "text/html"})
        if "Content-Range" not in received.headers:
            return Answer(201, stored(digest_of(received)))
        span, _, total = received.headers["Content-Range"].removeprefix("bytes ").partition("/")
        assert span.partition("-")[0] == str(len(self.here))
        self.here += received.body
        if len(self.here) < int(total):
            return Answer(202, {"received": len(self.here), "bytes": int(total)})
        whole, self.here = self.here, b""
        return Answer(201, stored(hashlib.sha256(whole).hexdigest()))


def test_behind_a_proxy_with_a_limit_an_array_goes_in_parts_that_pass(
    client: Client, server: ScriptedServer
) -> None:
    points = np.random.default_rng(6).normal(size=(80_000, 5))  # 3,200,128 bytes
    proxy = Proxy(2**20)
    server.script = [proxy] * 11
    client.requests.upload_measure("req_1", Measure(points))
    client.requests.upload_measure("req_1", Measure(points))
    client.requests.upload_measure("req_1", Measure(points[:1000]))
    whole, mib = 3_200_128, 2**20
    first = [
        whole,
        mib,
        2 * mib,
        mib,
        mib,
        whole - 3 * mib,
    ]  # refused, accepted, refused, then accepted
    later = [mib, mib, mib, whole - 3 * mib]  # the accepted size is remembered
    assert proxy.sizes == [*first, *later, 40_128]


def test_behind_a_narrower_proxy_parts_are_halved_until_they_pass(
    client: Client, server: ScriptedServer
) -> None:
    proxy = Proxy(300_000)
    server.script = [proxy] * 6
    points = np.random.default_rng(6).normal(size=(20_000, 5))  # 800,128 bytes
    client.requests.upload_measure("req_1", Measure(points))
    assert proxy.sizes == [800_128, 400_064, *4 * [200_032]]


def test_a_proxy_that_lets_nothing_pass_is_named_with_what_to_set(
    client: Client, server: ScriptedServer
) -> None:
    proxy = Proxy(0)
    server.script = [proxy] * 6
    points = np.random.default_rng(6).normal(size=(80_000, 5))
    with pytest.raises(TooLargeError, match=r"proxy.*client_max_body_size"):
        client.requests.upload_measure("req_1", Measure(points))
    assert proxy.sizes == [3_200_128, *(2**power for power in (20, 19, 18, 17, 16))]


def test_what_the_service_itself_finds_too_large_is_not_sent_in_parts(
    client: Client, server: ScriptedServer
) -> None:
    server.script = [problem(413, "body-too-large")]
    with pytest.raises(TooLargeError, match=r"Expected this, received that"):
        client.requests.upload_measure("req_1", Measure(np.zeros((40_000, 5))))


def test_when_nothing_of_a_large_array_arrives_the_next_try_is_a_small_one(
    client: Client, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A proxy that refused it may have closed before its answer was read.
    monkeypatch.setattr("wassay.client.array_uploads.RESUMED_FROM_BYTES", 2**20)
    points = np.random.default_rng(6).normal(size=(80_000, 5))
    proxy = Proxy(2**40)
    nothing = Answer(202, {"received": 0, "bytes": 3_200_128})
    server.script = [Answer(None), nothing, proxy, proxy, proxy]
    client.requests.upload_measure("req_1", Measure(points))
    assert proxy.sizes == [2**20, 2 * 2**20, 3_200_128 - 3 * 2**20]


def test_an_upload_with_weights_says_so(client: Client, server: ScriptedServer) -> None:
    server.script = [lambda received: Answer(201, stored(digest_of(received)))]
    client.requests.upload_measure("req_1", Measure([[1.0], [2.0]], [0.25, 0.75]))
    assert server.received[0].target.endswith("?weights=last_column")
    assert server.received[0].body == saved(np.array([[1.0, 0.25], [2.0, 0.75]]))


def test_an_upload_that_arrived_otherwise_than_it_left_is_noticed(
    client: Client, server: ScriptedServer
) -> None:
    server.script = [Answer(201, stored("0" * 64))]
    with pytest.raises(IntegrityError, match="Upload it again"):
        client.requests.upload_measure("req_1", Measure([[1.0], [2.0]]))


def test_a_download_that_is_not_what_the_request_holds_is_noticed(
    client: Client, server: ScriptedServer
) -> None:
    sent = saved(np.zeros((3, 2)))
    promised = stored(hashlib.sha256(saved(np.ones((3, 2)))).hexdigest())
    server.script = [Answer(200, request(measure=promised)), Answer(200, sent)]
    with pytest.raises(IntegrityError, match="Download it again"):
        client.requests.measure("req_1")


def test_a_request_without_a_measure_has_none_to_download(
    client: Client, server: ScriptedServer
) -> None:
    server.script = [Answer(200, request())]
    with pytest.raises(InvalidArgumentError, match="no measure yet"):
        client.requests.measure("req_1")


def test_masked_arrays_are_not_sent() -> None:
    masked = np.ma.array([[1.0, -9999.0]], mask=[[False, True]])
    with pytest.raises(TransportError, match="masked entry at index 0, 1"):
        ArrayBody(masked, uniform(1))
