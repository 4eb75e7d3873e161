"""A worker whose clock is late."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import select

from app.evaluations.models import Evaluation
from app.ledger.models import Disclosure
from app.receipts.models import Receipt
from tests.app.conftest import Party, Service
from tests.app.evaluations.conftest import worker_process
from tests.app.evaluations.market import data, market, result
from tests.conftest import ON_POSTGRES

ASKED = "0" * 31 + "7"
"""The id of the call that asks for the evaluation."""


@ON_POSTGRES
def test_what_a_late_worker_stores_has_the_databases_time(
    http: Callable[..., Party], service: Service, tmp_path: Path
) -> None:
    buyer, _, request_id, _ = market(http, data(10), ["measure"])

    module = ("tests.late_clock", "240", "app.worker")
    with (
        (tmp_path / "log").open("wb") as log,
        worker_process(service, "late", module=module, log=log),
    ):
        asked = buyer.post(
            f"/v1/requests/{request_id}/evaluations", headers={"X-Request-Id": ASKED}, json={}
        )
        evaluation_id = asked.json()["id"]
        result(buyer, evaluation_id)
    ended = datetime.now(UTC)

    with service.database.snapshot() as session:
        evaluation = session.get_one(Evaluation, evaluation_id)
        receipts = session.scalars(
            select(Receipt).where(Receipt.evaluation_id == evaluation_id)
        ).all()
        entries = session.scalars(
            select(Disclosure).where(
                Disclosure.request_id == request_id, Disclosure.kind == "distances"
            )
        ).all()
    assert evaluation.started_at is not None
    assert evaluation.finished_at is not None
    assert evaluation.created_at < evaluation.started_at < evaluation.finished_at < ended
    assert evaluation.finished_at < evaluation.updated_at < ended
    issued = [
        datetime.fromisoformat(json.loads(each.content)["receipt"]["issued_at"])
        for each in receipts
    ]
    stored = [each.created_at for each in receipts] + [each.created_at for each in entries]
    for moment in issued + stored:
        assert evaluation.started_at < moment < ended
    assert len(issued) == 2
    assert entries

    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    # The worker may find jobs of other tests, too.
    of_this = [line for line in lines if line.get("evaluation_id") == evaluation_id]
    begin, end = (line for line in of_this if line["event"] in {"job begins", "job ends"})
    for line in (begin, end):
        assert line["request_id"] == ASKED
        assert (line["worker_id"], line["attempt"]) == ("late", 1)
    assert end["outcome"] == "published"
    assert end["seconds"] > 0
