"""A request that many sellers, each with a few points, have answered."""

# By plain HTTP, a seller makes five calls; through the SDK, 22, among them those for keys.

import io

import httpx
import numpy as np
from numpy.typing import NDArray

from app.accounts.models import Account
from app.accounts.service import create_account, issue_key
from app.database import Database
from wassay import Buyer, BuyerPrivacy, Client, Protocol, Request
from wassay.models import Caps, Scope
from wassay.transport import Measure, Normal, Reference, interpolate

NEEDED, OFFERED, DIMENSION = 64, 4, 3
"""How many points the buyer has, how many each seller has, and their dimension."""
REFERENCE = Reference(1, DIMENSION, Normal(), seed=7)
SWEEP = (0.25, 0.5, 0.75)


def ask(client: Client) -> Request:
    """Open a request that any seller may answer."""
    return Buyer(client).ask(
        np.random.default_rng(12).normal(size=(NEEDED, DIMENSION)),
        title="Many sellers",
        audience="everyone",
        privacy=BuyerPrivacy(sealed=False, max_disclosure="exact"),
        protocol=Protocol(reference=REFERENCE, sweep=SWEEP),
    )


def offered(sellers: int) -> NDArray[np.float64]:
    """Draw the points of all sellers, from distributions that are farther and farther away."""
    shifts = np.linspace(0, 1, sellers)[:, None, None]
    return shifts + np.random.default_rng(13).normal(size=(sellers, OFFERED, DIMENSION))


def answer(http: httpx.Client, key: str, request_id: str, points: NDArray[np.float64]) -> None:
    as_seller = {"Authorization": f"Bearer {key}"}
    begun = http.post(
        f"/v1/requests/{request_id}/contributions", headers=as_seller, json={"mode": "measure"}
    )
    contribution = f"/v1/contributions/{begun.raise_for_status().json()['id']}"
    for s in SWEEP:
        pushed = io.BytesIO()
        np.save(pushed, interpolate(Measure(points), REFERENCE.measure(), s).points)
        http.put(
            f"{contribution}/measures/{s}",
            headers={**as_seller, "Content-Type": "application/x-npy"},
            content=pushed.getvalue(),
        ).raise_for_status()
    http.post(f"{contribution}/submit", headers=as_seller, json={}).raise_for_status()


def new_keys(database: Database, scope: Scope, number: int) -> list[str]:
    """Return the keys of new accounts, which allow any number of distances with their data."""
    keys = []
    with database.transaction() as session:
        for place in range(number):
            account = create_account(session, organisation="Acme", name=f"{scope} {place:04}")
            session.get_one(Account, account.id).caps = Caps(questions=None).model_dump()
            keys.append(issue_key(session, account_id=account.id, scopes=[scope]).key)
    return keys
