"""Tables of receipts and of the public keys that verify them."""

from datetime import datetime

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base, Timestamped
from ..http.ids import new_id


class ReceiptKey(Timestamped, Base):
    """A public key that verifies receipts. A retired key stays published."""

    __tablename__ = "receipt_keys"

    id: Mapped[str] = mapped_column(primary_key=True)
    public_key: Mapped[str]
    retired_at: Mapped[datetime | None]


class Receipt(Timestamped, Base):
    """A signed receipt of an evaluation, for the buyer or for a seller.

    In the buyer's receipt, `contribution_id` is None.
    """

    __tablename__ = "receipts"
    __table_args__ = (UniqueConstraint("evaluation_id", "contribution_id"),)

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("rct"))
    evaluation_id: Mapped[str] = mapped_column(ForeignKey("evaluations.id"), index=True)
    contribution_id: Mapped[str | None] = mapped_column(ForeignKey("contributions.id"))
    key_id: Mapped[str] = mapped_column(ForeignKey("receipt_keys.id"))
    # The signed document, byte for byte.
    content: Mapped[str]
