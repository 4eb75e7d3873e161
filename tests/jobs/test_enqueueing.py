"""A job exists exactly when the transaction that asked for it commits."""

import json

import pytest
from sqlalchemy import text

from app.jobs.library_tables import migrate
from tests.jobs.conftest import ToyService, eventually
from tests.jobs.toy import Toy


def test_a_job_enqueued_in_a_transaction_that_rolls_back_never_runs(service: ToyService) -> None:
    with pytest.raises(ZeroDivisionError), service.database.transaction() as session:
        session.add(Toy(id="undone", function="add", arguments='{"a": 1, "b": 1}'))
        service.queue.enqueue(session, "toy", "undone")
        raise ZeroDivisionError
    service.ask("done", "add", a=2, b=3)
    service.start_worker("one")

    done = service.wait("done", lambda toy: toy.state == "succeeded")

    assert json.loads(done.output or "")["sum"] == 5
    assert enqueued(service) == ["done"]


def test_a_job_enqueued_twice_runs_once(service: ToyService) -> None:
    service.ask("once", "add", a=1, b=1)
    with service.database.transaction() as session:
        service.queue.enqueue(session, "toy", "once")
    service.start_worker("one")

    once = service.wait("once", lambda toy: toy.state == "succeeded")

    assert (once.attempts, once.publications) == (1, 1)
    assert enqueued(service) == ["once"]


def test_the_queue_stores_kind_id_and_asking_call_of_a_job_as_plain_json(
    service: ToyService,
) -> None:
    service.ask("plain", "add", a=1, b=1)

    with service.database.snapshot() as session:
        schema = "dbos." if session.get_bind().dialect.name == "postgresql" else ""
        row = session.execute(text(f"SELECT inputs FROM {schema}workflow_input")).one()

    assert json.loads(row.inputs) == {"positionalArgs": ["toy", "plain", None], "namedArgs": {}}


def test_migrating_the_queue_twice_keeps_its_jobs(service: ToyService) -> None:
    service.ask("kept", "add", a=1, b=1)

    migrate(service.settings)

    assert enqueued(service) == ["kept"]


def enqueued(service: ToyService) -> list[str]:
    with service.database.snapshot() as session:
        schema = "dbos." if session.get_bind().dialect.name == "postgresql" else ""
        return list(session.scalars(text(f"SELECT workflow_uuid FROM {schema}workflow_status")))


def test_jobs_that_ended_long_ago_are_deleted_and_recent_ones_kept(service: ToyService) -> None:
    for name in ("old", "young"):
        service.ask(name, "add", a=1, b=1)
    worker = service.start_worker("one")
    for name in ("old", "young"):
        service.wait(name, lambda toy: toy.state == "succeeded")
    eventually(lambda: service.taken() == {}, "both ended")
    worker.terminate()
    worker.wait()
    with service.database.transaction() as session:
        schema = "dbos." if session.get_bind().dialect.name == "postgresql" else ""
        session.execute(
            text(
                f"UPDATE {schema}workflow_status SET completed_at = completed_at - :age "
                "WHERE workflow_uuid = 'old'"
            ),
            {"age": 8 * 24 * 3600 * 1000},
        )

    service.start_worker("two")

    eventually(lambda: enqueued(service) == ["young"], "the old one forgotten")
