"""A bucket that refuses, fails, is slow or silent: how long calls are retried, and which error."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.arrays import bucket
from app.arrays.bucket import Bucket
from app.arrays.problems import StorageUnavailable
from app.arrays.store import ArrayStore
from app.arrays.store_probe import StoreProbe
from tests.object_store import ObjectStore
from tests.relay import Relay, run_relay

MORE_THAN_A_CLIENT_RETRIES_BY_ITSELF = 11


class Refusing(Relay):
    """Responds with an error in place of the store, to the next `left` pieces."""

    def __init__(self, address: str, status: str, code: str, left: int) -> None:
        super().__init__(address)
        body = f"<Error><Code>{code}</Code></Error>"
        self._response = (
            f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}"
        )
        self.left = left

    def look(self, line: socket.socket, piece: bytes) -> None:
        if self.left:
            self.left -= 1
            line.sendall(self._response.encode())
            raise ConnectionAbortedError


class Slow(Relay):
    """Delays every piece of a request."""

    def look(self, line: socket.socket, piece: bytes) -> None:
        time.sleep(0.3)


@pytest.fixture
def digest(address: str, tmp_path: Path) -> str:
    return ArrayStore(tmp_path / "elsewhere", Bucket(address, 10)).put_bytes(b"an array")


@pytest.fixture(autouse=True)
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bucket, "LONGEST_PAUSE_SECONDS", 0.1)


@pytest.fixture
def through(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Relay], Relay]]:
    """Put a relay between the store and its clients."""
    started = []

    def put(relay: Relay) -> Relay:
        running = run_relay(relay)
        started.append(running)
        monkeypatch.setenv("AWS_ENDPOINT_URL", running.__enter__().address)
        return relay

    yield put
    for running in started:
        running.__exit__(None, None, None)


def test_errors_of_the_store_are_outlived_until_the_time_limit(
    buckets: ObjectStore,
    address: str,
    digest: str,
    tmp_path: Path,
    through: Callable[[Relay], Relay],
) -> None:
    failing = Refusing(
        buckets.address, "500 Oops", "InternalError", MORE_THAN_A_CLIENT_RETRIES_BY_ITSELF
    )
    through(failing)

    path = ArrayStore(tmp_path, Bucket(address, 60)).local_path(digest)

    assert path.read_bytes() == b"an array"
    assert failing.left == 0


def test_a_closed_port_is_tried_until_it_opens(
    buckets: ObjectStore,
    address: str,
    digest: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
    opened = threading.Event()

    def open_later() -> None:
        time.sleep(2)  # longer than the tries and pauses of a client by itself
        with run_relay(Relay(buckets.address, port)):
            opened.wait(60)

    thread = threading.Thread(target=open_later)
    thread.start()
    try:
        path = ArrayStore(tmp_path, Bucket(address, 60)).local_path(digest)
    finally:
        opened.set()
        thread.join()

    assert path.read_bytes() == b"an array"


def test_a_slow_store_is_not_given_up_while_bytes_arrive(
    buckets: ObjectStore,
    address: str,
    digest: str,
    tmp_path: Path,
    through: Callable[[Relay], Relay],
) -> None:
    through(Slow(buckets.address))

    path = ArrayStore(tmp_path, Bucket(address, retry_seconds=1)).local_path(digest)

    assert path.read_bytes() == b"an array"


def test_refused_credentials_are_reported_as_that_at_once(
    buckets: ObjectStore, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del buckets
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "guessed")
    store = ArrayStore(tmp_path, Bucket(address, retry_seconds=120))

    for ask in (store.check, lambda: store.put_bytes(b"an array")):
        with pytest.raises(StorageUnavailable) as refused:
            ask()
        assert "refuses the service's credentials (SignatureDoesNotMatch)" in refused.value.cause
        assert "guessed" not in refused.value.cause


@pytest.mark.parametrize(
    ("status", "code", "said"),
    [
        ("500 Oops", "InternalError", "responds with an error (InternalError)"),
        ("403 Forbidden", "RequestTimeTooSkewed", "credentials (RequestTimeTooSkewed)"),
        ("404 Not Found", "NoSuchBucket", "bucket does not exist"),
    ],
)
def test_a_probe_tells_what_is_wrong_with_the_store(
    status: str,
    code: str,
    said: str,
    buckets: ObjectStore,
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    through: Callable[[Relay], Relay],
) -> None:
    monkeypatch.setattr(bucket, "PROBE_SECONDS", 0.3)
    refusing = Refusing(buckets.address, status, code, -1)
    through(refusing)
    probe = StoreProbe(ArrayStore(tmp_path, Bucket(address, 10)).check)

    first, second = probe.cause(), probe.cause()

    assert first is not None
    assert said in first
    assert second == first


def test_a_probe_of_a_silent_store_ends_by_itself(
    buckets: ObjectStore,
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    through: Callable[[Relay], Relay],
) -> None:
    monkeypatch.setattr(bucket, "PROBE_SECONDS", 0.3)
    through(Relay(buckets.address)).silent = True

    cause = StoreProbe(ArrayStore(tmp_path, Bucket(address, 10)).check).cause()

    assert cause is not None
    assert "does not respond" in cause


def test_a_responding_store_has_nothing_wrong(address: str, tmp_path: Path) -> None:
    assert StoreProbe(ArrayStore(tmp_path, Bucket(address, 10)).check).cause() is None
