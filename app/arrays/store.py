"""The store of arrays: bytes kept under their SHA-256 digest, on the local disk or in a bucket."""

import errno
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
from typing import BinaryIO

from ..settings import Settings
from .bucket import Bucket
from .parts import PartialBodies
from .problems import StorageDamaged, StorageFull

PLACES = "sha256"
KEY = re.compile(rf"{PLACES}/[0-9a-f]{{2}}/[0-9a-f]{{62}}")
STREAM_CHUNK_BYTES = 2**20
ABANDONED_AFTER_SECONDS = 24 * 3600
COPIES_KEPT_SECONDS = 24 * 3600
"""How long a copy of what lies in a bucket stays after its last use."""
USE_NOTED_SECONDS = 3600
"""So often the last use of a copy is noted; each time, its bytes are checked anew."""
BUCKET_PATIENCE_SECONDS = 10.0
"""A request is answered before whoever asked has given up."""
NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class ArrayStore:
    """A content-addressed store: bytes under the SHA-256 digest that verifies them.

    An upload is written to a file in `incoming/`, then checked and hashed. `make_durable`, which
    may take long, flushes it to disk or to the bucket; `put` then moves it, atomically, to the path
    that its digest names, where it never changes again. Equal bytes are stored once.

    Parameters
    ----------
    folder
        Where the store lives; made when absent, for nobody but the service's own user.
    bucket
        Where the bytes lie, if the folder holds no more than this machine's copies of them.

    Attributes
    ----------
    partial_bodies : PartialBodies
        Bodies that this machine has the beginnings of.
    """

    def __init__(self, folder: Path, bucket: Bucket | None = None) -> None:
        self._folder = folder.absolute()
        self._bucket = bucket
        self._incoming = self._folder / "incoming"
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._incoming.mkdir(exist_ok=True)
        self.partial_bodies = PartialBodies(self._folder / "partial")
        self._make_places()

    @contextmanager
    def incoming(self) -> Iterator[Path]:
        """Lend the path of a file to receive bytes into; what is not kept is removed at the end.

        Raises
        ------
        StorageFull
            The disk has no space for what is written.
        """
        file = self._incoming / secrets.token_hex(16)
        try:
            yield file
        except OSError as error:
            if error.errno in NO_SPACE:
                raise StorageFull(
                    "The disk that keeps the arrays is full; nothing of this was kept. Have the "
                    "operator make space, and try again."
                ) from error
            raise
        finally:
            file.unlink(missing_ok=True)

    def make_durable(self, file: Path, digest: str) -> None:
        """Have an incoming file, whose digest this is, outlive a power cut: before `keep`.

        What is not kept then, a bucket holds until it is cleared away with all that nothing refers
        to.

        Raises
        ------
        StorageUnavailable
            The bucket does not take it.
        """
        if self._bucket is None:
            write_through(file)
        else:
            self._bucket.put(file, _key(digest))

    def put(self, file: Path, digest: str) -> None:
        """Put an incoming file that is secured under its digest, to stay once this returns."""
        if self._bucket is None:
            place = self._place(digest)
            file.rename(place)
            write_through(place.parent)

    def put_bytes(self, content: bytes) -> str:
        """Keep bytes that are at hand, and return their digest."""
        digest = hashlib.sha256(content).hexdigest()
        with self.incoming() as file:
            file.write_bytes(content)
            self.make_durable(file, digest)
            self.put(file, digest)
        return digest

    def stream(self, digest: str) -> Generator[bytes, None, None]:
        """Read kept bytes in pieces; close it unless it is read to its end.

        Raises
        ------
        StorageDamaged
            Nothing is kept under this digest any more.
        StorageUnavailable
            The bucket does not give it.
        """
        with expecting(digest):
            if self._bucket is None:
                pieces = _pieces(self._place(digest).open("rb"))
                next(pieces)  # entered: closing it now closes the file
                return pieces
            return self._bucket.read(_key(digest))

    def local_path(self, digest: str) -> Path:
        """Return where the bytes lie on this machine's disk, to be mapped into memory.

        From a bucket they are brought first, and stay here for some time. That they are the ones
        that were kept is checked once by each process, and again when the file was touched.

        Raises
        ------
        StorageDamaged
            Nothing is kept under this digest any more, or something else is.
        StorageUnavailable, StorageFull
            They cannot be brought.
        """
        place = self._place(digest)
        with expecting(digest):
            if self._bucket is None:
                if (received := _digest_of(place)) != digest:
                    raise StorageDamaged.at(digest, received)
            elif self._use_copy(place) != digest:
                self._bring(self._bucket, digest, place)
        return place

    def remove_unreferenced(self, referenced: Callable[[], set[str]], older_than: timedelta) -> int:
        """Remove bytes of a certain age that nothing refers to, and return how many digests.

        Parameters
        ----------
        referenced
            Returns all digests that are in use; asked once what is old is known, so that nothing
            of a certain age can have come into use since without having been written anew.
        older_than
            The age.
        """
        if self._bucket is not None:
            return _remove_from(self._bucket, referenced, datetime.now(UTC) - older_than)
        oldest = time.time() - older_than.total_seconds()
        old = [place for place in self._places() if _is_older(place, oldest)]
        if not old:
            return 0
        in_use = referenced()
        unused = [place for place in old if place.parent.name + place.name not in in_use]
        return sum(self._remove(place, oldest) for place in unused)

    def remove_abandoned(self) -> None:
        """Remove what uploads of more than a day ago left behind on this machine.

        Their process was killed amid them, or the rest of a body that came in parts never came.
        """
        oldest = time.time() - ABANDONED_AFTER_SECONDS
        for file in self._incoming.iterdir():
            if _is_older(file, oldest):
                file.unlink(missing_ok=True)
        self.partial_bodies.remove_old()

    def _use_copy(self, place: Path) -> str | None:
        """Note that a copy is used, and return the digest of its bytes; None: there is no copy."""
        try:
            if _is_older(place, time.time() - USE_NOTED_SECONDS):
                os.utime(place)
            return _digest_of(place)
        except FileNotFoundError:
            return None

    def _bring(self, bucket: Bucket, digest: str, place: Path) -> None:
        """Make a copy of what lies in the bucket, in the place of those that nobody uses."""
        oldest = time.time() - COPIES_KEPT_SECONDS
        for copy in self._places():
            if _is_older(copy, oldest):
                copy.unlink(missing_ok=True)
        with self.incoming() as file:
            received = bucket.fetch(_key(digest), file)
            if received != digest:
                raise StorageDamaged.at(digest, received)
            write_through(file)  # or a power cut could leave it in its place without its bytes
            file.rename(place)

    def _places(self) -> Iterator[Path]:
        return (self._folder / PLACES).glob("*/*")

    def _place(self, digest: str) -> Path:
        return self._folder / _key(digest)

    def _remove(self, file: Path, oldest: float) -> bool:
        """Remove one, unless the same bytes came again in the meantime."""
        aside = self._incoming / secrets.token_hex(16)
        with suppress(FileNotFoundError):  # another worker was quicker
            file.rename(aside)
            if _is_older(aside, oldest):
                aside.unlink()
                return True
            aside.rename(file)
        return False

    def _make_places(self) -> None:
        """Make every folder that a digest may name, once, so that keeping waits for one only."""
        places = self._folder / PLACES
        names = [f"{first:02x}" for first in range(256)]
        if not (places / names[-1]).exists():
            for name in names:
                (places / name).mkdir(parents=True, exist_ok=True)
            write_through(places)
            write_through(self._folder)


def open_store(settings: Settings) -> ArrayStore:
    """Open the store that the settings name, and clear away what was abandoned there."""
    address = settings.arrays_url
    bucket = None if address is None else Bucket(address, BUCKET_PATIENCE_SECONDS)
    store = ArrayStore(settings.arrays_folder, bucket)
    store.remove_abandoned()
    return store


@contextmanager
def expecting(digest: str) -> Iterator[None]:
    """Raise that an array is not there as the problem that it is: it was kept, and nobody knows."""
    try:
        yield
    except FileNotFoundError as error:
        raise StorageDamaged.without(digest) from error


def _is_older(file: Path, oldest: float) -> bool:
    try:
        return file.stat().st_mtime < oldest
    except FileNotFoundError:
        return False


def _digest_of(file: Path) -> str:
    found = file.stat()
    return _digest(file, found.st_ino, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=10_000)
def _digest(file: Path, *_state: int) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _remove_from(bucket: Bucket, referenced: Callable[[], set[str]], moment: datetime) -> int:
    old = [key for key in bucket.older_than(moment, PLACES) if KEY.fullmatch(key)]
    if not old:
        return 0
    in_use = {_key(digest) for digest in referenced()}
    return sum(bucket.remove(key, moment) for key in old if key not in in_use)


def _pieces(file: BinaryIO) -> Generator[bytes, None, None]:
    with file:
        yield b""
        while piece := file.read(STREAM_CHUNK_BYTES):
            yield piece


def _key(digest: str) -> str:
    key = f"{PLACES}/{digest[:2]}/{digest[2:]}"
    if not KEY.fullmatch(key):
        raise ValueError(f"expected a SHA-256 digest in lower-case hex, got {digest!r}")
    return key


def write_through(path: Path) -> None:
    """Wait until a file's bytes, or a folder's entries, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
