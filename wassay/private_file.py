"""Read and write files that hold private keys and that only their owner may access."""

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
    """Other users can read or change a file of private keys; the message says what to do."""


class FileTakenError(WassayError, FileExistsError):
    """The file that should be written exists already."""

    def __init__(self, path: str | Path) -> None:
        super().__init__(errno.EEXIST, "exists already; name a new file", str(path))

    def __str__(self) -> str:
        return f"{self.filename} {self.strerror}"


class MissingFileError(WassayError, FileNotFoundError):
    """The file to read, or the folder to write a file in, does not exist."""

    def __init__(self, path: str | Path, reason: str) -> None:
        super().__init__(errno.ENOENT, reason, str(path))

    def __str__(self) -> str:
        return f"{self.filename} {self.strerror}"


def write_new(path: str | Path, content: str) -> None:
    """Write a new file that only its owner may read.

    Raises
    ------
    FileTakenError
        If the file exists already.
    MissingFileError
        If the folder of the file does not exist.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise FileTakenError(path) from error
    except FileNotFoundError as error:
        raise MissingFileError(
            path, "cannot be written, because its folder does not exist: create the folder first"
        ) from error
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(content)


def read_private(path: Path) -> str:
    """Read a file of private keys.

    Raises
    ------
    NotPrivateError
        If the file belongs to another user, or other users may read or change it.
    FileNotFoundError
        If the file does not exist.
    OSError
        If the file cannot be read.
    """
    with path.open(encoding="utf-8") as file:
        status = os.fstat(file.fileno())
        mode = stat.S_IMODE(status.st_mode)
        # Windows has neither modes nor `getuid`; other users cannot access a user's folders there.
        if hasattr(os, "getuid") and (mode & 0o077 or status.st_uid != os.getuid()):
            raise NotPrivateError(
                f"{path} holds private keys, and others may read or change it (mode {mode:04o}, "
                f"owner {status.st_uid}). Restrict it to its owner: chmod 600 {path}"
            )
        return file.read()


@contextmanager
def written_privately(folder: Path, prefix: str, content: str) -> Iterator[Path]:
    """Write a temporary file of mode 0600 and sync it to disk; a context manager of its path.

    When the context ends, the file is deleted, unless the caller has moved it.
    """
    # `mkstemp` creates files of mode 0600.
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
