"""Sessions on SQLite and Postgres, and the base class of all tables."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Connection,
    DateTime,
    Dialect,
    Function,
    MetaData,
    Select,
    TypeDecorator,
    func,
    select,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import (
    DeclarativeBase,
    InstrumentedAttribute,
    Mapped,
    Session,
    mapped_column,
    sessionmaker,
)

from .engine import BEGIN, make_engine

SNAPSHOT = "REPEATABLE READ"
ON_COMMIT = "wassay_on_commit"


class UtcDateTime(TypeDecorator[datetime]):
    """A timestamp in UTC. SQLite stores no time zone, so reading adds it."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert to UTC; raise `ValueError` for a time without a time zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"expected a time with a time zone, received the naive {value!r}")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the time with the time zone UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


Json = JSON(none_as_null=True).with_variant(JSONB(none_as_null=True), "postgresql")


class Base(DeclarativeBase):
    """The base class of all tables. It names constraints, so that migrations can drop them."""

    __mapper_args__ = {"eager_defaults": True}  # noqa: RUF012 - SQLAlchemy reads a plain dict
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy reads a plain dict
        datetime: UtcDateTime,
        dict[str, Any]: Json,
        list[dict[str, Any]]: Json,
        list[str]: Json,
        list[list[str]]: Json,
        list[float]: Json,
    }


def clock_timestamp() -> Function[datetime]:
    """Return the SQL expression for the time by the database's clock.

    Every stored time comes from this clock, because the clocks of machines differ.
    """
    return func.clock_timestamp(type_=UtcDateTime())


class Timestamped:
    """Columns with the times of a row's creation and last change."""

    created_at: Mapped[datetime] = mapped_column(default=clock_timestamp())
    updated_at: Mapped[datetime] = mapped_column(
        default=clock_timestamp(), onupdate=clock_timestamp()
    )


def database_time(session: Session) -> datetime:
    """Return the time by the database's clock."""
    return session.execute(select(clock_timestamp())).scalar_one()


def on_commit(session: Session, act: Callable[[], None]) -> None:
    """Call `act` after the session's `Database.transaction` has committed."""
    session.info.setdefault(ON_COMMIT, []).append(act)


def lock_selected(
    session: Session,
    rows: Select[Any],
    key: InstrumentedAttribute[str],
    values: Mapping[str, Any] | None = None,
) -> None:
    """Lock the rows that the statement `rows` selects with the bound parameters `values`.

    Pass the primary key of the rows' table as `key`, and read the locked rows with a later
    statement.
    """
    # A lock without `key_share` would block inserts of rows that refer to the locked row.
    # A statement that has waited for a lock rereads the locked rows, but not the rows joined to
    # them. So this one reads only keys.
    locked = rows.with_only_columns(key).with_for_update(of=key, key_share=True)
    session.execute(locked, values).all()


def now() -> datetime:
    """Return the time by this machine's clock; use it only for times that are not stored."""
    return datetime.now(UTC)


class Database:
    """The database: write in `transaction()` or `statement()`, read in `snapshot()` or `look()`.

    Enter and leave each of the four in the thread that does the work.

    Parameters
    ----------
    url
        A SQLAlchemy URL, SQLite's or Postgres's.
    """

    def __init__(self, url: str) -> None:
        self.engine = make_engine(url)
        self._writing = sessionmaker(self.engine, expire_on_commit=False)
        self._reading = sessionmaker(
            self.engine.execution_options(postgresql_readonly=True, isolation_level=SNAPSHOT)
            if self.engine.dialect.name == "postgresql"
            else self.engine.execution_options(**{BEGIN: "DEFERRED"}),
            expire_on_commit=False,
        )
        self._looking = self.engine.execution_options(
            **(
                {"isolation_level": "AUTOCOMMIT"}
                if self.engine.dialect.name == "postgresql"
                else {BEGIN: None}
            )
        )

        self._stating = self.engine.execution_options(
            **(
                {"isolation_level": "AUTOCOMMIT"}
                if self.engine.dialect.name == "postgresql"
                else {BEGIN: "STATEMENT"}
            )
        )

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Open a session that commits at the end of the block, and rolls back on an exception."""
        # In one thread, because a coroutine could hold a lock while it waits for a thread.
        with self._writing.begin() as session:
            yield session
        for act in session.info.get(ON_COMMIT, ()):
            act()

    @contextmanager
    def snapshot(self) -> Iterator[Session]:
        """Open a read-only session, which sees one state of the database and waits for no locks."""
        with self._reading() as session:
            yield session

    @contextmanager
    def look(self) -> Iterator[Connection]:
        """Open a connection for reading, on which every statement sees the newest state.

        On Postgres, one statement takes half as many round trips as in a `snapshot()`.
        """
        with self._looking.connect() as connection:
            yield connection

    @contextmanager
    def statement(self) -> Iterator[Connection]:
        """Open a connection for writing, on which every statement commits by itself.

        On Postgres, one statement takes a third of the round trips of a `transaction()`.
        """
        with self._stating.connect() as connection:
            yield connection

    def dispose(self) -> None:
        """Close every connection."""
        self.engine.dispose()
