"""The store of arrays on the local disk."""

import hashlib
import os
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest

from app.arrays.parts import RETENTION_SECONDS
from app.arrays.problems import StorageDamaged
from app.arrays.store import ArrayStore

WRITES_FOR_EVER = """
import sys, time
from pathlib import Path
from app.arrays.store import ArrayStore
with ArrayStore(Path(sys.argv[1])).incoming() as file:
    file.write_bytes(b"half an arr")
    print(flush=True)
    time.sleep(600)
"""

FILES_OF_A_THOUSAND_BYTES = """
import resource, sys
from pathlib import Path
from app.arrays.problems import StorageFull
from app.arrays.store import ArrayStore
store = ArrayStore(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    with store.incoming() as file:
        file.write_bytes(bytes(1001))
except StorageFull as error:
    print(error.detail)
"""


@pytest.fixture
def store(tmp_path: Path) -> ArrayStore:
    return ArrayStore(tmp_path)


def files(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def test_bytes_are_found_under_their_sha_256(store: ArrayStore, tmp_path: Path) -> None:
    digest = store.put_bytes(b"abc")
    # FIPS 180-2, appendix B.1.
    assert digest == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert b"".join(store.stream(digest)) == b"abc"
    assert store.local_path(digest).read_bytes() == b"abc"
    assert files(tmp_path) == [f"sha256/{digest[:2]}/{digest[2:]}"]


def test_equal_bytes_are_stored_once(store: ArrayStore, tmp_path: Path) -> None:
    assert store.put_bytes(b"abc") == store.put_bytes(b"abc")
    assert len(files(tmp_path)) == 1


def test_a_file_that_is_not_stored_is_removed(store: ArrayStore, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), store.incoming() as file:
        file.write_bytes(b"half an arr")
        raise RuntimeError
    assert files(tmp_path) == []


def test_missing_bytes_are_reported_as_missing(store: ArrayStore) -> None:
    digest = hashlib.sha256(b"never kept").hexdigest()
    for read in (store.stream, store.local_path):
        with pytest.raises(StorageDamaged, match=digest):
            read(digest)


def test_bytes_changed_on_disk_are_damaged_until_uploaded_again(
    store: ArrayStore,
) -> None:
    digest = store.put_bytes(b"abc")
    place = store.local_path(digest)
    place.write_bytes(b"abcd")
    with pytest.raises(StorageDamaged, match=hashlib.sha256(b"abcd").hexdigest()):
        store.local_path(digest)
    store.put_bytes(b"abc")
    assert store.local_path(digest).read_bytes() == b"abc"


@pytest.mark.parametrize("digest", ["", "../../etc/passwd", "AB" * 32, "ab" * 31, "ab" * 33])
def test_only_a_digest_is_a_path_in_the_store(store: ArrayStore, digest: str) -> None:
    with pytest.raises(ValueError, match="SHA-256"):
        store.local_path(digest)


def test_files_of_a_killed_process_are_removed_and_not_those_being_written(
    store: ArrayStore, tmp_path: Path
) -> None:
    killed = subprocess.Popen(
        [sys.executable, "-c", WRITES_FOR_EVER, tmp_path], stdout=subprocess.PIPE
    )
    assert killed.stdout is not None
    killed.stdout.readline()

    with store.incoming() as ours:
        ours.write_bytes(b"half an arr")
        store.remove_abandoned()
        assert len(files(tmp_path)) == 2
        killed.kill()
        killed.communicate()
        store.remove_abandoned()
        assert files(tmp_path) == [f"incoming/{ours.name}"]


def test_a_partial_body_is_removed_a_day_after_its_last_part(
    store: ArrayStore, tmp_path: Path
) -> None:
    left = [tmp_path / "partial" / name for name in ("a", "b")]
    for file in left:
        file.write_bytes(b"half an arr")
    then = time.time() - RETENTION_SECONDS - 60
    os.utime(left[0], (then, then))
    store.remove_abandoned()
    assert files(tmp_path) == ["partial/b"]


def test_bytes_for_which_there_is_no_room_are_refused_and_leave_no_file(
    store: ArrayStore, tmp_path: Path
) -> None:
    run = [sys.executable, "-c", FILES_OF_A_THOUSAND_BYTES, str(tmp_path)]
    ended = subprocess.run(run, capture_output=True, text=True, check=True)
    assert ended.stdout.startswith("The disk that stores arrays is full; nothing was stored.")
    assert files(tmp_path) == []


def test_other_users_of_the_machine_cannot_read_the_store(tmp_path: Path) -> None:
    ArrayStore(tmp_path / "data" / "arrays")
    assert (tmp_path / "data" / "arrays").stat().st_mode & 0o077 == 0


def age(store: ArrayStore, digest: str, by: timedelta) -> None:
    then = time.time() - by.total_seconds()
    os.utime(store.local_path(digest), (then, then))


def test_old_bytes_that_nothing_refers_to_are_removed_and_no_others(
    store: ArrayStore, tmp_path: Path
) -> None:
    used, unused, young = (store.put_bytes(content) for content in (b"used", b"unused", b"young"))
    for digest in (used, unused):
        age(store, digest, timedelta(days=8))
    assert store.remove_unreferenced(lambda: {used}, timedelta(days=7)) == 1
    assert files(tmp_path) == sorted(f"sha256/{each[:2]}/{each[2:]}" for each in (used, young))
    assert store.remove_unreferenced(lambda: {used}, timedelta(days=7)) == 0


def test_bytes_uploaded_again_during_a_removal_stay(store: ArrayStore) -> None:
    digest = store.put_bytes(b"again")
    age(store, digest, timedelta(days=8))

    def upload_meanwhile() -> set[str]:
        store.put_bytes(b"again")
        return set()

    assert store.remove_unreferenced(upload_meanwhile, timedelta(days=7)) == 0
    assert store.local_path(digest).read_bytes() == b"again"
