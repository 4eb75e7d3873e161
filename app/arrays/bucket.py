"""A bucket of an S3-compatible object store, shared by the machines of one service."""

import hashlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
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

RANGE_BYTES = 2**23
"""Size of the ranges that are read, each in a short request that can be retried."""
MAX_CONCURRENT_PARTS = 2
"""How many 5 MiB parts of a large array are sent concurrently."""
READ_TIMEOUT_SECONDS = 10.0
"""How long to wait for a response, or for progress of a part, before retrying."""

logger = structlog.stdlib.get_logger("wassay.arrays")


class Bucket:
    """Objects by key in a bucket.

    Endpoint, region and credentials are read from the standard `AWS_…` environment variables or
    from the machine's role; they are neither stored nor logged here.

    Parameters
    ----------
    address
        `s3://bucket`, or `s3://bucket/prefix`.
    retry_seconds
        How long to retry a request that fails or times out.
    """

    def __init__(self, address: str, retry_seconds: float) -> None:
        name, _, prefix = address.removeprefix("s3://").partition("/")
        self._objects = S3Store(
            name,
            prefix=prefix or None,
            config=cast(
                "S3Config",  # its type omits the options common to all stores
                {
                    # The store rejects bytes that were damaged in transit.
                    "checksum_algorithm": "SHA256",
                    "read_timeout": f"{min(retry_seconds / 2, READ_TIMEOUT_SECONDS)}s",
                },
            ),
            retry_config={"retry_timeout": timedelta(seconds=retry_seconds)},
        )

    def put(self, file: Path, key: str) -> None:
        """Store a file's bytes durably under a key, replacing any before.

        Raises
        ------
        StorageUnavailable
            If the store does not accept them.
        """
        with translated_errors():
            try:
                obstore.put(self._objects, key, file, max_concurrency=MAX_CONCURRENT_PARTS)
            except FileNotFoundError as error:  # the bucket does not exist
                raise StorageUnavailable.now() from error

    def read(self, key: str) -> Generator[bytes, None, None]:
        """Read the bytes under a key in ranges.

        Raises
        ------
        FileNotFoundError
            If there is no such key.
        StorageUnavailable
            If the store does not respond.
        """
        with translated_errors():
            size = obstore.head(self._objects, key)["size"]
        return self._ranges(key, size)

    def fetch(self, key: str, file: Path) -> str:
        """Write the bytes under a key to a file and return their SHA-256; raise as `read` does."""
        sha256 = hashlib.sha256()
        with file.open("wb") as sink:
            for piece in self.read(key):
                sha256.update(piece)
                sink.write(piece)
        return sha256.hexdigest()

    def has(self, key: str) -> bool:
        """Tell whether there are bytes under a key."""
        with translated_errors():
            try:
                obstore.head(self._objects, key)
            except FileNotFoundError:
                return False
        return True

    def delete(self, key: str) -> None:
        """Delete a key; do nothing if it is absent."""
        with translated_errors(), suppress(FileNotFoundError):
            obstore.delete(self._objects, key)

    def older_than(self, moment: datetime, folder: str) -> list[str]:
        """Return the keys in a folder that were last written before a moment."""
        with translated_errors():
            return [
                listed["path"]
                for page in obstore.list(self._objects, prefix=folder)
                for listed in page
                if listed["last_modified"] < moment
            ]

    def remove(self, key: str, moment: datetime) -> bool:
        """Remove a key unless it was written since a given time; return whether it was removed."""
        with translated_errors():
            try:
                if obstore.head(self._objects, key)["last_modified"] >= moment:
                    return False
            except FileNotFoundError:  # another worker removed it
                return False
            obstore.delete(self._objects, key)
        return True

    def _ranges(self, key: str, size: int) -> Generator[bytes, None, None]:
        for start in range(0, size, RANGE_BYTES):
            with translated_errors():
                piece = obstore.get_range(
                    self._objects, key, start=start, end=min(start + RANGE_BYTES, size)
                )
            yield bytes(piece)


@contextmanager
def translated_errors() -> Iterator[None]:
    """Translate errors of the store to `StorageUnavailable`, and log their messages."""
    try:
        yield
    except BaseError as error:
        logger.warning("object store unavailable", error=str(error).partition("\n")[0])
        raise StorageUnavailable.now() from error
