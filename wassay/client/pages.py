"""Lists that the service hands out page by page."""

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from wassay.models import Model, Page

Item = TypeVar("Item", bound=Model)


class Pages(Generic[Item]):
    """Every item of a list, newest first; further pages are read as the iteration reaches them."""

    def __init__(self, read: Callable[[str | None], Page[Item]]) -> None:
        self._read = read

    def __iter__(self) -> Iterator[Item]:
        page = self._read(None)
        yield from page.items
        while page.next_cursor is not None:
            page = self._read(page.next_cursor)
            yield from page.items
