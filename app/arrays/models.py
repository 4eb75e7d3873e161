"""Tables of the arrays whose bytes are to be deleted, and of the installation that has them."""

from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base, Timestamped
from ..http.ids import new_id


class ArrayDeletion(Timestamped, Base):
    """An order to delete the bytes of a digest, unless a row still refers to them.

    It is inserted in the transaction that removes the reference, and deleted with the bytes. If the
    process is killed in between, or the store is unavailable, the bytes are deleted later.
    """

    __tablename__ = "array_deletions"

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("adl"))
    digest: Mapped[str]


class Installation(Timestamped, Base):
    """The one row that names this installation, whose id also marks the bucket of its arrays."""

    __tablename__ = "installations"

    id: Mapped[str] = mapped_column(primary_key=True)
