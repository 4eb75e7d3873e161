"""Columns of the tables that refer to stored arrays."""

from datetime import datetime

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column

from ..database import Timestamped, clock_timestamp
from .uploaded_array import UploadedArray


class StoredArrayColumns(Timestamped):
    """The digest of a stored array, its shape and its size.

    `columns` does not count the last column of a `weighted` array, which holds the weights.
    `deleted_at` is when the bytes were deleted; the digest stays.
    """

    digest: Mapped[str] = mapped_column(index=True)
    rows: Mapped[int]
    columns: Mapped[int]
    weighted: Mapped[bool]
    bytes: Mapped[int] = mapped_column(BigInteger)
    deleted_at: Mapped[datetime | None]

    @property
    def stored_bytes(self) -> int:
        """How many bytes are stored; 0 after they were deleted."""
        return self.bytes if self.deleted_at is None else 0

    def assign(self, array: UploadedArray) -> bool:
        """Make the row refer to an uploaded array; return whether the row changed."""
        if (self.digest, self.weighted) == (array.digest, array.weighted):
            return False
        self.digest = array.digest
        self.rows = array.rows
        self.columns = array.columns
        self.weighted = array.weighted
        self.bytes = array.bytes
        self.created_at = clock_timestamp()
        return True
