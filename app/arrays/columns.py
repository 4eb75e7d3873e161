"""The columns of a row that stands for a stored array."""

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column

from ..database import Timestamped, now
from .uploaded_array import UploadedArray


class StoredArrayColumns(Timestamped):
    """What came, and the digest under which the store keeps its bytes.

    `rows` and `columns` are those of the points or costs; a last column of weights, present
    when `weighted`, is not counted.
    """

    digest: Mapped[str]
    rows: Mapped[int]
    columns: Mapped[int]
    weighted: Mapped[bool]
    bytes: Mapped[int] = mapped_column(BigInteger)

    def hold(self, array: UploadedArray) -> bool:
        """Stand for this array from now on; tell whether that is a change."""
        if (self.digest, self.weighted) == (array.digest, array.weighted):
            return False
        self.digest = array.digest
        self.rows = array.rows
        self.columns = array.columns
        self.weighted = array.weighted
        self.bytes = array.bytes
        self.created_at = now()
        return True
