"""The table of references."""

from typing import Any

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base, Timestamped
from ..http.ids import new_id


class Reference(Timestamped, Base):
    """The parameters of γ.

    A sealed reference has no seed, but a commitment to the reference's key.
    """

    __tablename__ = "references"

    id: Mapped[str] = mapped_column(primary_key=True, default=lambda: new_id("ref"))
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    size: Mapped[int]
    dimension: Mapped[int]
    projected_from: Mapped[int | None]
    distribution: Mapped[dict[str, Any]]
    disclosure: Mapped[str]
    seed: Mapped[str | None]  # a decimal number, which may have 128 bits
    commitment: Mapped[str | None]
    derivation: Mapped[int]

    @property
    def raw_dimension(self) -> int:
        """The number of coordinates of raw points, before any random projection."""
        return self.projected_from or self.dimension

    @property
    def projection_rank(self) -> int | None:
        """The rank of the random projection of raw points; None if they are not projected."""
        return None if self.projected_from is None else self.dimension
