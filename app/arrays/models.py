"""Tables of requested deletions of arrays, and of the installation's id."""

from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base, Timestamped
from ..http.ids import new_id


class ArrayDeletion(Timestamped, Base):
    """A request to delete the bytes with a digest, unless a row refers to them.

    The row is inserted in the transaction that removes a reference to the bytes, and deleted with
    the bytes. If the process is killed before that, or the store is unavailable, the bytes are
    deleted later.
    """

    __tablename__ = "array_deletions"

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("adl"))
    digest: Mapped[str]


class Installation(Timestamped, Base):
    """A table with one row, whose id identifies this installation and marks the arrays' bucket."""

    __tablename__ = "installations"

    id: Mapped[str] = mapped_column(primary_key=True)
