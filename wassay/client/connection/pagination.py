"""Iterate over lists that the service returns in pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from datetime import datetime
from enum import Enum
from typing import Any, Generic, TypeVar

from pydantic_core import to_json

from wassay.client.connection.flows import (
    Awaiting,
    Blocking,
    Flow,
    R,
    Runner,
    Runs,
    operation,
)
from wassay.client.errors import NotAwaitedError
from wassay.models import Listed, Model, Page
from wassay.models.base import id_first
from wassay.tabular import Columns, Tabular, records_to_columns

Item = TypeVar("Item", bound=Model)
ReadPage = Callable[[str | None], Flow[Page[Item]]]


class Records(list[Item], Tabular, Generic[Item]):
    """A list of items, which can also be shown and exported as a table of the items' fields."""

    __repr__ = Tabular.__repr__

    def shown(self) -> Columns:
        """Return the columns to show: the fields that the `repr` of at least one item shows.

        Returns
        -------
        dict of str to list
        """
        facts = [item.facts() if isinstance(item, Listed) else dict(item) for item in self]
        names = id_first(dict.fromkeys(name for each in facts for name in each))
        return {name: [each.get(name) for each in facts] for name in names}

    def to_dict(self) -> Columns:
        """Return the columns of a table with one row for each item.

        Fields with several values are written as JSON.

        Returns
        -------
        dict of str to list
        """
        names = id_first(type(self[0]).model_fields if self else ())
        fields = [{name: _cell(getattr(item, name)) for name in names} for item in self]
        return records_to_columns(fields)


def _cell(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, (str, int, float, datetime)):
        return value
    return to_json(value).decode()


class Pages(Runs[R], Generic[Item, R]):
    """Iterates over all items of a list, newest first, and reads each page when it is needed.

    Use ``for`` with a `Client` and ``async for`` with an `AsyncClient`.
    """

    def __init__(self, read: ReadPage[Item], run: Runner) -> None:
        super().__init__(run)
        self._read = read

    def __iter__(self: Pages[Item, Blocking]) -> Iterator[Item]:
        page: Any = self._run(self._read(None))
        if isinstance(page, Coroutine):
            page.close()
            raise NotAwaitedError(
                "expected async for, or await ….all(), to read a list of an AsyncClient, received "
                "for or list()"
            )
        yield from page.items
        while page.next_cursor is not None:
            page = self._run(self._read(page.next_cursor))
            yield from page.items

    async def __aiter__(self: Pages[Item, Awaiting]) -> AsyncIterator[Item]:
        page: Page[Item] = await self._run(self._read(None))
        for item in page.items:
            yield item
        while page.next_cursor is not None:
            page = await self._run(self._read(page.next_cursor))
            for item in page.items:
                yield item

    @operation
    def all(self) -> Flow[Records[Item]]:
        """Read all pages and return the items as a list.

        Returns
        -------
        Records
            A list that can also be shown and exported as a table.
        """
        return read_all(self._read)


def read_all(read: ReadPage[Item]) -> Flow[Records[Item]]:
    """Read all pages of a list, and return the items of all pages."""
    page = yield from read(None)
    items = Records(page.items)
    while page.next_cursor is not None:
        page = yield from read(page.next_cursor)
        items += page.items
    return items
