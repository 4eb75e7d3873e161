"""Bodies that come in parts: what is here stays for a day, until the rest of it comes."""

import hashlib
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..kit.problems import BadRequest
from .digests import read_digest
from .problems import WrongPart

CONTENT_RANGE = re.compile(r"bytes (?:(\d{1,15})-(\d{1,15})|\*)/(\d{1,15})", re.ASCII)
KEPT_SECONDS = 24 * 3600
MOST_OF_ONE_OWNER = 8
"""Of more, the one that waits longest gives way: whoever tries again draws a new isometry."""


@dataclass(frozen=True)
class Part:
    """Which bytes of a body are about to come.

    Attributes
    ----------
    start, end
        The first, and the one after the last; equal where the caller asks how many are here.
    total
        How many the whole body has.
    digest
        SHA-256 of the whole body, in hex.
    """

    start: int
    end: int
    total: int
    digest: str

    @property
    def is_question(self) -> bool:
        """Whether nothing comes, and the caller asks how many bytes are here."""
        return self.start == self.end


def read_part(content_range: str, repr_digest: str | None) -> Part:
    """Read a `Content-Range` (RFC 9110 §14.4), and the `Repr-Digest` of the whole body.

    Raises
    ------
    BadRequest
        One of them cannot be read, or is missing.
    DigestMismatch
        The latter has no SHA-256.
    """
    if repr_digest is None:
        raise BadRequest(
            "A part of a body comes with the SHA-256 of the whole as its Repr-Digest, by which the "
            "parts know each other; received none."
        )
    digest = read_digest("Repr-Digest", repr_digest)
    read = CONTENT_RANGE.fullmatch(content_range.strip())
    if read is not None:
        total = int(read[3])
        if read[1] is None:
            return Part(0, 0, total, digest)
        if int(read[1]) <= int(read[2]) < total:
            return Part(int(read[1]), int(read[2]) + 1, total, digest)
    raise BadRequest(
        "Content-Range says which bytes of the whole body come, as in `bytes 0-1023/4096`, or asks "
        f"how many are here, as in `bytes */4096`; received {content_range[:100]!r}."
    )


class PartialBodies:
    """Files with the beginnings of bodies.

    A connection may be dead for long before anybody notices, so whoever comes next does not wait
    for the one before: both write the same bytes to the same places. If they are not the same, the
    digest of the whole says so in the end.

    Parameters
    ----------
    folder
        Where they lie; made when absent.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(exist_ok=True)

    def file_of(self, owner: str, url: str, part: Part) -> Path:
        """Return the file of the body that this is a part of, with what is here of it.

        Raises
        ------
        WrongPart
            What comes begins behind the end of what is here.
        """
        what = hashlib.sha256(f"{url}\n{part.total}\n{part.digest}".encode()).hexdigest()
        file = self._folder / f"{owner}-{what}"
        try:
            here = file.stat().st_size
        except FileNotFoundError:
            self._make_room(owner)
            file.touch()
            here = 0
        if part.start > here:
            raise WrongPart(
                f"Of this body {here} bytes are here, so the next part begins with byte {here}; "
                f"one that begins with byte {part.start} came.",
                expected=here,
                received=part.start,
            )
        return file

    def remove_old(self) -> None:
        """Remove the beginnings whose rest did not come within a day."""
        oldest = time.time() - KEPT_SECONDS
        for age, file in self._ages():
            if age < oldest:
                file.unlink(missing_ok=True)

    def _make_room(self, owner: str) -> None:
        self.remove_old()
        own = sorted(each for each in self._ages() if each[1].name.startswith(f"{owner}-"))
        for _, file in own[: max(0, len(own) + 1 - MOST_OF_ONE_OWNER)]:
            file.unlink(missing_ok=True)

    def _ages(self) -> Iterator[tuple[float, Path]]:
        for file in self._folder.iterdir():
            with suppress(FileNotFoundError):  # it is whole now
                yield file.stat().st_mtime, file
