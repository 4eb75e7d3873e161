"""Table of the arrays whose bytes are to be deleted."""

from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base, Timestamped
from ..http.ids import new_id


class ArrayDeletion(Timestamped, Base):
    """A digest that a row no longer refers to: its bytes go unless another row does.

    The row is inserted in the transaction that gives the reference up, and deleted with the bytes,
    so that a kill or an outage of the store in between delays the deletion and loses none.
    """

    __tablename__ = "array_deletions"

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("adl"))
    digest: Mapped[str]
