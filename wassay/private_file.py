"""Read and write files of private keys, which only their owner may access."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from wassay.errors import WassayError


class NotPrivateError(WassayError):
    """A file of private keys can be read or changed by others; the message says what to do."""


def read_private(path: Path) -> str:
    """Read a file of private keys.

    Raises
    ------
    NotPrivateError
        If it belongs to another user, or others may read or change it.
    OSError
        If it cannot be read; `FileNotFoundError` if it does not exist.
    """
    with path.open(encoding="utf-8") as file:
        status = os.fstat(file.fileno())
        mode = stat.S_IMODE(status.st_mode)
        # Windows has no such modes; there, others cannot access a user's own folders.
        if hasattr(os, "getuid") and (mode & 0o077 or status.st_uid != os.getuid()):
            raise NotPrivateError(
                f"{path} holds private keys, and others may read or change it (mode {mode:04o}, "
                f"owner {status.st_uid}). Restrict it to its owner: chmod 600 {path}"
            )
        return file.read()


@contextmanager
def written_privately(folder: Path, prefix: str, content: str) -> Iterator[Path]:
    """Write a temporary file of mode 0600, sync it to disk, and yield its path.

    The caller moves it to its final path; otherwise it is deleted.
    """
    # A new temporary file has mode 0600.
    descriptor, name = tempfile.mkstemp(prefix=f"{prefix}.", dir=folder)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        yield Path(name)
    finally:
        with suppress(FileNotFoundError):
            Path(name).unlink()
