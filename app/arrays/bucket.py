"""A bucket of an S3-compatible object store, which all machines of one service share."""

import hashlib
import re
import secrets
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, cast

import obstore
import structlog
from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError
from obstore.store import S3Store

from .credential_files import file_credentials
from .problems import StorageUnavailable

if TYPE_CHECKING:
    from obstore.store import RetryConfig, S3Config

RANGE_BYTES = 2**23
"""How many bytes one request reads: few, so that it is short and can be repeated."""
MAX_CONCURRENT_PARTS = 2
"""How many 5 MiB parts of a large array are sent at the same time."""
READ_TIMEOUT_SECONDS = 10.0
"""How long to wait for a response, or for the next bytes of it, before retrying."""
CONNECT_TIMEOUT_SECONDS = 5.0
TRANSFER_TIMEOUT_SECONDS = 120.0
"""How long one range or part may take in all, even while bytes arrive."""
LONGEST_PAUSE_SECONDS = 5.0
"""The longest pause between two attempts. The pauses grow up to this."""
UNLIMITED = 10**6
"""The limit on attempts, which is never reached: the time for retries runs out first."""
PROBE_SECONDS = 2.0
"""How long a check of the bucket retries each request."""
PROBES_FOLDER = "probes"
MARK = "installation"
"""The key whose value is the id of the installation that owns the bucket or the prefix."""

logger = structlog.stdlib.get_logger("wassay.arrays")


class Bucket:
    """The objects in a bucket, addressed by their keys.

    Endpoint, region and credentials are read from the standard `AWS_…` environment variables, from
    files (`credential_files`) or from the machine's role.

    Parameters
    ----------
    address
        `s3://bucket`, or `s3://bucket/prefix`.
    retry_seconds
        How many seconds to retry a request that fails or times out.
    installation_id
        Returns the id of this installation; a bucket with another installation's mark is refused.
        None: marks are ignored and never written.
    """

    def __init__(
        self,
        address: str,
        retry_seconds: float,
        installation_id: Callable[[], str] | None = None,
    ) -> None:
        self._address = address
        self._objects = _open(address, retry_seconds)
        self._probed = _open(address, PROBE_SECONDS)
        self._installation_id = installation_id
        self._is_claimed = False

    def check(self) -> None:
        """Check that the bucket responds and is not another installation's; claim an unmarked one.

        Raises
        ------
        StorageUnavailable
            If the bucket does not respond in time, refuses a request, or belongs to another
            installation.
        """
        # Reading the mark is retried for `PROBE_SECONDS`, claiming for `retry_seconds`.
        owner = _owner(self._probed)
        if owner is None:
            self.claim()
        else:
            self._require_own(owner)

    def claim(self) -> None:
        """Mark the bucket as this installation's, unless it has this mark already.

        Raises
        ------
        StorageUnavailable
            If the bucket does not respond, or belongs to another installation.
        """
        if self._installation_id is None or self._is_claimed:
            return
        if (owner := _owner(self._objects)) is None:
            self.adopt()
            # Read the mark again, because another installation may have marked the bucket
            # meanwhile.
            owner = _owner(self._objects)
        self._require_own(owner)
        self._is_claimed = True

    def adopt(self) -> None:
        """Mark the bucket as this installation's, even if it is marked as another's."""
        if self._installation_id is None:
            raise ValueError(
                "expected a Bucket with an installation_id, to mark the bucket with; received None"
            )
        with translated_errors():
            try:
                obstore.put(self._objects, MARK, self._installation_id().encode())
            except FileNotFoundError as error:  # the bucket does not exist
                raise StorageUnavailable(cause_of(error)) from error

    def _require_own(self, owner: str | None) -> None:
        own = None if self._installation_id is None else self._installation_id()
        if own is not None and owner != own:
            raise StorageUnavailable(reason_against(owner, own))

    def check_rights(self) -> None:
        """Check the bucket's mark, and the rights to write, read, list and delete an object.

        Raises
        ------
        StorageUnavailable
            If the mark or a right is missing, the bucket belongs to another installation, or it
            does not respond in time.
        """
        # A new client, because one that is in use reads a changed secret only within a minute.
        probed = _open(self._address, PROBE_SECONDS)
        # A bucket without the mark is not the one that the web process uses.
        self._require_own(_owner(probed))
        key = f"{PROBES_FOLDER}/{secrets.token_hex(16)}"
        with translated_errors():
            try:
                obstore.put(probed, key, b"probe")
                obstore.get(probed, key)
                next(iter(obstore.list(probed, prefix=PROBES_FOLDER, chunk_size=1)), None)
            except FileNotFoundError as error:  # the bucket does not exist
                raise StorageUnavailable(cause_of(error)) from error
            finally:
                with suppress(FileNotFoundError):
                    obstore.delete(probed, key)

    def put(self, file: Path, key: str) -> None:
        """Store a file's bytes durably under a key, in place of earlier bytes.

        Raises
        ------
        StorageUnavailable
            If the bucket does not accept the bytes, or belongs to another installation.
        """
        self.claim()
        with translated_errors():
            try:
                obstore.put(self._objects, key, file, max_concurrency=MAX_CONCURRENT_PARTS)
            except FileNotFoundError as error:  # the bucket does not exist
                raise StorageUnavailable(cause_of(error)) from error

    def read(self, key: str) -> Generator[bytes, None, None]:
        """Yield the bytes under a key.

        Raises
        ------
        FileNotFoundError
            If there is no such key.
        StorageUnavailable
            If the object store does not respond.
        """
        with translated_errors():
            size = obstore.head(self._objects, key)["size"]
        return self._ranges(key, size)

    def fetch(self, key: str, file: Path) -> str:
        """Write the bytes under a key to a file, and return their SHA-256."""
        sha256 = hashlib.sha256()
        with file.open("wb") as sink:
            for piece in self.read(key):
                sha256.update(piece)
                sink.write(piece)
        return sha256.hexdigest()

    def has(self, key: str) -> bool:
        """Return whether there are bytes under a key."""
        with translated_errors():
            try:
                obstore.head(self._objects, key)
            except FileNotFoundError:
                return False
        return True

    def delete(self, key: str) -> None:
        """Delete the bytes under a key; do nothing if there are none."""
        self.claim()
        with translated_errors(), suppress(FileNotFoundError):
            obstore.delete(self._objects, key)

    def older_than(self, moment: datetime, folder: str) -> list[str]:
        """Return the keys in a folder whose bytes were last written before `moment`."""
        self._is_claimed = False  # check the mark again before anything is removed
        self.claim()
        with translated_errors():
            return [
                listed["path"]
                for page in obstore.list(self._objects, prefix=folder)
                for listed in page
                if listed["last_modified"] < moment
            ]

    def remove(self, key: str, moment: datetime) -> bool:
        """Delete the bytes under a key if they were last written before `moment`.

        Return whether they were deleted.
        """
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


def _open(address: str, retry_seconds: float) -> S3Store:
    name, _, prefix = address.removeprefix("s3://").partition("/")
    half = retry_seconds / 2
    retries: RetryConfig = {
        "max_retries": UNLIMITED,
        "retry_timeout": timedelta(seconds=retry_seconds),
        "backoff": {
            "init_backoff": timedelta(seconds=0.1),
            "max_backoff": timedelta(seconds=LONGEST_PAUSE_SECONDS),
            "base": 2,
        },
    }
    return S3Store(
        name,
        prefix=prefix or None,
        config=cast(
            "S3Config",  # a cast, because S3Config lacks the options that all stores share
            {
                # Lets the store reject bytes that were damaged in transit.
                "checksum_algorithm": "SHA256",
                "connect_timeout": f"{min(half, CONNECT_TIMEOUT_SECONDS)}s",
                "read_timeout": f"{min(half, READ_TIMEOUT_SECONDS)}s",
                "timeout": f"{TRANSFER_TIMEOUT_SECONDS}s",
            },
        ),
        retry_config=retries,
        credential_provider=file_credentials(),
    )


@contextmanager
def translated_errors() -> Iterator[None]:
    """Translate errors of the object store to `StorageUnavailable`, and log their messages."""
    try:
        yield
    except BaseError as error:
        cause = cause_of(error)
        logger.warning("object store unavailable", cause=cause, error=str(error).partition("\n")[0])
        raise StorageUnavailable(cause) from error


def _owner(objects: S3Store) -> str | None:
    """Return the id with which an installation marked the bucket; None if it is unmarked."""
    with translated_errors():
        try:
            mark = bytes(obstore.get(objects, MARK).bytes())
        except FileNotFoundError as error:
            if "NoSuchBucket" in str(error):
                raise StorageUnavailable(cause_of(error)) from error
            return None
    return mark.decode(errors="replace")


def reason_against(owner: str | None, own: str) -> str:
    """Return a clause that says why installation `own` must not use a bucket, and what to do.

    `owner` is the id of the installation that has marked the bucket; None if none has.
    """
    if owner is None:
        return (
            "no web process of this installation has used this bucket and prefix yet: start it, or "
            "correct WASSAY_ARRAYS_URL"
        )
    return (
        f"the arrays there belong to installation {owner[:64]}, and this database is {own}: choose "
        "another bucket or prefix in WASSAY_ARRAYS_URL, or see `wassay installation`"
    )


def cause_of(error: Exception) -> str:
    """Return the cause of a store's error as a clause for the operator, without secrets."""
    message = str(error).partition("\nDebug source")[0]
    code = re.search(r"<Code>(\w{1,64})</Code>", message)
    said = f" ({code[1]})" if code else ""
    if unreadable := re.search(r"\bAWS_\w+_FILE: .+", message):
        return f"the object store's credentials: {unreadable[0]}"
    if "InvalidCertificate(" in str(error):
        return (
            "the object store's certificate is not trusted: name a file with its authority's "
            "certificate in SSL_CERT_FILE (AWS_CA_BUNDLE is not read)"
        )
    if isinstance(error, PermissionDeniedError | UnauthenticatedError):
        return (
            f"the object store refuses the service's credentials{said}: check AWS_ACCESS_KEY_ID, "
            "AWS_SECRET_ACCESS_KEY, the key's rights and this machine's clock"
        )
    if isinstance(error, FileNotFoundError):
        return "the bucket does not exist: create it, or correct WASSAY_ARRAYS_URL"
    if status := re.search(r"status code: (\d{3})", message):
        return f"the object store responds with an error{said or f' ({status[1]})'}"
    return "the object store does not respond: check AWS_ENDPOINT_URL and the network"
