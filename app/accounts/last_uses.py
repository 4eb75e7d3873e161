"""Record when API keys were last used, in a background thread."""

import threading
from datetime import datetime, timedelta
from types import TracebackType
from typing import Self

import structlog
from sqlalchemy.exc import SQLAlchemyError

from ..database import Database
from . import repository

logger = structlog.stdlib.get_logger("wassay.accounts")

PRECISION = timedelta(minutes=1)
FLUSH_SECONDS = 1.0


class LastUses:
    """Record when each API key was last used, to within a minute.

    If the database cannot be written, the uses are dropped.

    Parameters
    ----------
    database
        The database that holds the API keys.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._uses: dict[str, datetime] = {}
        self._ending = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="last-uses", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write the remaining uses, in at most a second."""
        with self._changed:
            self._ending = True
            self._changed.notify()
        self._thread.join(FLUSH_SECONDS)

    def note(self, key_id: str, used_at: datetime, previous: datetime | None) -> None:
        """Queue the use of a key at `used_at`.

        Do nothing if `previous`, the last recorded use, is less than a minute earlier.
        """
        if previous is None or used_at - previous >= PRECISION:
            with self._changed:
                self._uses.setdefault(key_id, used_at)
                self._changed.notify()

    def _run(self) -> None:
        while uses := self._next():
            try:
                with self._database.transaction() as session:
                    for key_id, used_at in sorted(uses.items()):
                        repository.note_use(session, key_id, used_at, PRECISION)
            except SQLAlchemyError as error:
                logger.warning("last uses of keys not recorded", keys=len(uses), error=repr(error))

    def _next(self) -> dict[str, datetime]:
        """Wait for uses, and return their times, keyed by the keys' ids.

        Return {} once `__exit__` was called and no use remains.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._uses or self._ending)
            uses, self._uses = self._uses, {}
            return uses
