"""Store arrays under their SHA-256 digests, on the local disk or in a bucket."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import secrets
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from .parts import PartialBodies
from .problems import StorageDamaged, StorageFull

if TYPE_CHECKING:
    from .bucket import Bucket

FOLDER = "sha256"
KEY = re.compile(rf"{FOLDER}/[0-9a-f]{{2}}/[0-9a-f]{{62}}")
STREAM_CHUNK_BYTES = 2**20
REMOVED_AFTER_SECONDS = 24 * 3600
"""How long a killed removal leaves its file."""
COPY_RETENTION_SECONDS = 24 * 3600
"""How long to retain the local copy of an object after its last use."""
USE_PRECISION_SECONDS = 600
"""Precision of the recorded last use of a copy; each recording verifies its bytes again."""
PROBE_BYTES = 2**20
NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class ArrayStore:
    """A content-addressed store: bytes under the SHA-256 digest that verifies them.

    An upload is written to a locked file in `incoming/`, then checked and hashed. `make_durable`,
    which may take long, flushes it to disk or to the bucket; `put` then moves it, atomically, to
    the path that its digest names, where it never changes again. Equal bytes are stored once.

    Parameters
    ----------
    folder
        The folder of the store; created if absent, accessible to the service's user only.
    bucket
        The bucket that stores the bytes; the folder then holds this machine's copies only.
    copies_bytes
        How many bytes of copies to keep; copies used within the last minutes stay in any case.

    Attributes
    ----------
    partial_bodies : PartialBodies
        Incomplete bodies on this machine.
    """

    def __init__(
        self, folder: Path, bucket: Bucket | None = None, copies_bytes: int | None = None
    ) -> None:
        self._folder = folder.absolute()
        self._bucket = bucket
        self._copies_bytes = copies_bytes
        self._incoming = self._folder / "incoming"
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._incoming.mkdir(exist_ok=True)
        self._removing = self._folder / "removing"
        self._removing.mkdir(exist_ok=True)
        self.partial_bodies = PartialBodies(self._folder / "partial")
        self._make_folders()

    def check(self) -> None:
        """Raise `StorageUnavailable` if there is a bucket and it does not respond in time."""
        if self._bucket is not None:
            self._bucket.check()

    def adopt(self) -> None:
        """Mark the bucket as this installation's, even if it is marked as another's."""
        if self._bucket is not None:
            self._bucket.adopt()

    def check_disk(self) -> None:
        """Raise `OSError` if no file of `PROBE_BYTES` can be written to the folder."""
        file = self._incoming / secrets.token_hex(16)
        lock = _create_locked(file)
        try:
            file.write_bytes(bytes(PROBE_BYTES))
            sync(file)
        finally:
            file.unlink(missing_ok=True)
            lock.close()

    def check_rights(self) -> None:
        """Raise `StorageUnavailable` unless this service may write, read, list and delete there."""
        if self._bucket is not None:
            self._bucket.check_rights()

    @contextmanager
    def incoming(self) -> Iterator[Path]:
        """Yield the path of a temporary file, and remove the file at the end unless it was moved.

        Raises
        ------
        StorageFull
            If the disk is full.
        """
        file = self._incoming / secrets.token_hex(16)
        lock = _create_locked(file)
        try:
            yield file
        except OSError as error:
            if error.errno in NO_SPACE:
                raise StorageFull(
                    "The disk that stores arrays is full; nothing was stored. Try again once the "
                    "operator has freed space."
                ) from error
            raise
        finally:
            file.unlink(missing_ok=True)
            lock.close()

    def make_durable(self, file: Path, digest: str) -> None:
        """Make an incoming file with this digest survive a power cut, as `put` requires.

        In a bucket, a file that is not `put` afterwards remains until garbage collection.

        Raises
        ------
        StorageUnavailable
            If the bucket does not accept it.
        """
        if self._bucket is None:
            sync(file)
        else:
            self._bucket.put(file, _key(digest))

    def put(self, file: Path, digest: str) -> None:
        """Store a durable incoming file under its digest.

        If there is a bucket, `make_durable` has put the file there already, unless an equal array
        was deleted meanwhile.
        """
        if self._bucket is None:
            path = self._path(digest)
            file.rename(path)
            sync(path.parent)
        elif not self._bucket.has(_key(digest)):
            self._bucket.put(file, _key(digest))

    def delete(self, digest: str) -> None:
        """Delete stored bytes and this machine's copy of them; do nothing if there are none.

        The caller holds the lock of the digest (`app.arrays.deletion`), and has checked that
        nothing refers to it.

        Raises
        ------
        StorageUnavailable
            If the bucket does not respond.
        """
        if self._bucket is not None:
            self._bucket.delete(_key(digest))
        path = self._path(digest)
        path.unlink(missing_ok=True)
        sync(path.parent)

    def put_bytes(self, content: bytes) -> str:
        """Store bytes and return their digest."""
        digest = hashlib.sha256(content).hexdigest()
        with self.incoming() as file:
            file.write_bytes(content)
            self.make_durable(file, digest)
            self.put(file, digest)
        return digest

    def stream(self, digest: str) -> Generator[bytes, None, None]:
        """Read stored bytes in chunks; close the generator unless it is exhausted.

        Raises
        ------
        StorageDamaged
            If the bytes are missing from the store.
        StorageUnavailable
            If the bucket does not respond.
        """
        with missing_as_damage(digest):
            if self._bucket is None:
                chunks = _chunks(self._path(digest).open("rb"))
                next(chunks)  # enters the `with`, so that closing the generator closes the file
                return chunks
            return self._bucket.read(_key(digest))

    def local_path(self, digest: str) -> Path:
        """Return the path of the bytes on the local disk, to be mapped into memory.

        With a bucket, fetch them first unless a copy is present. Each process verifies their digest
        once, and again if the file has changed.

        Raises
        ------
        StorageDamaged
            If the bytes are missing from the store, or do not match the digest.
        StorageUnavailable, StorageFull
            If they cannot be fetched.
        """
        path = self._path(digest)
        with missing_as_damage(digest):
            if self._bucket is None:
                if (received := _digest_of(path)) != digest:
                    raise StorageDamaged.changed(digest, received)
            elif self._use_copy(path) != digest:
                self._fetch(self._bucket, digest, path)
        return path

    def remove_unreferenced(self, referenced: Callable[[], set[str]], older_than: timedelta) -> int:
        """Remove the arrays that nothing refers to and that are old enough; return their number.

        Parameters
        ----------
        referenced
            Returns all digests in use. It is called after the old arrays are listed: an array that
            comes into use later is written again, and so is no longer old.
        older_than
            The minimum age of removed arrays.
        """
        if self._bucket is not None:
            self._remove_unused_copies(referenced)
            return _remove_from(self._bucket, referenced, datetime.now(UTC) - older_than)
        oldest = time.time() - older_than.total_seconds()
        old = [path for path in self._stored_files() if _is_older(path, oldest)]
        if not old:
            return 0
        in_use = referenced()
        unused = [path for path in old if path.parent.name + path.name not in in_use]
        return sum(self._remove(path, oldest) for path in unused)

    def remove_abandoned(self) -> None:
        """Remove the files that killed processes left, and bodies that got no part for a day.

        A process locks the files that it writes to, and the kernel unlocks those of a killed one.
        """
        for file in self._incoming.iterdir():
            _remove_unless_locked(file)
        oldest = time.time() - REMOVED_AFTER_SECONDS
        for file in self._removing.iterdir():
            if _is_older(file, oldest):
                file.unlink(missing_ok=True)
        self.partial_bodies.remove_old()
        if self._bucket is not None:
            self._remove_old_copies()

    def _use_copy(self, path: Path) -> str | None:
        """Record the use of a local copy, and return its digest; return None without a copy."""
        try:
            if _is_older(path, time.time() - USE_PRECISION_SECONDS):
                os.utime(path)
            return _digest_of(path)
        except FileNotFoundError:
            return None

    def _fetch(self, bucket: Bucket, digest: str, path: Path) -> None:
        """Copy an array from the bucket, after removing copies that are no longer used."""
        self._remove_old_copies()
        with self.incoming() as file:
            received = bucket.fetch(_key(digest), file)
            if received != digest:
                raise StorageDamaged.changed(digest, received)
            sync(file)  # before the renaming, so that no power cut leaves an empty file
            file.rename(path)

    def _remove_old_copies(self) -> None:
        oldest = time.time() - COPY_RETENTION_SECONDS
        for copy in self._stored_files():
            if _is_older(copy, oldest):
                copy.unlink(missing_ok=True)
        if self._copies_bytes is not None:
            self._remove_least_recent(self._copies_bytes)

    def _remove_least_recent(self, most: int) -> None:
        """Remove the least recently used copies until the rest have at most `most` bytes.

        Those that a solver process may just be opening stay.
        """
        copies = []
        for copy in self._stored_files():
            with suppress(FileNotFoundError):
                status = copy.stat()
                copies.append((status.st_mtime, status.st_size, copy))
        excess = sum(size for _, size, _ in copies) - most
        for used_at, size, copy in sorted(copies):
            if excess <= 0 or used_at >= time.time() - USE_PRECISION_SECONDS:
                return
            copy.unlink(missing_ok=True)
            excess -= size

    def _remove_unused_copies(self, referenced: Callable[[], set[str]]) -> None:
        """Remove the copies of arrays that nothing refers to, unless they may be in use yet."""
        oldest = time.time() - USE_PRECISION_SECONDS
        old = [copy for copy in self._stored_files() if _is_older(copy, oldest)]
        in_use = referenced() if old else set()
        for copy in old:
            if copy.parent.name + copy.name not in in_use:
                copy.unlink(missing_ok=True)

    def _stored_files(self) -> Iterator[Path]:
        return (self._folder / FOLDER).glob("*/*")

    def _path(self, digest: str) -> Path:
        return self._folder / _key(digest)

    def _remove(self, file: Path, oldest: float) -> bool:
        """Remove a stored file unless it was written again; return whether it was removed."""
        aside = self._removing / secrets.token_hex(16)
        with suppress(FileNotFoundError):  # another worker removed it
            file.rename(aside)
            if _is_older(aside, oldest):
                aside.unlink()
                return True
            aside.rename(file)
        return False

    def _make_folders(self) -> None:
        """Create the 256 folders of digests in advance, so that `put` syncs only one folder."""
        parent = self._folder / FOLDER
        names = [f"{first:02x}" for first in range(256)]
        if not (parent / names[-1]).exists():
            for name in names:
                (parent / name).mkdir(parents=True, exist_ok=True)
            sync(parent)
            sync(self._folder)


@contextmanager
def missing_as_damage(digest: str) -> Iterator[None]:
    """Translate `FileNotFoundError` to `StorageDamaged`."""
    try:
        yield
    except FileNotFoundError as error:
        raise StorageDamaged.missing(digest) from error


def _create_locked(path: Path) -> BinaryIO:
    """Create a file, and lock it against `_remove_unless_locked` until it is closed."""
    while True:
        file = path.open("ab")
        fcntl.flock(file, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        file.close()  # it was removed before it was locked


def _remove_unless_locked(path: Path) -> None:
    with suppress(FileNotFoundError, BlockingIOError), path.open("r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink()


def _is_older(file: Path, oldest: float) -> bool:
    try:
        return file.stat().st_mtime < oldest
    except FileNotFoundError:
        return False


def _digest_of(file: Path) -> str:
    status = file.stat()
    return _digest(file, status.st_ino, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=10_000)
def _digest(file: Path, *_state: int) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _remove_from(bucket: Bucket, referenced: Callable[[], set[str]], moment: datetime) -> int:
    old = [key for key in bucket.older_than(moment, FOLDER) if KEY.fullmatch(key)]
    if not old:
        return 0
    in_use = {_key(digest) for digest in referenced()}
    return sum(bucket.remove(key, moment) for key in old if key not in in_use)


def _chunks(file: BinaryIO) -> Generator[bytes, None, None]:
    with file:
        yield b""
        while chunk := file.read(STREAM_CHUNK_BYTES):
            yield chunk


def _key(digest: str) -> str:
    key = f"{FOLDER}/{digest[:2]}/{digest[2:]}"
    if not KEY.fullmatch(key):
        raise ValueError(f"expected a SHA-256 digest in lower-case hex, received {digest!r}")
    return key


def sync(path: Path) -> None:
    """Flush a file's bytes, or a folder's entries, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
