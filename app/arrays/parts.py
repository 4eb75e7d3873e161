"""Store the parts of a resumable upload until its body is complete, for up to a day."""

import fcntl
import hashlib
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ..http.problems import BadRequest
from .digests import read_digest
from .problems import WrongPart

CONTENT_RANGE = re.compile(r"bytes (?:(\d{1,15})-(\d{1,15})|\*)/(\d{1,15})", re.ASCII)
RETENTION_SECONDS = 24 * 3600
# The oldest is removed to make room, because a client that starts over uploads another body: it
# draws a new isometry.
MAX_PARTIAL_BODIES = 8
"""How many incomplete bodies an account may have."""


@dataclass(frozen=True)
class Part:
    """The range of a body that one request carries.

    Attributes
    ----------
    start, end
        The bytes from `start` up to but not including `end`. If the two are equal, the caller asks
        how many bytes are stored.
    total
        How many bytes the whole body has.
    digest
        SHA-256 of the whole body, in hex.
    """

    start: int
    end: int
    total: int
    digest: str

    @property
    def is_status_query(self) -> bool:
        """Whether the request only asks how many bytes are stored."""
        return self.start == self.end


def read_part(content_range: str, repr_digest: str | None) -> Part:
    """Parse a `Content-Range` (RFC 9110 §14.4) and the `Repr-Digest` of the whole body.

    Raises
    ------
    BadRequest
        If `Repr-Digest` is missing, or `Content-Range` is malformed.
    DigestMismatch
        If `Repr-Digest` has no valid SHA-256.
    """
    if repr_digest is None:
        raise BadRequest(
            "Expected Repr-Digest with the SHA-256 of the whole body, because the request has "
            "Content-Range; received no Repr-Digest."
        )
    digest = read_digest("Repr-Digest", repr_digest)
    match = CONTENT_RANGE.fullmatch(content_range.strip())
    if match is not None:
        total = int(match[3])
        if match[1] is None:
            return Part(0, 0, total, digest)
        if int(match[1]) <= int(match[2]) < total:
            return Part(int(match[1]), int(match[2]) + 1, total, digest)
    raise BadRequest(
        "Expected a Content-Range such as `bytes 0-1023/4096` or, to ask how many bytes are "
        f"stored, `bytes */4096`; received {content_range[:100]!r}."
    )


class PartialBodies:
    """Files that hold incomplete bodies. Each file has one writer, which locks it.

    Parameters
    ----------
    folder
        The folder for the files. It is created if absent.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(exist_ok=True)

    def file_of(self, owner: str, url: str, part: Part) -> Path:
        """Return the file with the stored bytes of a body; create an empty file if there is none.

        `part` belongs to the body, which the account `owner` uploads to the path `url`.

        Raises
        ------
        WrongPart
            If the part starts beyond the stored bytes.
        """
        name = hashlib.sha256(f"{url}\n{part.total}\n{part.digest}".encode()).hexdigest()
        file = self._folder / f"{owner}-{name}"
        try:
            stored = file.stat().st_size
        except FileNotFoundError:
            self._make_room(owner)  # an account has at most `MAX_PARTIAL_BODIES` files
            file.touch()
            stored = 0
        if part.start > stored:
            raise WrongPart(
                f"Expected a part that starts at byte {stored}, since {stored} bytes are stored; "
                f"received one that starts at byte {part.start}.",
                expected=stored,
                received=part.start,
            )
        return file

    def open_alone(self, file: Path) -> BinaryIO:
        """Open and lock the file of a body, or a copy of it if another request has locked it.

        The copy replaces the file, so the other request cannot store its body.

        Raises
        ------
        FileNotFoundError
            If the file no longer exists.
        """
        while True:
            body = file.open("r+b")
            try:
                fcntl.flock(body, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                body.close()
                self._replace_by_copy(file)
                continue
            if is_file_of(body, file):
                return body
            body.close()  # another request replaced the file before it was locked

    def require_current(self, body: BinaryIO, file: Path) -> None:
        """Raise unless the path `file` still names the open file `body`.

        Raises
        ------
        FileNotFoundError
            If the file was removed, or another request has replaced it.
        """
        if not is_file_of(body, file):
            raise FileNotFoundError(file)

    def move(self, body: BinaryIO, file: Path, target: Path) -> None:
        """Move an open body from its path `file` to `target`, which no other request knows.

        Raises
        ------
        FileNotFoundError
            If the file was removed, or another request has replaced it.
        """
        file.rename(target)
        self.require_current(body, target)

    def discard(self, body: BinaryIO, file: Path) -> None:
        """Remove the file of an open body, unless another request has replaced the file."""
        if is_file_of(body, file):
            file.unlink(missing_ok=True)

    def remove_old(self) -> None:
        """Remove the bodies that have received no part for a day."""
        oldest = time.time() - RETENTION_SECONDS
        for age, file in self._ages():
            if age < oldest:
                file.unlink(missing_ok=True)

    def remove_of(self, owner: str) -> None:
        """Remove an account's incomplete uploads."""
        for _, file in self._ages():
            if file.name.startswith(f"{owner}-"):
                file.unlink(missing_ok=True)

    def _make_room(self, owner: str) -> None:
        self.remove_old()
        own = sorted(each for each in self._ages() if each[1].name.startswith(f"{owner}-"))
        for _, file in own[: max(0, len(own) + 1 - MAX_PARTIAL_BODIES)]:
            file.unlink(missing_ok=True)

    def _replace_by_copy(self, file: Path) -> None:
        copy = self._folder / f"{file.name}-{secrets.token_hex(8)}"
        try:
            shutil.copyfile(file, copy)
            copy.replace(file)
        finally:
            copy.unlink(missing_ok=True)

    def _ages(self) -> Iterator[tuple[float, Path]]:
        for file in self._folder.iterdir():
            with suppress(FileNotFoundError):  # another request completed the body meanwhile
                yield file.stat().st_mtime, file


def is_file_of(body: BinaryIO, file: Path) -> bool:
    """Return whether the path `file` still names the open file `body`."""
    try:
        return os.path.samestat(os.fstat(body.fileno()), file.stat())
    except FileNotFoundError:
        return False
