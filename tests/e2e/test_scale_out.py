"""Four machines share an evaluation of a thousand sellers; three break, and nothing changes."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from app.evaluations.models import EvaluationChunk, Result, ScoredPoints
from app.ledger.models import Disclosure
from app.receipts.models import Receipt
from tests.e2e.installation import Installation
from tests.e2e.machines import on
from tests.e2e.processes import eventually

pytestmark = pytest.mark.endurance

SELLERS = 1000
WORKERS = ("killed", "frozen", "cut-off", "well")
ALONE = "alone"
OF_THE_RUN = ("evaluation_id", "timing")
"""The members in which results of equal inputs differ."""


def test_a_result_has_the_same_bits_from_four_machines_of_which_three_break_as_from_one(
    tmp_path: Path,
) -> None:
    with ExitStack() as stack:
        machines = Installation(stack, tmp_path, (*WORKERS, ALONE))
        stack.enter_context(on("web"))
        request = machines.request_of_many(SELLERS)
        workers = machines.start_workers(*WORKERS)
        killed, frozen, cut_off, _ = workers.values()
        evaluation = request.evaluate()
        of_frozen = break_while_computing(machines, "frozen", frozen.freeze, frozen.thaw)
        of_cut_off = break_while_computing(
            machines,
            "cut-off",
            lambda: machines.network.cut("cut-off"),
            lambda: machines.network.mend("cut-off"),
        )
        of_killed = break_while_computing(machines, "killed", killed.freeze, killed.thaw)
        killed.kill()

        # While the frozen worker has a chunk, the evaluation cannot end.
        begun_again = [2, 2]
        eventually(
            lambda: [attempts(machines, each) for each in (of_killed, of_cut_off)] == begun_again,
            "begun again what two had begun",
            600,
        )
        assert attempts(machines, of_frozen) == 1
        machines.network.mend("cut-off")
        cut_off.says("lock was lost and acquired again")
        cut_off.says(f'"job ends".*{of_cut_off}|{of_cut_off}.*"job ends"')
        evaluation.wait(timeout=3600)
        assert evaluation.refresh().attempts == 2
        before = published(machines, evaluation.id)
        frozen.thaw()
        frozen.says("lock was lost and acquired again")
        frozen.says(f'"job ends".*{of_frozen}|{of_frozen}.*"job ends"')
        assert published(machines, evaluation.id) == before
        for worker in workers.values():
            worker.stop()

        machines.start_workers(ALONE)
        undisturbed = request.evaluate().wait(timeout=3600)

        assert undisturbed.refresh().attempts == 1
        assert content(machines, undisturbed.id) == content(machines, evaluation.id)
        assert before["receipts"] == 1 + SELLERS
        assert published(machines, undisturbed.id)["disclosures"] == before["disclosures"]


def break_while_computing(
    machines: Installation, worker: str, break_it: Callable[[], None], mend: Callable[[], None]
) -> str:
    """Break a worker while it computes a chunk; return the id of the chunk."""
    while True:
        eventually(lambda: worker in machines.computing(), f"{worker} at work", 180)
        break_it()
        chunk = machines.computing().get(worker)
        if chunk is not None:
            return chunk
        mend()  # it had just finished one


def attempts(machines: Installation, chunk: str) -> int:
    with machines.database.snapshot() as session:
        return session.get_one(EvaluationChunk, chunk).attempts


def published(machines: Installation, evaluation_id: str) -> dict[str, Any]:
    """Return a result, when it was last written, and the numbers of receipts and disclosures."""
    with machines.database.snapshot() as session:
        result = session.get_one(Result, evaluation_id)
        receipts = select(func.count()).where(Receipt.evaluation_id == evaluation_id)
        return {
            "written": (result.created_at, result.updated_at),
            "result": content(machines, evaluation_id),
            "receipts": session.scalars(receipts).one(),
            "disclosures": session.scalars(select(func.count(Disclosure.id))).one(),
        }


def content(machines: Installation, evaluation_id: str) -> tuple[str, list[tuple[Any, ...]]]:
    """Return the result without the members `OF_THE_RUN`, and the digests of all scores."""
    with machines.database.snapshot() as session:
        result = session.get_one(Result, evaluation_id)
        document = json.loads(result.document)
        for member in OF_THE_RUN:
            del document[member]
        scored = session.scalars(
            select(ScoredPoints).where(ScoredPoints.evaluation_id == evaluation_id)
        )
        scores = [
            (each.contribution_id or "", each.kind, each.s, each.method, each.digest)
            for each in scored
        ]
        return json.dumps([document, result.nearest_s]), sorted(scores)
