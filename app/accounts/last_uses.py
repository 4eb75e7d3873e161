"""When keys were last used, written by a thread of its own, so that no request waits for it."""

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
END_SECONDS = 1.0


class LastUses:
    """Writes down when keys were used, to the minute, as far as the database takes it.

    A use that cannot be written, since another program has locked the database, is dropped: the
    key's next use is written instead.

    Parameters
    ----------
    database
        Where the keys are.
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
        """Write what is left, if that takes no more than a second."""
        with self._changed:
            self._ending = True
            self._changed.notify()
        self._thread.join(END_SECONDS)

    def note(self, key_id: str, used_at: datetime, before: datetime | None) -> None:
        """Have the use of a key written, unless the last one `before` was within a minute."""
        if before is None or used_at - before >= PRECISION:
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
                logger.warning("last uses of keys not noted", keys=len(uses), error=repr(error))

    def _next(self) -> dict[str, datetime]:
        """Wait for uses and return them; none at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._uses or self._ending)
            uses, self._uses = self._uses, {}
            return uses
