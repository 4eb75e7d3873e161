"""The table of workers."""

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base, clock_timestamp


class Worker(Base):
    """A worker that has started. Its lock shows whether it is alive (`app.jobs.liveness`).

    `fault` states why the worker is out of service; null while it takes jobs.
    """

    __tablename__ = "workers"

    id: Mapped[str] = mapped_column(primary_key=True)
    host: Mapped[str]
    pid: Mapped[int]
    concurrency: Mapped[int]
    fault: Mapped[str | None]
    started_at: Mapped[datetime] = mapped_column(default=clock_timestamp())
