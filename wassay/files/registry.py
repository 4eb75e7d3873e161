"""The registry of file formats: each is a module of `wassay.files.formats`."""

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
        """Tell whether a file that begins with these bytes has this format.

        Callers ask this only of files whose suffix belongs to no format.
        """

    def read(self, source: Source, class_column: str | None, only: str | None = None) -> Batches:
        """Open a file to read its rows in batches.

        Callers may open one file several times: to draw a sample by classes, three times.

        Parameters
        ----------
        source : Source
            The file, positioned at its first byte. The caller closes the file.
        class_column : str or None
            The column with classes, which a format without types reads as text. A format without
            named columns raises `Unreadable`, unless this is None.
        only : str, optional
            The one column that the caller uses; None for all columns. A format may read other
            columns too, but that takes longer.

        Returns
        -------
        Batches

        Raises
        ------
        Unreadable
            If the file does not have this format. Iterating over the batches may raise this, too.
        """


@cache
def by_suffix() -> Mapping[str, Format]:
    """Map each suffix, in lower case, to its format; sorted by the modules' names."""
    modules = [
        cast("Format", import_module(f"{formats.__name__}.{each.name}"))
        for each in iter_modules(formats.__path__)
    ]
    return MappingProxyType({suffix: each for each in modules for suffix in each.SUFFIXES})


def format_of(suffix: str, file: BinaryIO) -> Format:
    """Return the format of a file: by its suffix or, if that is unknown, by its first bytes.

    If several formats recognise the bytes, return the one whose module's name sorts first.

    Raises
    ------
    Unreadable
        If no format has the suffix or recognises the bytes.
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
        f"expected a file of points ({', '.join(sorted(known))}), received a file with the suffix "
        f"{suffix!r} that begins like no known format: write the points in one of these formats"
    )
