"""Iterate over lists that the service returns in pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, Generic, TypeVar

from wassay.client.connection.flows import (
    Awaiting,
    Blocking,
    Flow,
    R,
    Runner,
    Runs,
    operation,
)
from wassay.models import Model, Page

Item = TypeVar("Item", bound=Model)
ReadPage = Callable[[str | None], Flow[Page[Item]]]


class Pages(Runs[R], Generic[Item, R]):
    """Iterable over all items of a list, newest first; reads a page when it is needed.

    Use ``for`` with a `Client` and ``async for`` with an `AsyncClient`.
    """

    def __init__(self, read: ReadPage[Item], run: Runner) -> None:
        super().__init__(run)
        self._read = read

    def __iter__(self: Pages[Item, Blocking]) -> Iterator[Item]:
        page: Any = self._run(self._read(None))
        if isinstance(page, Coroutine):
            page.close()
            raise TypeError(
                "expected async for, or await ….all(), to read a list of an AsyncClient"
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
    def all(self) -> Flow[list[Item]]:
        """Read all pages and return the items as a list.

        Returns
        -------
        list
        """
        return read_all(self._read)


def read_all(read: ReadPage[Item]) -> Flow[list[Item]]:
    """Read all pages of a list and return its items."""
    page = yield from read(None)
    items = list(page.items)
    while page.next_cursor is not None:
        page = yield from read(page.next_cursor)
        items += page.items
    return items
