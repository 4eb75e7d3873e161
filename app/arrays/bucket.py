"""A bucket of an S3-compatible object store, which the machines of one service share."""

import hashlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, cast

import obstore
import structlog
from obstore.exceptions import BaseError
from obstore.store import S3Store

from .problems import StorageUnavailable

if TYPE_CHECKING:
    from obstore.store import S3Config

PIECE_BYTES = 2**23
"""Bytes are read in ranges of this size, so that one request is short and can be made again."""
PUT_AT_ONCE = 2
"""How many parts of a large array, of 5 MiB each, travel side by side."""
SILENT_SECONDS = 10.0
"""How long a store may be silent, also while a part is on its way to it: then it is asked again."""

logger = structlog.stdlib.get_logger("wassay.arrays")


class Bucket:
    """Bytes under keys, far away.

    Endpoint, region and credentials come from the standard `AWS_…` variables of the environment,
    or from the machine's role; they are neither kept nor shown here.

    Parameters
    ----------
    address
        `s3://bucket`, or `s3://bucket/prefix`.
    patience_seconds
        For how long a request is made again while the store refuses it or stays silent.
    """

    def __init__(self, address: str, patience_seconds: float) -> None:
        name, _, prefix = address.removeprefix("s3://").partition("/")
        self._objects = S3Store(
            name,
            prefix=prefix or None,
            config=cast(
                "S3Config",  # whose declaration leaves out what there is for every kind of store
                {
                    # The store refuses what was damaged on the way.
                    "checksum_algorithm": "SHA256",
                    "read_timeout": f"{min(patience_seconds / 2, SILENT_SECONDS)}s",
                },
            ),
            retry_config={"retry_timeout": timedelta(seconds=patience_seconds)},
        )

    def put(self, file: Path, key: str) -> None:
        """Keep a file's bytes, in place of the same under this key: kept once this returns.

        Raises
        ------
        StorageUnavailable
            The store does not take them.
        """
        with answering():
            try:
                obstore.put(self._objects, key, file, max_concurrency=PUT_AT_ONCE)
            except FileNotFoundError as error:  # it is the bucket
                raise StorageUnavailable.now() from error

    def read(self, key: str) -> Generator[bytes, None, None]:
        """Read the bytes under a key in pieces.

        Raises
        ------
        FileNotFoundError
            There are none.
        StorageUnavailable
            The store does not give them.
        """
        with answering():
            size = obstore.head(self._objects, key)["size"]
        return self._pieces(key, size)

    def fetch(self, key: str, file: Path) -> str:
        """Write what is under a key to a file, and return its SHA-256; raises what `read` does."""
        sha256 = hashlib.sha256()
        with file.open("wb") as sink:
            for piece in self.read(key):
                sha256.update(piece)
                sink.write(piece)
        return sha256.hexdigest()

    def older_than(self, moment: datetime, folder: str) -> list[str]:
        """Return the keys in a folder whose bytes came, for the last time, before a moment."""
        with answering():
            return [
                found["path"]
                for page in obstore.list(self._objects, prefix=folder)
                for found in page
                if found["last_modified"] < moment
            ]

    def remove(self, key: str, moment: datetime) -> bool:
        """Remove the bytes under a key, unless they came again after a moment."""
        with answering():
            try:
                if obstore.head(self._objects, key)["last_modified"] >= moment:
                    return False
            except FileNotFoundError:  # another worker was quicker
                return False
            obstore.delete(self._objects, key)
        return True

    def _pieces(self, key: str, size: int) -> Generator[bytes, None, None]:
        for start in range(0, size, PIECE_BYTES):
            with answering():
                piece = obstore.get_range(
                    self._objects, key, start=start, end=min(start + PIECE_BYTES, size)
                )
            yield bytes(piece)


@contextmanager
def answering() -> Iterator[None]:
    """Raise what the store objects to, or that it does not answer, as a problem.

    What it said is for the operator's log.
    """
    try:
        yield
    except BaseError as error:
        logger.warning("the object store does not answer", error=str(error).partition("\n")[0])
        raise StorageUnavailable.now() from error
