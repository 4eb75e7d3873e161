"""Look at the files of a store: list them, and tell their ages and digests."""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path


def stored_files(folder: Path) -> Iterator[Path]:
    """Yield the files of a store's arrays; each file holds one array."""
    return folder.glob("*/*")


def is_older(file: Path, oldest: float) -> bool:
    """Return whether a file was last modified before `oldest`; False if it does not exist.

    `oldest` is a time in seconds since 1970.
    """
    try:
        return file.stat().st_mtime < oldest
    except FileNotFoundError:
        return False


def digest_of(file: Path) -> str:
    """Return a file's SHA-256, in hex; cached in this process until the file changes."""
    status = file.stat()
    return _digest(file, status.st_ino, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=10_000)
def _digest(file: Path, *_state: int) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
