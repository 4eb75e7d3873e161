"""Locks that live exactly as long as a worker's process, so that no clock tells who is alive.

On SQLite it is a lock on a file beside the database: the kernel takes it back at the moment the
process ends, however it ends. On Postgres it is an advisory lock of a session: the server takes it
back when the connection closes, or when a vanished machine no longer answers (see
`app.database.POSTGRES_SESSION`). The session must be the worker's own all the time, so a
connection pooler has to pool sessions, not transactions.

The job library (DBOS) tells nobody which workers are alive; its paid service does.

A process that is frozen keeps its lock, and says nothing. One that lives asks for its own four
times a second: on Postgres the server keeps the time, and ends a session that is silent for a
minute; on SQLite it is the file's, and whoever finds it as old takes the lock away with the file.
"""

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

from ..database import FROZEN_SECONDS

LOCK_CLASS = 0x57534159
"""The first half of the advisory locks' keys: none but workers' have it in this database."""

HELD_LOCKS = text(
    "SELECT objid::bigint, "
    "coalesce(extract(epoch FROM clock_timestamp() - state_change), 0)::float "
    "FROM pg_locks LEFT JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND granted "
    "AND objsubid = 2 AND classid = :class AND database = (SELECT oid FROM pg_database "
    "WHERE datname = current_database())"
)
"""The second halves of the keys that are held, each with the seconds since its session was asked
anything; 0 where the server does not tell this role."""


class LivenessLock(Protocol):
    """A worker's lock."""

    def acquire(self) -> bool:
        """Take the lock, which was lost or never taken; False: somebody else has it."""

    def lost(self) -> bool:
        """Tell whether the lock went away while this process lives; others see that it asks."""

    def release(self) -> None:
        """Give the lock back."""


class FileLock:
    """A lock on a file of the worker's own, for workers of one machine."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None

    def acquire(self) -> bool:
        """Take the lock; False: somebody else has it, or looks at it just now.

        It is taken from who was silent for `FROZEN_SECONDS`, and finds so when it wakes.
        """
        self._path.parent.mkdir(exist_ok=True, mode=0o700)
        if silence_of(self._path) >= FROZEN_SECONDS:
            self._path.unlink(missing_ok=True)
        file = self._path.open("ab")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            return False
        self._file = file
        return not self.lost()  # as it is if the file was removed after it was opened

    def lost(self) -> bool:
        """Tell whether the file was removed, as others do where its holder was silent for long."""
        if self._file is not None:
            with suppress(OSError):  # a disk that cannot be written to
                os.utime(self._file.fileno())
            if not self._is_in_place(self._file):
                self._file.close()
                self._file = None
        return self._file is None

    def release(self) -> None:
        """Remove the file and give the lock back."""
        if self._file is not None:
            self._path.unlink(missing_ok=True)
            self._file.close()
            self._file = None

    def _is_in_place(self, file: BinaryIO) -> bool:
        try:
            return os.path.samestat(os.fstat(file.fileno()), self._path.stat())
        except FileNotFoundError:
            return False


class AdvisoryLock:
    """An advisory lock of a Postgres session of the worker's own, for workers anywhere."""

    def __init__(self, engine: Engine, worker_id: str) -> None:
        self._engine = engine
        self._worker_id = worker_id
        self._connection: Connection | None = None

    def acquire(self) -> bool:
        """Take the lock in a new session; False: somebody else has it."""
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        connection.detach()
        taken = connection.execute(
            text("SELECT pg_try_advisory_lock(:class, :key)"),
            {"class": LOCK_CLASS, "key": signed_key(self._worker_id)},
        ).scalar_one()
        if not taken:
            connection.close()
            return False
        connection.exec_driver_sql(f"SET idle_session_timeout = '{FROZEN_SECONDS}s'")
        self._connection = connection
        return True

    def lost(self) -> bool:
        """Tell whether the session broke, as when the server was started anew."""
        if self._connection is not None:
            try:
                self._connection.exec_driver_sql("SELECT 1")
            except DBAPIError:
                self._connection.invalidate()
                self._connection.close()
                self._connection = None
        return self._connection is None

    def release(self) -> None:
        """End the session."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def lock_of(engine: Engine, worker_id: str) -> LivenessLock:
    """Return the lock of a worker of this database."""
    if engine.dialect.name == "postgresql":
        return AdvisoryLock(engine, worker_id)
    return FileLock(lock_file(engine, worker_id))


def living_among(connection: Connection, worker_ids: Sequence[str]) -> dict[str, float]:
    """Return those of the workers whose lock is held, and for how many seconds each was silent."""
    if connection.dialect.name == "postgresql":
        rows = connection.execute(HELD_LOCKS, {"class": LOCK_CLASS})
        held: dict[int, float] = dict(rows.all())
        silences = {name: held.get(signed_key(name) % 2**32) for name in worker_ids}
    else:
        files = {name: lock_file(connection.engine, name) for name in worker_ids}
        silences = {name: silence_of(file) for name, file in files.items() if is_locked(file)}
    return {
        name: silence
        for name, silence in silences.items()
        if silence is not None and silence < FROZEN_SECONDS
    }


def is_locked(path: Path) -> bool:
    """Tell whether somebody holds the lock of a file, without keeping them from it for long."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def silence_of(path: Path) -> float:
    """Return the seconds since the holder of a file's lock asked for it; 0 if there is no file."""
    with suppress(FileNotFoundError):
        return max(0.0, time.time() - path.stat().st_mtime)
    return 0.0


def lock_file(engine: Engine, worker_id: str) -> Path:
    """Return the file of a worker's lock, beside the SQLite database."""
    database = Path(str(engine.url.database)).absolute()
    return database.with_name(f"{database.name}-workers") / worker_id


def signed_key(worker_id: str) -> int:
    """Return the second half of a worker's advisory lock key: 32 bits of a digest of its id."""
    digest = hashlib.sha256(worker_id.encode()).digest()
    return int.from_bytes(digest[:4], "big", signed=True)
