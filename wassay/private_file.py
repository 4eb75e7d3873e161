"""Files that hold private keys: read only while nobody else may, written whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


class NotPrivateError(Exception):
    """Others may read or change a file of private keys; the message says who and what to do."""


def read_private(path: Path) -> str:
    """Read a file of private keys.

    Raises
    ------
    NotPrivateError
        When it is another user's, or others may read or change it.
    OSError
        When it cannot be read, `FileNotFoundError` when it is not there.
    """
    with path.open(encoding="utf-8") as file:
        status = os.fstat(file.fileno())
        mode = stat.S_IMODE(status.st_mode)
        # Windows has no such modes: there a user's own folders are closed to others.
        if hasattr(os, "getuid") and (mode & 0o077 or status.st_uid != os.getuid()):
            raise NotPrivateError(
                f"{path} holds private keys, and others may read or change it (mode {mode:04o}, "
                f"owner {status.st_uid}). Make it its owner's alone: chmod 600 {path}"
            )
        return file.read()


@contextmanager
def written_privately(folder: Path, prefix: str, content: str) -> Iterator[Path]:
    """Write a new file of mode 0600, have it on the disk, and lend it for being put in its place.

    Nothing is left of it where that fails, or does not happen.
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
