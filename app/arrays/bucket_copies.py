"""Keep local copies of a bucket's arrays while they are used, up to a limit."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from .stored_files import digest_of, is_older, stored_files

COPY_RETENTION_SECONDS = 24 * 3600
"""How long to keep the local copy of an object after the copy's last use."""
USE_PRECISION_SECONDS = 600
"""The precision of a copy's recorded last use, which is the file's modification time."""


class BucketCopies:
    """The local copies of a bucket's arrays.

    Parameters
    ----------
    folder
        The folder of the copies.
    most_bytes
        How many bytes of copies to keep; None: no limit. Recently used copies stay even beyond it.
    """

    def __init__(self, folder: Path, most_bytes: int | None) -> None:
        self._folder = folder
        self._most_bytes = most_bytes

    def has(self, path: Path, digest: str) -> bool:
        """Return whether there is a copy at `path` with this SHA-256, and record its use."""
        try:
            if is_older(path, time.time() - USE_PRECISION_SECONDS):
                os.utime(path)  # a new time has `digest_of` read the file again
            return digest_of(path) == digest
        except FileNotFoundError:
            return False

    def remove_old(self) -> None:
        """Remove copies not used for a day and, above `most_bytes`, the least recently used ones.

        Copies used within the last `USE_PRECISION_SECONDS` stay.
        """
        oldest = time.time() - COPY_RETENTION_SECONDS
        for copy in stored_files(self._folder):
            if is_older(copy, oldest):
                copy.unlink(missing_ok=True)
        if self._most_bytes is not None:
            self._remove_least_recent(self._most_bytes)

    def remove_unused(self, referenced: Callable[[], set[str]]) -> None:
        """Remove the copies whose digests `referenced` does not return.

        Copies used within the last `USE_PRECISION_SECONDS` stay.
        """
        # Keep recently used copies, because a solver process may be opening them.
        oldest = time.time() - USE_PRECISION_SECONDS
        old = [copy for copy in stored_files(self._folder) if is_older(copy, oldest)]
        in_use = referenced() if old else set()
        for copy in old:
            if copy.parent.name + copy.name not in in_use:
                copy.unlink(missing_ok=True)

    def _remove_least_recent(self, most: int) -> None:
        copies = []
        for copy in stored_files(self._folder):
            with suppress(FileNotFoundError):
                status = copy.stat()
                copies.append((status.st_mtime, status.st_size, copy))
        excess = sum(size for _, size, _ in copies) - most
        for used_at, size, copy in sorted(copies):
            if excess <= 0 or used_at >= time.time() - USE_PRECISION_SECONDS:
                return
            copy.unlink(missing_ok=True)
            excess -= size
