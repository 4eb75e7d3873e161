"""Check what a machine needs to do the service's work: database, clock, disk, bucket, key."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from prometheus_client import Gauge
from sqlalchemy import Connection, select
from sqlalchemy.exc import SQLAlchemyError

from wassay.redaction import redacted

from .arrays.problems import StorageUnavailable
from .arrays.store import ArrayStore
from .database import Database, clock_timestamp
from .schema.compatibility import SchemaTooNew, incompatibility

MAX_CLOCK_ERROR_SECONDS = 300.0
"""The largest error of the clock. Object stores refuse requests if it is off by 15 minutes."""
CHECKS = ("database", "schema", "clock", "disk", "arrays", "receipts")

failed = Gauge(
    "wassay_worker_check_failed",
    "1 if this check was the first to find a fault when the worker's machine was last checked.",
    ["check"],
)


@dataclass(frozen=True)
class CheckResult:
    """The result of one check. `fault` states what is wrong; None if nothing is."""

    name: str
    fault: str | None


class MachineCheck:
    """Check what this machine needs to do the service's work.

    Parameters
    ----------
    database
        The service's database.
    open_store
        Opens the machine's store of arrays. If this function raises `OSError`, the next call of
        `findings` tries again.
    signing_fault
        Returns why the machine cannot sign receipts, or None.
    clock
        Returns the machine's time.
    """

    def __init__(
        self,
        database: Database,
        open_store: Callable[[], ArrayStore],
        signing_fault: Callable[[], str | None] = lambda: None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._database = database
        self._open_store = open_store
        self._store: ArrayStore | None = None
        self._signing_fault = signing_fault
        self._clock = clock

    def findings(self) -> Iterator[CheckResult]:
        """Yield the result of each check, but skip checks that an earlier fault prevents."""
        schema_fault: str | None = "unknown"
        try:
            with self._database.engine.connect() as connection:
                yield CheckResult("database", None)
                schema_fault = _schema_fault(connection)
                yield CheckResult("schema", schema_fault)
                yield CheckResult("clock", self._clock_fault(connection))
        except SQLAlchemyError as error:
            cause = str(getattr(error, "orig", error)).partition("\n")[0]
            yield CheckResult("database", redacted(f"the database is unavailable ({cause})"))
        yield CheckResult("disk", self._disk_fault())
        # Until the check of the disk has opened the store, skip the arrays and the key.
        if self._store is not None:
            yield CheckResult("arrays", _store_fault(self._store))
            if schema_fault is None:
                yield CheckResult("receipts", self._key_fault())

    def fault(self) -> str | None:
        """Return the first fault, or None, and note in the metrics which check found it."""
        first = next((each for each in self.findings() if each.fault is not None), None)
        for name in CHECKS:
            failed.labels(name).set(first is not None and first.name == name)
        return None if first is None else first.fault

    def _clock_fault(self, connection: Connection) -> str | None:
        if connection.dialect.name == "sqlite":
            return None  # SQLite's clock is this machine's
        theirs = connection.execute(select(clock_timestamp())).scalar_one()
        ahead = (self._clock() - theirs).total_seconds()
        if abs(ahead) <= MAX_CLOCK_ERROR_SECONDS:
            return None
        return (
            f"this machine's clock is {abs(ahead):.0f} s {'ahead of' if ahead > 0 else 'behind'} "
            f"the database's; {MAX_CLOCK_ERROR_SECONDS:.0f} s are allowed: set the clock, best by "
            "NTP"
        )

    def _key_fault(self) -> str | None:
        try:
            return self._signing_fault()
        except (SQLAlchemyError, OSError) as error:
            return redacted(f"the receipt key cannot be checked ({error})")

    def _disk_fault(self) -> str | None:
        try:
            if self._store is None:
                self._store = self._open_store()
            self._store.check_disk()
        except OSError as error:
            return (
                f"the data folder cannot be written to ({error.strerror or error}): free space, or "
                "correct WASSAY_DATA_FOLDER and its permissions"
            )
        return None


def _schema_fault(connection: Connection) -> str | None:
    try:
        return incompatibility(connection)
    except SchemaTooNew as error:
        return str(error)


def _store_fault(store: ArrayStore) -> str | None:
    try:
        store.check_rights()
    except StorageUnavailable as error:
        return error.cause
    return None
