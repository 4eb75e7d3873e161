"""Locks that show which workers are alive: a process loses its lock when it ends or is frozen."""

import fcntl
import hashlib
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Protocol

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from ..engine import FROZEN_LOCK_SECONDS

LOCK_CLASS = 0x57534159
"""The first half of the key of every worker's advisory lock, and of no other lock."""

TRY_LOCK = text("SELECT pg_try_advisory_lock(:class, :key)")
UNLOCK = text("SELECT pg_advisory_unlock(:class, :key)")
HELD_LOCKS = text(
    "SELECT objid::bigint, "
    "coalesce(extract(epoch FROM clock_timestamp() - state_change), 0)::float "
    "FROM pg_locks LEFT JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted "
    "AND objsubid = 2 AND classid = :class AND database = (SELECT oid FROM pg_database "
    "WHERE datname = current_database())"
)
"""Select the second half of each held key, and the seconds since its session's last query.

The seconds are 0 if the server does not disclose them to this role.
"""


class LivenessLock(Protocol):
    """The lock that shows that a worker is alive."""

    def acquire(self) -> bool:
        """Acquire the lock, which this process must not hold; return False if another holds it."""

    def heartbeat(self) -> bool:
        """Show others that this process is not frozen; return False if the lock is lost."""

    def release(self) -> None:
        """Release the lock."""


class FileLock:
    """A lock on a file beside the SQLite database, for workers on one machine."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None

    def acquire(self) -> bool:
        """Acquire the lock; return False if another process holds it, or is just testing it.

        If the holder has been silent for `FROZEN_LOCK_SECONDS`, take the lock from it.
        """
        self._path.parent.mkdir(exist_ok=True, mode=0o700)
        if silent_seconds(self._path) >= FROZEN_LOCK_SECONDS:  # the holder is frozen
            self._path.unlink(missing_ok=True)
        file = self._path.open("ab")
        try:
            # The kernel releases the lock however the process ends.
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return False
        self._file = file
        return self.heartbeat()  # returns False if the file was removed after it was opened

    def heartbeat(self) -> bool:
        """Set the file's time to now; return False if another worker has removed the file."""
        if self._file is not None:
            with suppress(OSError):  # the disk may be full or read-only; the lock is still held
                os.utime(self._file.fileno())
            if not self._is_current(self._file):
                self._file.close()
                self._file = None
        return self._file is not None

    def release(self) -> None:
        """Remove the file, and release the lock."""
        if self._file is not None:
            self._path.unlink(missing_ok=True)
            self._file.close()
            self._file = None

    def _is_current(self, file: BinaryIO) -> bool:
        try:
            return os.path.samestat(os.fstat(file.fileno()), self._path.stat())
        except FileNotFoundError:
            return False


class AdvisoryLock:
    """An advisory lock in a worker's own Postgres session, for workers on any machine."""

    def __init__(self, engine: Engine, worker_id: str) -> None:
        self._engine = engine
        self._key = {"class": LOCK_CLASS, "key": signed_key(worker_id)}
        self._connection: Connection | None = None

    def acquire(self) -> bool:
        """Acquire the lock in a new session; return False if another session holds it."""
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        # A connection pooler has to pool sessions, not transactions, so that this session is kept.
        connection.detach()
        # The server releases the lock when the session ends, even if this machine vanishes (see
        # `app.engine.POSTGRES_SESSION`).
        acquired = connection.execute(TRY_LOCK, self._key).scalar_one()
        if not acquired:
            connection.close()
            return False
        # If this process freezes, the server ends the session.
        connection.exec_driver_sql(f"SET idle_session_timeout = '{FROZEN_LOCK_SECONDS}s'")
        self._connection = connection
        return True

    def heartbeat(self) -> bool:
        """Run a query in the lock's session; return False if the session is broken."""
        if self._connection is not None:
            try:
                self._connection.exec_driver_sql("SELECT 1")
            except DBAPIError:
                self._connection.invalidate()
                self._connection.close()
                self._connection = None
        return self._connection is not None

    def release(self) -> None:
        """Unlock, then close the session."""
        if self._connection is not None:
            # Unlock, because the server may release the lock of a closed session only later.
            with suppress(DBAPIError):  # if the session broke, the lock is released already
                self._connection.execute(UNLOCK, self._key)
            self._connection.close()
            self._connection = None


def liveness_lock(engine: Engine, worker_id: str) -> LivenessLock:
    """Return the lock with which a worker of this database shows that it is alive."""
    if engine.dialect.name == "postgresql":
        return AdvisoryLock(engine, worker_id)
    return FileLock(lock_file(engine, worker_id))


def living_among(connection: Connection, worker_ids: Sequence[str]) -> dict[str, float]:
    """Return the seconds since the last heartbeat of each living worker, keyed by the worker's id.

    A worker is living if it holds its lock and was silent for less than `FROZEN_LOCK_SECONDS`.
    """
    if connection.dialect.name == "postgresql":
        rows = connection.execute(HELD_LOCKS, {"class": LOCK_CLASS})
        held: dict[int, float] = dict(rows.all())
        silences = {name: held.get(signed_key(name) % 2**32) for name in worker_ids}
    else:
        files = {name: lock_file(connection.engine, name) for name in worker_ids}
        silences = {name: silent_seconds(file) for name, file in files.items() if is_locked(file)}
    return {
        name: silence
        for name, silence in silences.items()
        if silence is not None and silence < FROZEN_LOCK_SECONDS
    }


def is_locked(path: Path) -> bool:
    """Return whether a process holds the lock on a file.

    If the lock is free, this function holds it for a moment to find out.
    """
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def silent_seconds(path: Path) -> float:
    """Return the seconds since the last heartbeat on a lock file; 0 if there is no file."""
    with suppress(FileNotFoundError):
        return max(0.0, time.time() - path.stat().st_mtime)
    return 0.0


def lock_file(engine: Engine, worker_id: str) -> Path:
    """Return the path of a worker's lock file, beside the SQLite database."""
    database = Path(str(engine.url.database)).absolute()
    return database.with_name(f"{database.name}-workers") / worker_id


def signed_key(worker_id: str) -> int:
    """Return a digest of a worker's id, as a signed number: the second half of its lock's key."""
    digest = hashlib.sha256(worker_id.encode()).digest()
    return int.from_bytes(digest[:4], "big", signed=True)
