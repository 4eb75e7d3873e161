"""Table of the workers."""

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from ..database import Base, clock_timestamp


class Worker(Base):
    """A worker that was started; its lock shows whether it is alive (`app.jobs.liveness`).

    `fault` says why the worker is out of service; it is null while the worker takes jobs.
    """

    __tablename__ = "workers"

    id: Mapped[str] = mapped_column(primary_key=True)
    host: Mapped[str]
    pid: Mapped[int]
    concurrency: Mapped[int]
    fault: Mapped[str | None]
    started_at: Mapped[datetime] = mapped_column(default=clock_timestamp())
