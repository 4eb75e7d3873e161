"""A job exists exactly when the transaction that asked for it commits."""

import json

import pytest
from sqlalchemy import text

from tests.jobs.conftest import (
    ToyService,
    enqueued,
)
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
