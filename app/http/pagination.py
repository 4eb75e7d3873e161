"""Keyset pagination, newest first. A cursor encodes the position of the last row of a page."""

import base64
import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Any, NamedTuple, Protocol, TypeVar

from pydantic import AwareDatetime, StringConstraints, TypeAdapter
from sqlalchemy import Select, tuple_
from sqlalchemy.orm import Session

from wassay.models import Model, Page

from .problems import Invalid

DEFAULT_ITEMS = 50
"""How many items a page has if the caller does not say."""
MOST_ITEMS = 100
"""The most items that a page may have."""


class BadCursor(Invalid):
    """The cursor is not the `next_cursor` of any page."""

    slug, title = "bad-cursor", "Bad cursor"


class Pageable(Protocol):
    """A row that can be paginated. Its class has columns with the names of these members."""

    @property
    def id(self) -> str:
        """The row's id."""

    @property
    def created_at(self) -> datetime:
        """When the row was created."""


Row = TypeVar("Row", bound=Pageable)
Item = TypeVar("Item", bound=Model)


_cursor_adapter: TypeAdapter[tuple[AwareDatetime, str]] = TypeAdapter(
    tuple[AwareDatetime, Annotated[str, StringConstraints(pattern=r"^[!-~]{1,64}$")]]
)


class Cursor(NamedTuple):
    """The sort key of a page's last row. The `id` decides between rows of the same time."""

    created_at: datetime
    id: str

    def encode(self) -> str:
        """Return the cursor as an opaque string."""
        text = json.dumps([self.created_at.isoformat(), self.id])
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    @classmethod
    def decode(cls, cursor: str) -> "Cursor":
        """Decode a cursor.

        Raises
        ------
        BadCursor
            If the string is not an encoded cursor.
        """
        try:
            text = base64.b64decode(
                cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True
            )
            return cls(*_cursor_adapter.validate_json(text))
        except ValueError as error:
            raise BadCursor(
                f"Expected cursor to be the next_cursor of a page; received {cursor!a}. Leave the "
                "cursor out to start with the newest items.",
                received=cursor,
            ) from error


class PageQuery(NamedTuple):
    """A requested page: at most `limit` rows after a cursor, or the newest rows without one."""

    limit: int
    after: Cursor | None


def page(
    session: Session,
    rows: Select[Row],
    table: type[Row],
    query: PageQuery,
    to_wire: Callable[[Row], Item],
) -> Page[Item]:
    """Return one page of the selected rows, newest first.

    Parameters
    ----------
    session
        The session to read with.
    rows
        The statement that selects the whole list, without order or limit.
    table
        The class of the rows, which must have the columns `created_at` and `id`.
    query
        The requested page.
    to_wire
        Converts a row to an item of the response.
    """
    selected, next_cursor = rows_of_page(session, rows, table, query)
    return Page(items=[to_wire(row) for row in selected], next_cursor=next_cursor)


def rows_of_page(
    session: Session, rows: Select[Row], table: type[Row], query: PageQuery
) -> tuple[Sequence[Row], str | None]:
    """Return the rows of a page, and the cursor of the next page; None if there is no next page.

    The parameters are those of `page`, which converts the rows one by one.
    """
    columns: Any = table
    sort_key = tuple_(columns.created_at, columns.id)
    if query.after is not None:
        rows = rows.where(sort_key < tuple_(*query.after))
    rows = rows.order_by(columns.created_at.desc(), columns.id.desc()).limit(query.limit + 1)
    selected = session.scalars(rows).unique().all()
    items = selected[: query.limit]
    last = items[-1] if len(selected) > len(items) else None
    return items, None if last is None else Cursor(last.created_at, last.id).encode()
