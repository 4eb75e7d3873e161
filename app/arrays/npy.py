"""Read `.npy` files from untrusted sources.

The header is checked against the file's length before memory is allocated.
"""

import ast
import io
import os
import re
import struct
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray

from .problems import MalformedArray

MAGIC = b"\x93NUMPY"
MAX_HEADER_BYTES = 10_000
MAX_EXTENT = 2**40
ITEM_SIZES = {"<f4": 4, "<f8": 8}
ACCEPTED = "a two-dimensional .npy array of little-endian float32 or float64 (numpy.save)"
LENGTH_AND_ENCODING = {1: ("<H", "latin-1"), 2: ("<I", "latin-1"), 3: ("<I", "utf-8")}
OTHER_FORMATS = {
    b"PK\x03\x04": "an .npz or zip archive",
    b"\x80": "a pickle",
    b"\x1f\x8b": "a gzip stream",
    b"ARROW1": "an Arrow file",
    b"PAR1": "a Parquet file",
    b"[": "JSON",
    b"{": "JSON",
}


@dataclass(frozen=True)
class NpyHeader:
    """The header of an `.npy` file, with an allowed dtype and shape."""

    rows: int
    columns: int
    dtype: str
    """`<f4` or `<f8`."""
    fortran_order: bool
    """Whether the entries are stored by columns instead of by rows."""
    offset: int
    """The number of bytes before the entries."""


def read_header(file: Path) -> NpyHeader:
    """Parse the header of an `.npy` file, and check it against the length of the file.

    Raises
    ------
    MalformedArray
        If the file is not `.npy`, its dtype is not `<f4` or `<f8`, it does not have two non-zero
        dimensions, or its length does not match the declared shape.
    """
    with file.open("rb") as stream:
        length = os.fstat(stream.fileno()).st_size
        header = parse_header(stream)
    expected = header.offset + header.rows * header.columns * ITEM_SIZES[header.dtype]
    if length != expected:
        raise MalformedArray(
            f"Expected {expected} bytes for the declared {header.rows} × {header.columns} entries "
            f"of {header.dtype}, header included; received {length}.",
            expected=expected,
            received=length,
        )
    return header


def parse_header(stream: BinaryIO) -> NpyHeader:
    """Parse the header at the beginning of `.npy` bytes.

    Raises
    ------
    MalformedArray
        If the bytes are not `.npy`, or the dtype or the shape is not allowed.
    """
    fields = _read_fields(stream)
    dtype = _checked_dtype(fields["descr"])
    rows, columns = _checked_shape(fields["shape"])
    fortran_order = fields["fortran_order"]
    if not isinstance(fortran_order, bool):
        raise MalformedArray(
            "Expected fortran_order in the .npy header to be True or False. Write the file with "
            "numpy.save.",
            expected="True or False",
        )
    return NpyHeader(rows, columns, dtype, fortran_order, stream.tell())


def memory_map(file: Path) -> NDArray[Any]:
    """Map an `.npy` file read-only, without loading it: (rows, columns), float32 or float64.

    Raises
    ------
    MalformedArray
        If `read_header` finds the file malformed.
    """
    header = read_header(file)
    return np.memmap(
        file,
        dtype=header.dtype,
        mode="r",
        offset=header.offset,
        shape=(header.rows, header.columns),
        order="F" if header.fortran_order else "C",
    )


def load(file: Path) -> NDArray[Any]:
    """Read a small `.npy` file into memory: (rows, columns), float32 or float64.

    Raises
    ------
    MalformedArray
        If `read_header` finds the file malformed.
    """
    header = read_header(file)
    entries = np.fromfile(file, header.dtype, offset=header.offset)
    order: Literal["C", "F"] = "F" if header.fortran_order else "C"
    return entries.reshape((header.rows, header.columns), order=order)


def to_bytes(array: NDArray[np.float64]) -> bytes:
    """Convert an array to `.npy` bytes. Equal arrays in equal memory order give equal bytes."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, version=(1, 0), allow_pickle=False)
    return buffer.getvalue()


def _read_fields(stream: BinaryIO) -> dict[str, Any]:
    start = stream.read(len(MAGIC) + 2)
    if not start.startswith(MAGIC) or len(start) < len(MAGIC) + 2:
        received = next(
            (name for magic, name in OTHER_FORMATS.items() if start.startswith(magic)), None
        )
        raise MalformedArray(
            f"Expected {ACCEPTED}; received {received or 'another format'}.",
            expected=ACCEPTED,
            received=received,
        )
    major, minor = start[-2:]
    if major not in LENGTH_AND_ENCODING or minor != 0:
        raise MalformedArray(
            f"Expected .npy version 1.0, 2.0 or 3.0; received {major}.{minor}.",
            expected=["1.0", "2.0", "3.0"],
            received=f"{major}.{minor}",
        )
    length_format, encoding = LENGTH_AND_ENCODING[major]
    length_bytes = stream.read(struct.calcsize(length_format))
    if len(length_bytes) < struct.calcsize(length_format):
        raise MalformedArray(
            "Expected a complete .npy header; received a truncated one. Send the whole file.",
            expected=ACCEPTED,
        )
    (length,) = struct.unpack(length_format, length_bytes)
    if length > MAX_HEADER_BYTES:
        raise MalformedArray(
            f"Expected an .npy header of at most {MAX_HEADER_BYTES} bytes; received {length}.",
            expected=MAX_HEADER_BYTES,
            received=length,
        )
    text = stream.read(length)
    if len(text) < length:
        raise MalformedArray(
            "Expected a complete .npy header; received a truncated one. Send the whole file.",
            expected=length,
            received=len(text),
        )
    return _parse_fields(text, encoding)


@lru_cache(maxsize=64)
def _parse_fields(text: bytes, encoding: str) -> dict[str, Any]:
    try:
        fields = ast.literal_eval(text.decode(encoding).strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        fields = None
    if not isinstance(fields, dict) or fields.keys() != {"descr", "fortran_order", "shape"}:
        raise MalformedArray(
            "Expected the .npy header to be a dictionary of descr, fortran_order and shape. Write "
            "the file with numpy.save.",
            expected=["descr", "fortran_order", "shape"],
        )
    return fields


def _checked_dtype(descr: object) -> str:
    if isinstance(descr, str) and descr in ITEM_SIZES:
        return descr
    # Repeat only short, printable type strings in the error.
    is_plain = isinstance(descr, str) and re.fullmatch(r"[<>|=]?[?a-zA-Z]\d{0,9}", descr)
    received = (
        descr if is_plain else "a structured type" if isinstance(descr, list) else "another type"
    )
    raise MalformedArray(
        f"Expected {ACCEPTED}; received the dtype {received!r}. Convert with array.astype('<f8').",
        expected=list(ITEM_SIZES),
        received=received,
    )


def _checked_shape(shape: object) -> tuple[int, int]:
    extents = shape if isinstance(shape, tuple) else (None,)
    if not all(type(extent) is int and extent >= 0 for extent in extents):
        raise MalformedArray(
            "Expected the shape in the .npy header to be a tuple of non-negative integers. Write "
            "the file with numpy.save."
        )
    if any(extent > MAX_EXTENT for extent in extents):
        raise MalformedArray(
            f"Expected extents of at most {MAX_EXTENT} in the .npy header's shape."
        )
    if len(extents) != 2 or 0 in extents:
        raise MalformedArray(
            "Expected two dimensions, with at least one row and one column; "
            f"received the shape {extents[:8]}.",
            expected="(rows, columns), each at least 1",
            received=extents[:8],
        )
    return extents[0], extents[1]
