"""The smallest real kind of job: a row, its handler, and a worker process for it."""

import json
import os
import signal
import sys
import threading
from collections.abc import Collection, Sequence
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from app.database import Database
from app.http.logs import configure_logs
from app.jobs import service_state
from app.jobs.handlers import Json, ProcessTask
from app.jobs.problems import WorkerLost
from app.jobs.work import work
from app.jobs.worker_registry import WorkerIdTaken
from app.settings import Settings


class ToyBase(DeclarativeBase):
    pass


class Toy(ToyBase):
    __tablename__ = "toys"

    id: Mapped[str] = mapped_column(primary_key=True)
    function: Mapped[str]
    arguments: Mapped[str] = mapped_column(default="{}")
    state: Mapped[str] = mapped_column(default="waiting")
    attempts: Mapped[int] = mapped_column(default=0)
    progress: Mapped[str] = mapped_column(default="")
    publications: Mapped[int] = mapped_column(default=0)
    output: Mapped[str | None]
    problem: Mapped[str | None]


class ToyHandler:
    kind = "toy"
    modules: Sequence[str] = ("tests.jobs.tasks",)

    def __init__(self, database: Database, max_attempts: int) -> None:
        self._database = database
        self._max_attempts = max_attempts

    def log_fields(self, job_id: str) -> dict[str, str]:
        return {"toy": job_id}

    def read_ahead(self, job_id: str) -> None:
        pass

    def prepare(self, job_id: str, ahead: object | None = None) -> ProcessTask | None:
        with self._database.transaction() as session:
            toy = session.get_one(Toy, job_id, with_for_update=True)
            if toy.state not in {"waiting", "running"}:
                return None
            if toy.attempts == self._max_attempts:
                toy.state, toy.problem = "failed", json.dumps(WorkerLost.after(toy.attempts).body())
                return None
            toy.state = "running"
            toy.attempts += 1
            task = f"tests.jobs.tasks:{toy.function}"
            return ProcessTask(task, json.loads(toy.arguments), toy.attempts)

    def unwanted(self, job_ids: Collection[str]) -> set[str]:
        with self._database.snapshot() as session:
            cancelled = select(Toy.id).where(Toy.id.in_(job_ids), Toy.state == "cancelled")
            return set(session.scalars(cancelled))

    def progress(self, job_id: str, done: int, total: int) -> None:
        with self._database.transaction() as session:
            session.get_one(Toy, job_id).progress += f"{done}/{total} "

    def publish(self, job_id: str, output: Json, ahead: object | None = None) -> None:
        with self._database.transaction() as session:
            toy = session.get_one(Toy, job_id, with_for_update=True)
            if toy.state in {"waiting", "running"}:
                toy.state, toy.output = "succeeded", json.dumps(output)
                toy.publications += 1

    def fail(self, job_id: str, problem: Json, attempt: int | None) -> None:
        del attempt
        with self._database.transaction() as session:
            toy = session.get_one(Toy, job_id, with_for_update=True)
            toy.state, toy.problem = "failed", json.dumps(problem)

    def give_back(self, job_id: str, attempt: int, *, counted: bool = False) -> None:
        del attempt
        with self._database.transaction() as session:
            toy = session.get_one(Toy, job_id, with_for_update=True)
            toy.state = "waiting"
            toy.attempts -= not counted


def main() -> None:
    """Run a worker of toys, which soon checks again whether its machine was mended."""
    service_state.CHECK_SECONDS = 0.5
    settings = Settings()
    configure_logs(settings.log_level)
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    database = Database(settings.resolved_database_url)
    try:
        work(settings, database, [ToyHandler(database, settings.max_attempts)], stop, fault)
    except WorkerIdTaken as taken:
        sys.exit(str(taken))


def fault() -> str | None:
    broken = Path(os.environ.get("TOY_BROKEN", "/nonexistent"))
    return "the disk is full" if broken.exists() else None


def toys(database: Database) -> list[Toy]:
    with database.snapshot() as session:
        return list(session.scalars(select(Toy)))


if __name__ == "__main__":
    main()
