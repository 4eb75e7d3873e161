"""The store of arrays in a bucket: every machine reads what one machine has stored."""

import hashlib
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import obstore
import pytest
from obstore.store import S3Store

from app.arrays.bucket import RANGE_BYTES, Bucket
from app.arrays.bucket_copies import (
    COPY_RETENTION_SECONDS,
    USE_PRECISION_SECONDS,
    BucketCopies,
)
from app.arrays.opening import open_store
from app.arrays.problems import StorageDamaged, StorageUnavailable
from app.arrays.store import ArrayStore
from app.database import Database
from app.settings import Settings
from tests.object_store import SECRET, ObjectStore
from tests.relay import Relay, run_relay

RETRY_SECONDS = 10.0


def machine(folder: Path, address: str) -> ArrayStore:
    return ArrayStore(folder, Bucket(address, RETRY_SECONDS))


def copies(folder: Path) -> list[str]:
    return [file.parent.name + file.name for file in (folder / "sha256").glob("*/*")]


def objects(address: str) -> S3Store:
    return S3Store("wassay", prefix=address.removeprefix("s3://wassay/"))


def test_an_array_stored_by_one_machine_is_mapped_by_another(address: str, tmp_path: Path) -> None:
    here, there = (machine(tmp_path / name, address) for name in ("here", "there"))
    content = os.urandom(2 * RANGE_BYTES + 1)

    digest = here.put_bytes(content)

    assert copies(tmp_path / "here") == []
    assert b"".join(there.stream(digest)) == content
    assert copies(tmp_path / "there") == []
    assert there.local_path(digest).read_bytes() == content
    assert copies(tmp_path / "there") == [digest]
    assert not list((tmp_path / "there" / "incoming").iterdir())


def test_a_copy_unused_for_a_day_is_removed_and_fetched_again(address: str, tmp_path: Path) -> None:
    store = machine(tmp_path, address)
    old, used, new = (store.put_bytes(content) for content in (b"old", b"used", b"new"))
    for digest in (old, used):
        then = time.time() - COPY_RETENTION_SECONDS - 60
        os.utime(store.local_path(digest), (then, then))
    store.local_path(used)

    store.local_path(new)

    assert sorted(copies(tmp_path)) == sorted([used, new])
    assert store.local_path(old).read_bytes() == b"old"


def test_many_arrays_are_fetched_at_once_and_copies_listed_once(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = (machine(tmp_path / name, address) for name in ("here", "there"))
    contents = [bytes([place]) * 100 for place in range(30)]
    digests = [here.put_bytes(content) for content in contents]
    there.local_path(digests[0])
    then = time.time() - COPY_RETENTION_SECONDS - 60
    os.utime(there.local_path(there.put_bytes(b"old")), (then, then))
    listed = []
    remove_old = BucketCopies.remove_old

    def counted(self: BucketCopies) -> None:
        listed.append(self)
        remove_old(self)

    monkeypatch.setattr(BucketCopies, "remove_old", counted)
    with ThreadPoolExecutor(8) as threads:
        paths = there.local_paths(digests, threads)

    assert [path.read_bytes() for path in paths] == contents
    assert sorted(copies(tmp_path / "there")) == sorted(digests)
    assert len(listed) == 1


def test_an_array_that_is_missing_among_many_is_damage(address: str, tmp_path: Path) -> None:
    here, there = (machine(tmp_path / name, address) for name in ("here", "there"))
    stored = here.put_bytes(b"stored")
    missing = hashlib.sha256(b"never stored").hexdigest()

    with ThreadPoolExecutor(2) as threads, pytest.raises(StorageDamaged):
        there.local_paths([missing, stored], threads)

    assert copies(tmp_path / "there") == [stored]  # by the time of the error, all others have ended


def test_copies_beyond_the_limit_are_removed_the_least_recently_used_first(
    address: str, tmp_path: Path
) -> None:
    store = ArrayStore(tmp_path, Bucket(address, RETRY_SECONDS), copies_bytes=250)
    digests = [store.put_bytes(bytes([place]) * 100) for place in range(5)]
    for age, digest in enumerate(digests[:4]):
        then = time.time() - USE_PRECISION_SECONDS - 60 * (4 - age)
        os.utime(store.local_path(digest), (then, then))
    os.utime(store.local_path(digests[0]))  # used again just now

    store.local_path(digests[4])

    # The copies that were unused for longest were removed.
    assert sorted(copies(tmp_path)) == sorted([digests[0], digests[3], digests[4]])
    assert store.local_path(digests[1]).read_bytes() == bytes([1]) * 100


def test_copies_that_were_just_used_stay_beyond_the_limit(address: str, tmp_path: Path) -> None:
    store = ArrayStore(tmp_path, Bucket(address, RETRY_SECONDS), copies_bytes=250)
    digests = [store.put_bytes(bytes([place]) * 100) for place in range(4)]

    for digest in digests:
        store.local_path(digest)

    assert sorted(copies(tmp_path)) == sorted(digests)


def test_a_changed_copy_is_fetched_again(address: str, tmp_path: Path) -> None:
    store = machine(tmp_path, address)
    digest = store.put_bytes(b"abc")
    store.local_path(digest).write_bytes(b"abcd")

    assert store.local_path(digest).read_bytes() == b"abc"


def test_arrays_uploaded_before_the_bucket_are_not_removed_as_copies(
    address: str, database: Database, tmp_path: Path
) -> None:
    before = open_store(Settings(data_folder=tmp_path), database)
    digest = before.put_bytes(b"an upload")
    then = time.time() - COPY_RETENTION_SECONDS - 60
    os.utime(before.local_path(digest), (then, then))
    after = open_store(Settings(data_folder=tmp_path, arrays_url=address), database)

    after.local_path(after.put_bytes(b"another"))

    assert before.local_path(digest).read_bytes() == b"an upload"


def test_bytes_changed_in_the_bucket_are_rejected(address: str, tmp_path: Path) -> None:
    store = machine(tmp_path, address)
    digest = store.put_bytes(b"an array")
    obstore.put(objects(address), f"sha256/{digest[:2]}/{digest[2:]}", b"another!")

    with pytest.raises(StorageDamaged, match=digest):
        store.local_path(digest)

    assert copies(tmp_path) == []


def test_missing_bytes_are_reported_as_missing(address: str, tmp_path: Path) -> None:
    store = machine(tmp_path, address)
    digest = hashlib.sha256(b"never kept").hexdigest()
    for read in (store.stream, store.local_path):
        with pytest.raises(StorageDamaged, match=digest):
            read(digest)


def test_old_bytes_that_nothing_refers_to_are_removed_and_nothing_of_others(
    address: str, tmp_path: Path
) -> None:
    store = machine(tmp_path, address)
    used, unused, again = (store.put_bytes(content) for content in (b"used", b"unused", b"again"))
    for foreign in ("theirs", "sha256/theirs", "sha256/ab/theirs"):
        obstore.put(objects(address), foreign, b"not ours")
    assert store.remove_unreferenced(set, timedelta(days=7)) == 0

    def meanwhile() -> set[str]:
        time.sleep(1.1)  # times in a bucket are whole seconds
        store.put_bytes(b"again")
        return {used}

    assert store.remove_unreferenced(meanwhile, timedelta(0)) == 1

    with pytest.raises(StorageDamaged):
        store.local_path(unused)
    assert store.local_path(used).read_bytes() == b"used"
    assert store.local_path(again).read_bytes() == b"again"
    assert len([found for page in obstore.list(objects(address)) for found in page]) == 5


def test_an_equal_array_lost_by_the_bucket_during_an_upload_is_stored_again(
    address: str, tmp_path: Path
) -> None:
    store = machine(tmp_path, address)
    with store.incoming() as file:
        file.write_bytes(b"an array")
        digest = hashlib.sha256(b"an array").hexdigest()
        store.make_durable(file, digest)
        store.delete(digest)
        store.put(file, digest)

    assert b"".join(store.stream(digest)) == b"an array"


def test_deleted_bytes_leave_the_bucket_and_the_copies_of_every_machine(
    address: str, tmp_path: Path
) -> None:
    here, there = (machine(tmp_path / name, address) for name in ("here", "there"))
    digest, used = here.put_bytes(b"an array"), here.put_bytes(b"in use")
    copies = [store.local_path(digest) for store in (here, there)]

    here.delete(digest)
    here.delete(digest)

    assert [copy.exists() for copy in copies] == [False, True]
    with pytest.raises(StorageDamaged):
        here.local_path(digest)
    then = time.time() - 2 * 3600
    os.utime(copies[1], (then, then))
    there.local_path(used)
    there.remove_unreferenced(lambda: {used}, timedelta(days=7))
    assert not copies[1].exists()


@pytest.mark.parametrize(
    "changed", [{"AWS_SECRET_ACCESS_KEY": "guessed"}, {"AWS_ENDPOINT_URL": "http://127.0.0.1:9"}]
)
def test_a_store_that_refuses_or_is_down_is_unavailable_and_discloses_no_secret(
    changed: dict[str, str],
    address: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for name, value in changed.items():
        monkeypatch.setenv(name, value)
    store = ArrayStore(tmp_path, Bucket(address, retry_seconds=0.1))

    with pytest.raises(StorageUnavailable) as refused:
        store.put_bytes(b"an array")

    reported = f"{refused.value.body()} {refused.value.__cause__} {capfd.readouterr()}"
    assert not any(secret in reported for secret in (SECRET, "guessed"))


def test_a_request_without_a_response_from_the_store_is_retried(
    buckets: ObjectStore, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = machine(tmp_path, address).put_bytes(b"an array")
    with run_relay(Relay(buckets.address)) as store, ThreadPoolExecutor() as threads:
        monkeypatch.setenv("AWS_ENDPOINT_URL", store.address)
        arrays = ArrayStore(tmp_path, Bucket(address, retry_seconds=8))
        store.silent = True
        asking: list[Callable[[], object]] = [
            lambda: arrays.put_bytes(b"an array"),
            lambda: arrays.local_path(digest),
        ]
        asked = [threads.submit(ask) for ask in asking]
        while store.unanswered < len(asked):
            time.sleep(0.01)
        store.silent = False
        for each in asked:
            each.result()


def test_a_store_that_accepts_and_never_responds_is_unavailable(
    buckets: ObjectStore, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with run_relay(Relay(buckets.address)) as store:
        monkeypatch.setenv("AWS_ENDPOINT_URL", store.address)
        arrays = ArrayStore(tmp_path, Bucket(address, retry_seconds=0.2))
        store.silent = True
        digest = hashlib.sha256(b"an array").hexdigest()
        asking: list[Callable[[], object]] = [
            lambda: arrays.put_bytes(b"an array"),
            lambda: arrays.put_bytes(bytes(RANGE_BYTES)),
            lambda: arrays.stream(digest),
            lambda: arrays.local_path(digest),
            lambda: arrays.remove_unreferenced(set, timedelta(0)),
        ]
        for ask in asking:
            with pytest.raises(StorageUnavailable):
                ask()
        assert store.unanswered >= len(asking)
    assert copies(tmp_path) == []
    assert not list((tmp_path / "incoming").iterdir())
