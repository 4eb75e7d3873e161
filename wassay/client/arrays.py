"""Arrays as `.npy` bodies: written in pieces, read with their header checked against the length."""

import hashlib
import io
import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wassay.client.errors import UnexpectedAnswerError
from wassay.transport import Measure
from wassay.transport.masks import require_unmasked

MEDIA_TYPE = "application/x-npy"
PIECE_BYTES = 2**20

_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


class ArrayBody:
    """A matrix, and weights as its last column unless they are uniform, as `.npy` bytes.

    It can be iterated again, so that a retry sends the same bytes; the matrix is not copied.

    Parameters
    ----------
    rows : array_like, shape (n, c)
        Points, or the costs of a block. Sent as little-endian float64.
    weights : ndarray, shape (n,)
        One weight a row. Uniform weights are not sent.

    Attributes
    ----------
    weighted : bool
        Whether a last column of weights is sent.
    length : int
        Bytes in all.
    digest : bytes
        SHA-256 of the bytes.

    Raises
    ------
    TransportError
        If an entry of the rows or a weight is masked.
    """

    def __init__(self, rows: ArrayLike, weights: NDArray[np.float64]) -> None:
        require_unmasked(rows, "the rows of an array")
        require_unmasked(weights, "weights")
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
        self.length = len(self._header) + 8 * math.prod(shape)
        hasher = hashlib.sha256()
        for piece in self:
            hasher.update(piece)
        self.digest = hasher.digest()

    def since(self, start: int) -> "Rest":
        """Return what comes of these bytes from the one at `start` on."""
        return Rest(self, start)

    def __iter__(self) -> Iterator[bytes]:
        yield self._header
        count, columns = self._rows.shape
        step = max(1, PIECE_BYTES // (8 * (columns + 1)))
        for start in range(0, count, step):
            part = self._rows[start : start + step]
            if self.weighted:
                part = np.column_stack((part, self._weights[start : start + step]))
            yield part.tobytes()


class Rest:
    """The bytes of a body from a certain one on; they, too, can be iterated again."""

    def __init__(self, body: ArrayBody, start: int) -> None:
        self._body = body
        self._start = start

    def __iter__(self) -> Iterator[bytes]:
        skipped = 0
        for piece in self._body:
            begin = min(max(self._start - skipped, 0), len(piece))
            skipped += len(piece)
            if begin < len(piece):
                yield piece[begin:]


def read_measure(content: bytes, *, weighted: bool) -> Measure:
    """Read a measure that the service sent.

    Raises
    ------
    UnexpectedAnswerError
        When the bytes are not a float matrix in `.npy` format of exactly the declared size.
    """
    stream = io.BytesIO(content)
    try:
        read_header = _HEADERS[np.lib.format.read_magic(stream)]
        shape, fortran, dtype = read_header(stream)
    except (ValueError, KeyError) as error:
        raise UnexpectedAnswerError(f"expected a measure in .npy format: {error}") from error
    payload = memoryview(content)[stream.tell() :]
    if dtype.str not in {"<f4", "<f8"} or len(shape) != 2:
        raise UnexpectedAnswerError(
            f"expected a matrix of little-endian floats, came {dtype.str} of shape {shape}"
        )
    if math.prod(shape) * dtype.itemsize != len(payload):
        raise UnexpectedAnswerError(
            f"the .npy header declares shape {shape}, but {len(payload)} bytes follow it"
        )
    matrix = np.frombuffer(payload, dtype).reshape(shape, order="F" if fortran else "C")
    return Measure(matrix[:, :-1], matrix[:, -1]) if weighted else Measure(matrix)
