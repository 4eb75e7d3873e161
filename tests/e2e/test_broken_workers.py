"""One of several machines is broken: no evaluation fails, and the operator sees which and why."""

import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.e2e.processes import WASSAY, Process, eventually, run
from tests.e2e.test_outages import Postgres, new_key, postgres, ready
from tests.object_store import object_store
from wassay import Buyer, Client, Seller

pytestmark = pytest.mark.endurance

__all__ = ["postgres"]  # a fixture

EVALUATIONS = 6
random = np.random.default_rng(8)
NEEDED = random.normal(size=(20, 2))
OFFERED = random.normal(0.5, 1.0, size=(20, 2))


def test_a_worker_with_a_wrong_secret_fails_no_evaluation_and_is_out_of_service(
    postgres: Postgres, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        store = stack.enter_context(object_store(tmp_path))

        def settings(machine: str, **changed: str) -> dict[str, str]:
            return {
                **postgres.settings,
                **store.environment,
                "WASSAY_ARRAYS_URL": "s3://wassay/arrays",
                "WASSAY_DATA_FOLDER": str(tmp_path / machine),
                "WASSAY_RECEIPT_KEY_FILE": str(tmp_path / "receipt-key"),
                "WASSAY_WORKER_ID": machine,
                **changed,
            }

        def start(settings: dict[str, str], *arguments: str) -> Process:
            return stack.enter_context(Process(tmp_path, settings, *arguments))

        wrong = settings("wrong", AWS_SECRET_ACCESS_KEY="guessed")
        run(settings("web"), "migrate")
        broken = start(wrong, "worker")
        broken.says("refuses the service's credentials")
        web = start(settings("web"), "serve", "--no-worker", "--port", "0")
        url = web.says(r"listening on (http://\S+)")
        eventually(lambda: ready(url), "ready")
        keys = [new_key(settings("web"), scope) for scope in ("buyer", "seller")]
        buyer, seller = (stack.enter_context(Client(url, key)) for key in keys)
        Seller(seller).publish_key()
        request = Buyer(buyer).ask(NEEDED, title="Two", sellers=[seller.accounts.me().id])
        Seller(seller).answer(request.id, OFFERED)
        asked = [request.evaluate() for _ in range(EVALUATIONS)]
        eventually(lambda: "No worker is in service" in str(asked[0].refresh().reason), "explained")

        start(settings("right"), "worker")

        results: list[Any] = [each.wait(timeout=120).result() for each in asked]
        assert len(results) == EVALUATIONS
        assert {each.refresh().attempts for each in asked} == {1}
        listed = run(settings("web"), "workers")
        assert "OUT OF SERVICE: the object store refuses the service's credentials" in listed
        assert listed.count("OUT OF SERVICE") == 1
        examined = subprocess.run(
            [*WASSAY, "doctor"], env=wrong, capture_output=True, text=True, check=False
        )
        assert examined.returncode == 1
        assert "arrays    the object store refuses" in examined.stdout
        assert run(settings("right"), "doctor").splitlines() == [
            f"{name:<9} ok"
            for name in ("database", "schema", "clock", "disk", "arrays", "receipts")
        ]
