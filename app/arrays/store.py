"""The store of arrays: bytes kept under their SHA-256 digest, on the local disk."""

import errno
import hashlib
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path

import obstore
from obstore.store import LocalStore

from app.arrays.problems import StorageFull

DIGEST_LENGTH = 64
STREAM_CHUNK_BYTES = 2**20
ABANDONED_AFTER_SECONDS = 24 * 3600
NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class ArrayStore:
    """Content-addressed bytes: whoever has the digest can check what the store gives.

    Bytes that are being received stay in `incoming/` until they are whole, checked and hashed;
    then they move, in one step, to the place that their digest names and never change again.
    The same bytes are kept once.

    Parameters
    ----------
    folder
        Where the store lives; made when absent, for nobody but the service's own user.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder.absolute()
        self._incoming = self._folder / "incoming"
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._incoming.mkdir(exist_ok=True)
        self._objects = LocalStore(self._folder)
        self._make_places()
        self._remove_abandoned()

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

    def keep(self, file: Path, digest: str) -> None:
        """Move an incoming file, whose digest this is, to its place: on disk once this returns."""
        write_through(file)
        obstore.rename(self._objects, f"{self._incoming.name}/{file.name}", _key(digest))
        write_through(self.local_path(digest).parent)

    def keep_bytes(self, content: bytes) -> str:
        """Keep bytes that are at hand, and return their digest."""
        digest = hashlib.sha256(content).hexdigest()
        with self.incoming() as file:
            file.write_bytes(content)
            self.keep(file, digest)
        return digest

    def stream(self, digest: str) -> Iterator[bytes]:
        """Read kept bytes in chunks.

        Raises
        ------
        FileNotFoundError
            Nothing is kept under this digest.
        """
        found = obstore.get(self._objects, _key(digest))
        return (bytes(chunk) for chunk in found.stream(min_chunk_size=STREAM_CHUNK_BYTES))

    def local_path(self, digest: str) -> Path:
        """Return where the bytes lie on this machine's disk, to be mapped into memory."""
        return self._folder / _key(digest)

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
        oldest = time.time() - older_than.total_seconds()
        old = [file for file in (self._folder / "sha256").glob("*/*") if _is_older(file, oldest)]
        if not old:
            return 0
        in_use = referenced()
        unused = [file for file in old if file.parent.name + file.name not in in_use]
        return sum(self._remove(file, oldest) for file in unused)

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
        places = self._folder / "sha256"
        names = [f"{first:02x}" for first in range(256)]
        if not (places / names[-1]).exists():
            for name in names:
                (places / name).mkdir(parents=True, exist_ok=True)
            write_through(places)
            write_through(self._folder)

    def _remove_abandoned(self) -> None:
        """Remove what a process that was killed in the middle of an upload left behind."""
        oldest = time.time() - ABANDONED_AFTER_SECONDS
        for file in self._incoming.iterdir():
            with suppress(FileNotFoundError):  # its own process was quicker
                if file.stat().st_mtime < oldest:
                    file.unlink()


def _is_older(file: Path, oldest: float) -> bool:
    try:
        return file.stat().st_mtime < oldest
    except FileNotFoundError:
        return False


def _key(digest: str) -> str:
    if len(digest) != DIGEST_LENGTH or not set(digest) <= set("0123456789abcdef"):
        raise ValueError(f"expected a SHA-256 digest in lower-case hex, got {digest!r}")
    return f"sha256/{digest[:2]}/{digest[2:]}"


def write_through(path: Path) -> None:
    """Wait until a file's bytes, or a folder's entries, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
