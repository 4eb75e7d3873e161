"""Several machines with separate networks and data folders, a shared database and bucket."""

from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from tests.e2e.installation import Installation
from tests.e2e.machines import on
from tests.e2e.processes import eventually
from tests.e2e.test_outages import new_key
from wassay import Buyer, Client, Protocol, Seller
from wassay.transport import Normal, Reference

pytestmark = pytest.mark.endurance

WORKERS = ("ada", "bob", "cay")
random = np.random.default_rng(4)
NEEDED = random.normal(size=(6000, 5))
OFFERED = random.normal(0.5, 1.0, size=(6000, 5))


def test_machines_share_an_evaluation_and_finish_what_one_that_was_cut_off_had_begun(
    tmp_path: Path,
) -> None:
    with ExitStack() as stack:
        machines = Installation(stack, tmp_path, WORKERS)
        workers = machines.start_workers(*WORKERS)
        stack.enter_context(on("web"))
        keys = [new_key(machines.settings("web"), scope) for scope in ("buyer", "seller")]
        buyer, seller = (stack.enter_context(Client(machines.url, key)) for key in keys)
        Seller(seller).publish_key()
        request = Buyer(buyer).ask(
            NEEDED,
            title="Five features",
            sellers=[seller.accounts.me().id],
            # Of two points: with one, one plan serves every s, and there is a single chunk.
            protocol=Protocol(reference=Reference(2, 5, Normal(), seed=7)),
        )
        Seller(seller).answer(request.id, OFFERED)
        evaluation = request.evaluate()
        eventually(lambda: len(machines.computing()) > 1, "several machines at work", 180)
        cut_off = next(iter(machines.computing()))

        machines.network.cut(cut_off)
        result = evaluation.wait(timeout=180).result()

        assert evaluation.refresh().attempts == 2
        assert evaluation.receipt() is not None
        machines.network.mend(cut_off)
        workers[cut_off].says("lock was lost and acquired again")
        again = request.evaluate().wait(timeout=180).result()
    assert again.document.grand_coalition == result.document.grand_coalition
    # The measure, and the seller's points with which it was compared on submission.
    assert len(machines.copies("web")) == 2
    assert max(len(machines.copies(name)) for name in WORKERS) == 4
