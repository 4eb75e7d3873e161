"""Write arrays as `.npy` bodies piece by piece, and read `.npy` bodies with a checked header."""

import hashlib
import io
import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.client.errors import UnexpectedResponseError
from wassay.transport import Measure
from wassay.transport.masks import require_unmasked

MEDIA_TYPE = "application/x-npy"
PIECE_BYTES = 2**20

_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


class ArrayBody:
    """The `.npy` bytes of a matrix, with weights as the last column unless they are uniform.

    Iterating yields the bytes in pieces, and can be repeated to retry a call.

    Parameters
    ----------
    rows : array_like, shape (n, c)
        The points, or the costs of a block, which are sent as little-endian float64.
    weights : ndarray, shape (n,)
        The weight of each row. Uniform weights are not sent.

    Attributes
    ----------
    weighted : bool
        Whether the last column has weights.
    length : int
        The number of bytes.
    digest : bytes
        The SHA-256 of the bytes.

    Raises
    ------
    TransportError
        If an entry of `rows` or a weight is masked.
    """

    def __init__(self, rows: ArrayLike, weights: NDArray[np.float64]) -> None:
        require_unmasked(rows, "the rows of an array")
        require_unmasked(weights, "weights")
        # A matrix of float64 whose rows are contiguous is not copied.
        self._rows = np.ascontiguousarray(rows, dtype="<f8")
        self._weights = weights
        count, columns = self._rows.shape
        self.weighted = bool(np.any(weights != 1 / count))
        shape = (count, columns + self.weighted)
        header = io.BytesIO()
        np.lib.format.write_array_header_1_0(
            header, {"descr": "<f8", "fortran_order": False, "shape": shape}
        )
        self._header = header.getvalue()
        self.length: int = len(self._header) + 8 * math.prod(shape)
        hasher = hashlib.sha256()
        for piece in self:
            hasher.update(piece)
        self.digest = hasher.digest()

    def free_rows(self) -> None:
        """Free the rows after the body was sent."""
        # The last response would keep them in memory until the next call.
        self._rows = self._rows[:0].copy()

    def between(self, start: int, end: int) -> "Part":
        """Return the bytes from `start` up to but not including `end`."""
        return Part(self, start, end)

    def __iter__(self) -> Iterator[bytes]:
        return (piece for _, piece in self.pieces_from(0))

    def pieces_from(self, start: int) -> Iterator[tuple[int, bytes]]:
        """Yield each piece as (offset, bytes), beginning with the piece that contains `start`."""
        if start < len(self._header):
            yield 0, self._header
        count, columns = self._rows.shape
        row_bytes = 8 * (columns + self.weighted)
        first = max(0, start - len(self._header)) // row_bytes
        step = max(1, PIECE_BYTES // row_bytes)
        for row in range(first, count, step):
            part = self._rows[row : row + step]
            if self.weighted:
                part = np.column_stack((part, self._weights[row : row + step]))
            yield len(self._header) + row * row_bytes, part.tobytes()


class Part:
    """A range of a body's bytes. It can be iterated over again to retry a call."""

    def __init__(self, body: ArrayBody, start: int, end: int) -> None:
        self._body = body
        self._start = start
        self._end = end

    def __iter__(self) -> Iterator[bytes]:
        for begin, piece in self._body.pieces_from(self._start):
            if begin >= self._end:
                return
            yield piece[max(self._start - begin, 0) : self._end - begin]


def read_measure(content: bytes, *, weighted: bool) -> Measure:
    """Parse a measure from the `.npy` bytes of a response.

    Parameters
    ----------
    content : bytes
    weighted : bool
        Whether the last column has weights.

    Raises
    ------
    UnexpectedResponseError
        If the bytes are not a matrix of floats in `.npy` format, or are more or fewer than the
        header declares.
    """
    stream = io.BytesIO(content)
    try:
        read_header = _HEADERS[np.lib.format.read_magic(stream)]
        shape, fortran, dtype = read_header(stream)
    except (ValueError, KeyError) as error:
        raise UnexpectedResponseError(f"expected a measure in .npy format: {error}") from error
    payload = memoryview(content)[stream.tell() :]
    if dtype.str not in {"<f4", "<f8"} or len(shape) != 2:
        raise UnexpectedResponseError(
            f"expected a matrix of little-endian floats, received {dtype.str} of shape {shape}"
        )
    if math.prod(shape) * dtype.itemsize != len(payload):
        raise UnexpectedResponseError(
            f"the .npy header declares shape {shape}, but {len(payload)} bytes follow it"
        )
    matrix = np.frombuffer(payload, dtype).reshape(shape, order="F" if fortran else "C")
    return Measure(matrix[:, :-1], matrix[:, -1]) if weighted else Measure(matrix)
