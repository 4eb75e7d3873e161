"""The table of workers."""

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base, clock_timestamp


class Worker(Base):
    """A worker that has started; its lock shows whether it is alive (`app.jobs.liveness`)."""

    __tablename__ = "workers"

    id: Mapped[str] = mapped_column(primary_key=True)
    host: Mapped[str]
    pid: Mapped[int]
    concurrency: Mapped[int]
    fault: Mapped[str | None]
    """Why the worker is out of service; null while it takes jobs."""
    started_at: Mapped[datetime] = mapped_column(default=clock_timestamp())
