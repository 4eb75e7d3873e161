"""Columns of the tables that refer to stored arrays."""

from datetime import datetime

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column

from ..database import Timestamped, clock_timestamp
from .uploaded_array import UploadedArray


class StoredArrayColumns(Timestamped):
    """The digest of a stored array, its shape and its size."""

    digest: Mapped[str] = mapped_column(index=True)
    rows: Mapped[int]
    columns: Mapped[int]
    """The number of columns, without the column of weights."""
    weighted: Mapped[bool]
    """Whether the array has one more column, the last, which holds weights."""
    bytes: Mapped[int] = mapped_column(BigInteger)
    deleted_at: Mapped[datetime | None]
    """When the bytes were deleted; None before. The digest stays."""

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
