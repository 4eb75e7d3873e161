"""Parameters that many routes read from paths and queries: an id and a page."""

from typing import Annotated

from fastapi import Depends, Path, Query

from .ids import Id
from .pagination import DEFAULT_ITEMS, MOST_ITEMS, Cursor, PageQuery

PathId = Annotated[Id, Path()]
"""The id of a resource in a path."""


async def _page_query(
    limit: Annotated[
        int, Query(ge=1, le=MOST_ITEMS, description="The maximum number of items.")
    ] = DEFAULT_ITEMS,
    cursor: Annotated[
        str | None,
        Query(
            max_length=200,
            description="The `next_cursor` of the previous page. Absent: the newest items.",
        ),
    ] = None,
) -> PageQuery:
    return PageQuery(limit, None if cursor is None else Cursor.decode(cursor))


PageQueryDependency = Annotated[PageQuery, Depends(_page_query)]
"""The page that the query of a list asks for."""
