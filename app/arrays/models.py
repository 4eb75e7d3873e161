"""Tables of scheduled deletions of arrays, and of the installation's id."""

from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base, Timestamped
from ..http.ids import new_id


class ArrayDeletion(Timestamped, Base):
    """A scheduled deletion of the bytes with a digest; they stay if another table refers to them.

    This row is deleted together with the bytes, or once the bytes are found in use.
    """

    __tablename__ = "array_deletions"

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("adl"))
    digest: Mapped[str]


class Installation(Timestamped, Base):
    """A table with one row, whose id identifies this installation and marks the arrays' bucket."""

    __tablename__ = "installations"

    id: Mapped[str] = mapped_column(primary_key=True)
