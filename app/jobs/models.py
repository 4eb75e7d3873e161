"""Table of the workers that are there."""

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from app.database import Base, now


class Worker(Base):
    """A worker, and when it last said that it is alive."""

    __tablename__ = "workers"

    id: Mapped[str] = mapped_column(primary_key=True)
    beat_at: Mapped[datetime] = mapped_column(default=now)
