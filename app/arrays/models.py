"""Tables of requested deletions of arrays, and of the installation's id."""

from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base, Timestamped
from ..http.ids import new_id


class ArrayDeletion(Timestamped, Base):
    """A request to delete the bytes with a digest, unless a row refers to them.

    The row is deleted once the request has been handled.
    """

    __tablename__ = "array_deletions"

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("adl"))
    digest: Mapped[str]


class Installation(Timestamped, Base):
    """A table with one row, whose id identifies this installation and marks the arrays' bucket."""

    __tablename__ = "installations"

    id: Mapped[str] = mapped_column(primary_key=True)
