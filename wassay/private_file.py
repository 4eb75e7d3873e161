"""Read and write files of private keys, which only their owner may access."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from wassay.errors import WassayError


class NotPrivateError(WassayError):
    """A file of private keys can be read or changed by others; the message says what to do."""


class FileTakenError(WassayError, FileExistsError):
    """A file to write exists already."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(errno.EEXIST, "exists already; name a new file", str(path))

    def __str__(self) -> str:
        return f"{self.filename} {self.strerror}"


class MissingFileError(WassayError, FileNotFoundError):
    """A file to read, or the folder to write it in, does not exist."""

    def __init__(self, path: str | Path, reason: str) -> None:
        super().__init__(errno.ENOENT, reason, str(path))

    def __str__(self) -> str:
        return f"{self.filename} {self.strerror}"


def write_new(path: str | Path, content: str) -> None:
    """Write a new file, which only its owner may read.

    Raises
    ------
    FileTakenError
        If it exists already.
    MissingFileError
        If its folder does not exist.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise FileTakenError(path) from error
    except FileNotFoundError as error:
        raise MissingFileError(path, "has no folder to be written in; create that first") from error
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(content)


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
