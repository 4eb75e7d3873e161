"""A service whose role cannot change permanent records serves buyers and sellers all the same."""

import os
import subprocess
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from tests.e2e.processes import Process, eventually, run
from tests.e2e.test_outages import Postgres, new_key, postgres, ready
from wassay import Buyer, Client, Seller

pytestmark = pytest.mark.endurance

__all__ = ["postgres"]  # a fixture

DEPLOY = Path(__file__).parents[2] / "deploy"
random = np.random.default_rng(8)


def test_what_the_role_that_serves_may_do_is_enough(postgres: Postgres, tmp_path: Path) -> None:
    secrets = tmp_path / "secrets"
    subprocess.run([DEPLOY / "new-secrets", secrets], check=True)
    admin = postgres.settings["WASSAY_DATABASE_URL"]
    psql = (postgres.programs / "psql", "--quiet", "--file", DEPLOY / "roles.sql", admin)
    subprocess.run(psql, env=os.environ | {"SECRETS": str(secrets)}, check=True)
    owner = {"WASSAY_DATABASE_URL": of(admin, "wassay_owner")}
    run(owner, "migrate", "--grant-to", "wassay")
    settings = postgres.settings | {"WASSAY_DATABASE_URL": of(admin, "wassay")}
    with ExitStack() as stack:
        worker = stack.enter_context(Process(tmp_path, settings, "worker"))
        web = stack.enter_context(
            Process(tmp_path, settings, "serve", "--no-worker", "--port", "0")
        )
        url = web.says(r"listening on (http://\S+)")
        worker.says("worker started")
        eventually(lambda: ready(url), "ready")
        keys = [new_key(settings, scope) for scope in ("buyer", "seller")]
        buyer, seller = (stack.enter_context(Client(url, key)) for key in keys)
        Seller(seller).publish_key()
        seller.listings.create(title="Digits", dimension=2, points=100)
        request = Buyer(buyer).ask(
            random.normal(size=(20, 2)), title="Two", sellers=[seller.accounts.me().id]
        )
        Seller(seller).answer(request.id, random.normal(size=(20, 2)))
        evaluation = request.evaluate().wait(timeout=300)
        assert evaluation.result() is not None
        assert evaluation.receipt() is not None
        buyer.requests.close(request.id)
        buyer.requests.delete_measure(request.id)
        for command in (("doctor",), ("workers",), ("receipt-keys", "rotate")):
            run(settings, *command)
        for said in (worker.said, web.said):
            assert "denied" not in said


def of(url: str, role: str) -> str:
    """Return the address of the database for a role, which needs no password."""
    options = url.partition("?")[2]
    return f"postgresql://{role}@/wassay?{options}"
