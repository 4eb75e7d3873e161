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


def test_the_same_bytes_are_kept_once(store: ArrayStore, tmp_path: Path) -> None:
    assert store.put_bytes(b"abc") == store.put_bytes(b"abc")
    assert len(files(tmp_path)) == 1


def test_what_is_not_kept_is_removed(store: ArrayStore, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), store.incoming() as file:
        file.write_bytes(b"half an arr")
        raise RuntimeError
    assert files(tmp_path) == []


def test_what_is_not_there_is_said_to_be_gone(store: ArrayStore) -> None:
    digest = hashlib.sha256(b"never kept").hexdigest()
    for read in (store.stream, store.local_path):
        with pytest.raises(StorageDamaged, match=digest):
            read(digest)


def test_what_was_changed_on_the_disk_is_said_to_be_damaged_until_it_comes_again(
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
def test_only_a_digest_names_a_place(store: ArrayStore, digest: str) -> None:
    with pytest.raises(ValueError, match="SHA-256"):
        store.local_path(digest)


def test_what_a_killed_process_left_is_removed_and_not_what_others_write(
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


def test_what_came_in_parts_is_removed_a_day_after_the_last(
    store: ArrayStore, tmp_path: Path
) -> None:
    left = [tmp_path / "partial" / name for name in ("a", "b")]
    for file in left:
        file.write_bytes(b"half an arr")
    then = time.time() - RETENTION_SECONDS - 60
    os.utime(left[0], (then, then))
    store.remove_abandoned()
    assert files(tmp_path) == ["partial/b"]


def test_a_stranger_on_the_machine_cannot_look_in(tmp_path: Path) -> None:
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


def test_bytes_that_come_again_while_others_are_removed_stay(store: ArrayStore) -> None:
    digest = store.put_bytes(b"again")
    age(store, digest, timedelta(days=8))

    def upload_meanwhile() -> set[str]:
        store.put_bytes(b"again")
        return set()

    assert store.remove_unreferenced(upload_meanwhile, timedelta(days=7)) == 0
    assert store.local_path(digest).read_bytes() == b"again"
