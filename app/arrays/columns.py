"""The columns of a row that stands for a stored array."""

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column

from app.database import Timestamped


class StoredArrayColumns(Timestamped):
    """What came, and the digest under which the store keeps its bytes.

    `rows` and `columns` are those of the points or costs; a last column of weights, present
    when `weighted`, is not counted.
    """

    digest: Mapped[str]
    rows: Mapped[int]
    columns: Mapped[int]
    weighted: Mapped[bool]
    bytes: Mapped[int] = mapped_column(BigInteger)
