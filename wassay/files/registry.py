"""The file formats: one module each in `wassay.files.formats`."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType
from typing import BinaryIO, Protocol, cast

from wassay.files import formats
from wassay.files.batches import Batches, Source
from wassay.files.errors import Unreadable

HEAD_BYTES = 4096


class Format(Protocol):
    """The interface of a format's module."""

    SUFFIXES: tuple[str, ...]

    def recognises(self, head: bytes) -> bool:
        """Whether a file with these first bytes has this format; for files without a suffix."""

    def read(self, source: Source, class_column: str | None, only: str | None = None) -> Batches:
        """Open a file to read its rows in batches.

        It is called again for each pass over the same file: to sample a table by its classes, once
        for the names of its columns, once for the classes, and once for the drawn rows.

        Parameters
        ----------
        source : Source
            Positioned at its first byte; the caller closes it.
        class_column : str or None
            The column that holds classes. If the file states no types, read it as text, so that 00
            and 0 differ; if it has no named columns, raise.
        only : str, optional
            The one column that the caller needs in this pass, and finds by its name. Reading no
            other saves time; a format that reads files whole may read them all.

        Returns
        -------
        Batches

        Raises
        ------
        Unreadable
            If it does not have this format; also while batches are read.
        """


@cache
def by_suffix() -> Mapping[str, Format]:
    """Return the format of each suffix, in lower case, in the order of the modules' names."""
    modules = [
        cast("Format", import_module(f"{formats.__name__}.{each.name}"))
        for each in iter_modules(formats.__path__)
    ]
    return MappingProxyType({suffix: each for each in modules for suffix in each.SUFFIXES})


def format_of(suffix: str, file: BinaryIO) -> Format:
    """Detect the format of a file by its suffix, or else by its first bytes.

    The first format that recognises the bytes is taken, in the order of the modules' names.

    Raises
    ------
    Unreadable
        If neither is known.
    """
    known = by_suffix()
    if suffix.lower() in known:
        return known[suffix.lower()]
    head = file.read(HEAD_BYTES)
    file.seek(0)
    for each in dict.fromkeys(known.values()):
        if each.recognises(head):
            return each
    raise Unreadable(
        f"expected a file of points ({', '.join(sorted(known))}), received one with the suffix "
        f"{suffix!r} and the first bytes of no known format: write the points in one of these"
    )
