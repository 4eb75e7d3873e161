"""Table of the arrays whose bytes are to be deleted."""

from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base, Timestamped
from ..http.ids import new_id


class ArrayDeletion(Timestamped, Base):
    """A digest that a row no longer refers to: its bytes are deleted unless another row does.

    The row is inserted in the transaction that gives up the reference, and deleted with the bytes.
    A kill or an outage of the store in between only delays the deletion.
    """

    __tablename__ = "array_deletions"

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("adl"))
    digest: Mapped[str]
