"""Store arrays under their SHA-256 digests, on the local disk or in a bucket."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import secrets
import time
from collections.abc import Callable, Collection, Generator, Iterator
from concurrent.futures import Executor, wait
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from .bucket_copies import BucketCopies
from .parts import PartialBodies
from .problems import StorageDamaged, StorageFull
from .stored_files import digest_of, is_older, stored_files

if TYPE_CHECKING:
    from .bucket import Bucket

FOLDER = "sha256"
KEY = re.compile(rf"{FOLDER}/[0-9a-f]{{2}}/[0-9a-f]{{62}}")
STREAM_CHUNK_BYTES = 2**20
REMOVED_AFTER_SECONDS = 24 * 3600
"""How long the file of a killed process remains in the folder `removing`."""
PROBE_BYTES = 2**20
NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class ArrayStore:
    """A content-addressed store, which keeps bytes under their SHA-256 digest.

    To store an upload, write it to a file from `incoming`, then call `make_durable` and `put`.

    Parameters
    ----------
    folder
        The folder of the store. It is created if absent, and only the service's user can access it.
    bucket
        The bucket that stores the bytes, while the folder holds this machine's copies. None: the
        folder stores the bytes.
    copies_bytes
        How many bytes of a bucket's copies to keep. None: no limit.

    Attributes
    ----------
    partial_bodies : PartialBodies
        The incomplete bodies of uploads in parts to this machine.
    """

    def __init__(
        self, folder: Path, bucket: Bucket | None = None, copies_bytes: int | None = None
    ) -> None:
        self._folder = folder.absolute()
        self._bucket = bucket
        self._copies = BucketCopies(self._folder / FOLDER, copies_bytes)
        self._incoming = self._folder / "incoming"
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._incoming.mkdir(exist_ok=True)
        self._removing = self._folder / "removing"
        self._removing.mkdir(exist_ok=True)
        self.partial_bodies = PartialBodies(self._folder / "partial")
        self._make_folders()

    def check(self) -> None:
        """Check that the bucket responds, and mark it as this installation's if it is unmarked.

        Do nothing if there is no bucket.

        Raises
        ------
        StorageUnavailable
            If the bucket does not respond, refuses a request, or belongs to another installation.
        """
        if self._bucket is not None:
            self._bucket.check()

    def check_disk(self) -> None:
        """Write a file of `PROBE_BYTES` to the folder and delete it; raise `OSError` on failure."""
        file = self._incoming / secrets.token_hex(16)
        lock = _create_locked(file)
        try:
            file.write_bytes(bytes(PROBE_BYTES))
            sync(file)
        finally:
            file.unlink(missing_ok=True)
            lock.close()

    def check_rights(self) -> None:
        """Check the bucket's mark and the rights to its objects; do nothing without a bucket.

        Raises
        ------
        StorageUnavailable
            If the mark or a right is missing, the bucket belongs to another installation, or it
            does not respond.
        """
        if self._bucket is not None:
            self._bucket.check_rights()

    @contextmanager
    def incoming(self) -> Iterator[Path]:
        """Yield the path of a temporary file; remove it after the block if it is still there.

        Raises
        ------
        StorageFull
            If the disk is full.
        """
        file = self._incoming / secrets.token_hex(16)
        try:
            with _create_locked(file):
                try:
                    yield file
                finally:
                    file.unlink(missing_ok=True)
        except OSError as error:
            if error.errno in NO_SPACE:
                raise StorageFull(
                    "The disk that stores arrays is full; nothing was stored. Try again once the "
                    "operator has freed space."
                ) from error
            raise

    def make_durable(self, file: Path, digest: str) -> None:
        """Flush an incoming file to the disk, or send it to the bucket under `digest`.

        This may take long, and must be done before `put`.

        Raises
        ------
        StorageUnavailable
            If the bucket does not accept the bytes.
        """
        if self._bucket is None:
            sync(file)
        else:
            self._bucket.put(file, _key(digest))

    def put(self, file: Path, digest: str) -> None:
        """Store an incoming file under its digest, after `make_durable`."""
        if self._bucket is None:
            path = self._path(digest)
            file.rename(path)
            sync(path.parent)
        # `make_durable` has sent the file already; an equal array may have been deleted meanwhile.
        elif not self._bucket.has(_key(digest)):
            self._bucket.put(file, _key(digest))

    def delete(self, digest: str) -> None:
        """Delete stored bytes and this machine's copy of them; do nothing if there are none.

        The caller must hold the lock of the digest (`app.arrays.deletion`), and must have checked
        that no row refers to the digest.

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
        """Store bytes, and return their digest."""
        digest = hashlib.sha256(content).hexdigest()
        with self.incoming() as file:
            file.write_bytes(content)
            self.make_durable(file, digest)
            self.put(file, digest)
        return digest

    def stream(self, digest: str) -> Generator[bytes, None, None]:
        """Yield stored bytes in chunks. Close the generator unless it is exhausted.

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
                # Run the generator up to its first yield, inside `with`, so that closing it closes
                # the file.
                next(chunks)
                return chunks
            return self._bucket.read(_key(digest))

    def local_path(self, digest: str) -> Path:
        """Return the path of a local file with stored bytes; fetch them from the bucket if needed.

        Raises
        ------
        StorageDamaged
            If the bytes are missing from the store, or do not match the digest.
        StorageUnavailable, StorageFull
            If the bytes cannot be fetched from the bucket.
        """
        return self._local_path(digest, removes_old=True)

    def local_paths(self, digests: Collection[str], threads: Executor) -> list[Path]:
        """Return the path of a local file for each digest; fetch missing arrays in `threads`.

        Errors are those of `local_path`.
        """
        if self._bucket is None:
            return [self.local_path(digest) for digest in digests]
        self._copies.remove_old()  # once, because it lists all copies
        local_path = partial(self._local_path, removes_old=False)
        fetching = [threads.submit(local_path, digest) for digest in digests]
        wait(fetching)  # because after an error this process may be killed, which leaves files
        return [each.result() for each in fetching]

    def _local_path(self, digest: str, *, removes_old: bool) -> Path:
        path = self._path(digest)
        with missing_as_damage(digest):
            if self._bucket is None:
                if (received := digest_of(path)) != digest:
                    raise StorageDamaged.changed(digest, received)
            elif not self._copies.has(path, digest):
                if removes_old:
                    self._copies.remove_old()
                self._fetch(self._bucket, digest, path)
        return path

    def remove_unreferenced(self, referenced: Callable[[], set[str]], older_than: timedelta) -> int:
        """Remove the old arrays that nothing refers to, and return how many were removed.

        With a bucket, also remove this machine's copies of arrays that are not in use. They are not
        counted.

        Parameters
        ----------
        referenced
            Returns all digests in use. Called after the old arrays were listed.
        older_than
            The age from which an array is old.
        """
        if self._bucket is not None:
            self._copies.remove_unused(referenced)
            return _remove_from(self._bucket, referenced, datetime.now(UTC) - older_than)
        # An array that comes into use after `referenced` was called is written again, so it is no
        # longer old.
        oldest = time.time() - older_than.total_seconds()
        old = [path for path in stored_files(self._folder / FOLDER) if is_older(path, oldest)]
        if not old:
            return 0
        in_use = referenced()
        unused = [path for path in old if path.parent.name + path.name not in in_use]
        return sum(self._remove(path, oldest) for path in unused)

    def remove_abandoned(self) -> None:
        """Remove temporary files of killed processes, and bodies that received no part for a day.

        If there is a bucket, also remove old copies of its arrays.
        """
        for file in self._incoming.iterdir():
            # The kernel unlocks the files of a killed process.
            _remove_unless_locked(file)
        oldest = time.time() - REMOVED_AFTER_SECONDS
        for file in self._removing.iterdir():
            if is_older(file, oldest):
                file.unlink(missing_ok=True)
        self.partial_bodies.remove_old()
        if self._bucket is not None:
            self._copies.remove_old()

    def _fetch(self, bucket: Bucket, digest: str, path: Path) -> None:
        """Copy an array from the bucket to the file `path`."""
        with self.incoming() as file:
            received = bucket.fetch(_key(digest), file)
            if received != digest:
                raise StorageDamaged.changed(digest, received)
            sync(file)  # before renaming, because otherwise a power cut could leave an empty file
            file.rename(path)

    def _path(self, digest: str) -> Path:
        return self._folder / _key(digest)

    def _remove(self, file: Path, oldest: float) -> bool:
        """Remove a stored file last modified before `oldest`; return whether it was removed.

        `oldest` is a time in seconds since 1970.
        """
        aside = self._removing / secrets.token_hex(16)
        with suppress(FileNotFoundError):  # another worker removed it
            file.rename(aside)
            if is_older(aside, oldest):
                aside.unlink()
                return True
            aside.rename(file)
        return False

    def _make_folders(self) -> None:
        """Create a folder for each value of a digest's first byte."""
        # Created in advance, so that `put` need not sync a new folder's parent.
        parent = self._folder / FOLDER
        names = [f"{first:02x}" for first in range(256)]
        if not (parent / names[-1]).exists():
            for name in names:
                (parent / name).mkdir(parents=True, exist_ok=True)
            sync(parent)
            sync(self._folder)


@contextmanager
def missing_as_damage(digest: str) -> Iterator[None]:
    """Translate `FileNotFoundError` to `StorageDamaged`: an array is missing from the store."""
    try:
        yield
    except FileNotFoundError as error:
        raise StorageDamaged.missing(digest) from error


def _create_locked(path: Path) -> BinaryIO:
    """Create a file, locked until it is closed."""
    while True:
        file = path.open("ab")
        fcntl.flock(file, fcntl.LOCK_EX)
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        file.close()  # another process removed the file before it was locked


def _remove_unless_locked(path: Path) -> None:
    with suppress(FileNotFoundError, BlockingIOError), path.open("r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink()


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
