"""Lists, newest first, read page by page from a cursor that holds the place of the last item."""

import base64
import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Annotated, Any, NamedTuple, Protocol, TypeVar

from fastapi import Depends, Query
from pydantic import AwareDatetime, StringConstraints, TypeAdapter
from sqlalchemy import Select, tuple_
from sqlalchemy.orm import Session

from wassay.models import Model, Page

from .problems import Invalid


class BadCursor(Invalid):
    """The cursor is not one that a list gave."""

    slug, title = "bad-cursor", "Bad cursor"


class Pageable(Protocol):
    """A row that a list can hold; its class has the columns of the same names."""

    @property
    def id(self) -> str:
        """What it is called."""

    @property
    def created_at(self) -> datetime:
        """When it came."""


Row = TypeVar("Row", bound=Pageable)
Item = TypeVar("Item", bound=Model)


_cursor_adapter: TypeAdapter[tuple[AwareDatetime, str]] = TypeAdapter(
    tuple[AwareDatetime, Annotated[str, StringConstraints(pattern=r"^[!-~]{1,64}$")]]
)


class Cursor(NamedTuple):
    """Where a page ended: rows that come at the same instant are told apart by their ids."""

    created_at: datetime
    id: str

    def encode(self) -> str:
        """Return the opaque cursor of this place."""
        text = json.dumps([self.created_at.isoformat(), self.id])
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    @classmethod
    def decode(cls, cursor: str) -> "Cursor":
        """Read a cursor back.

        Raises
        ------
        BadCursor
            If it is not one of ours.
        """
        try:
            text = base64.b64decode(
                cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True
            )
            return cls(*_cursor_adapter.validate_json(text))
        except ValueError as error:
            raise BadCursor(
                "Expected the next_cursor of a page as cursor; leave it out to start at the top.",
                received=cursor,
            ) from error


class PageQuery(NamedTuple):
    """Which page of a list is asked for."""

    limit: int
    after: Cursor | None


def _page_query(
    limit: Annotated[int, Query(ge=1, le=100, description="The most items of a page.")] = 50,
    cursor: Annotated[
        str | None,
        Query(max_length=200, description="`next_cursor` of the page before; none: the newest."),
    ] = None,
) -> PageQuery:
    return PageQuery(limit, None if cursor is None else Cursor.decode(cursor))


PageQueryDependency = Annotated[PageQuery, Depends(_page_query)]


def page(
    session: Session,
    rows: Select[Row],
    table: type[Row],
    query: PageQuery,
    to_wire: Callable[[Row], Item],
) -> Page[Item]:
    """Return one page of the rows that a statement selects, newest first.

    Parameters
    ----------
    session
        The session to read in.
    rows
        Which rows the list holds; without order or limit.
    table
        The rows' class, which has `created_at` and `id`.
    query
        Which page.
    to_wire
        Makes the item of a row.
    """
    found, next_cursor = rows_of_page(session, rows, table, query)
    return Page(items=[to_wire(row) for row in found], next_cursor=next_cursor)


def rows_of_page(
    session: Session, rows: Select[Row], table: type[Row], query: PageQuery
) -> tuple[Sequence[Row], str | None]:
    """Return the rows of a page and the cursor of the next, for items that are made of many rows.

    The parameters are those of `page`.
    """
    columns: Any = table
    place = tuple_(columns.created_at, columns.id)
    if query.after is not None:
        rows = rows.where(place < tuple_(*query.after))
    rows = rows.order_by(columns.created_at.desc(), columns.id.desc()).limit(query.limit + 1)
    found = session.scalars(rows).unique().all()
    shown = found[: query.limit]
    last = shown[-1] if len(found) > len(shown) else None
    return shown, None if last is None else Cursor(last.created_at, last.id).encode()
