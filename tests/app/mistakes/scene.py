"""A service with a buyer, sellers and their objects, in which tests make mistakes."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from sqlalchemy import update

from app.database import now
from app.requests.models import Request as Row
from tests.app.conftest import CERTIFICATES, Party, Service
from tests.app.evaluations.jobs import Jobs
from wassay import (
    Buyer,
    BuyerPrivacy,
    Client,
    Evaluation,
    Profile,
    Recipe,
    Request,
    Seller,
    SellerPrivacy,
)
from wassay.models import ListingField

RANDOM = np.random.default_rng(1)
NEEDED = RANDOM.normal(size=(14, 2))
OFFERED = RANDOM.normal(size=(16, 2))
OPENLY = BuyerPrivacy(max_disclosure="exact")
FREELY = SellerPrivacy(max_disclosure="exact", open_reference=True)


def customers(rows: int = 40) -> dict[str, list[Any]]:
    random = np.random.default_rng(2)
    return {
        "age": [float(each) for each in random.integers(20, 80, rows)],
        "income": [round(float(each), 2) for each in random.normal(40_000, 9_000, rows)],
        "plan": [str(each) for each in random.choice(["basic", "plus"], rows)],
        "churned": [str(each) for each in random.choice(["no", "yes"], rows)],
    }


@dataclass
class Scene:
    """The parties, and the objects that they have made."""

    folder: Path
    service: Service
    buyer: Client
    seller: Client
    newcomer: Client
    parties: dict[str, Party]
    asked: Request[Any]
    """An open request over two coordinates, answered by the seller `twins`."""
    tabled: Request[Any]
    """An open, unanswered request over columns, with a recipe."""
    untouched: Request[Any]
    """An open, unanswered request over two coordinates."""
    ended: Request[Any]
    """A cancelled request."""
    expired: Request[Any]
    evaluation: Evaluation[Any]
    waiting: Evaluation[Any]
    contribution_id: str
    listing_id: str
    public: Request[Any]
    """An open request for everyone, with an open reference."""
    made: dict[str, str] = field(default_factory=dict)
    """Ids of objects that several tests share, by a name."""

    @property
    def url(self) -> str:
        return self.service.url

    def close(self) -> None:
        for client in (self.buyer, self.seller, self.newcomer, self.anonymous):
            client.close()

    @cached_property
    def anonymous(self) -> httpx.Client:
        return httpx.Client(base_url=self.service.url, verify=CERTIFICATES)

    def http(self, who: str, method: str, path: str, **sent: Any) -> httpx.Response:
        return self.parties[who].request(method, path, **sent)

    def ask(self, points: Any = NEEDED, **terms: Any) -> Request[Any]:
        return Buyer(self.buyer).ask(
            points, **{"title": "Two features", "privacy": OPENLY, **terms}
        )

    def answer(self, request: str, points: Any = OFFERED, **terms: Any) -> Any:
        return Seller(self.seller).answer(request, points, **{"privacy": FREELY, **terms})


def scene_of(service: Service, parties: dict[str, Party], folder: Path) -> Scene:
    """Make the requests, the contribution and the evaluation."""
    clients = {
        who: Client(service.url, parties[who].key) for who in ("buyer", "seller", "newcomer")
    }
    buyer, seller = Buyer(clients["buyer"]), Seller(clients["seller"])
    seller.publish_key()
    account = parties["seller"].account_id

    def ask(points: Any, title: str, recipe: Recipe | None = None) -> Request[Any]:
        return buyer.ask(points, title=title, sellers=[account], recipe=recipe, privacy=OPENLY)

    asked, untouched = ask(NEEDED, "Two features"), ask(NEEDED, "Untouched")
    ended, expired = ask(NEEDED, "Ended"), ask(NEEDED, "Expired")
    recipe = Recipe.fit(customers(), roles={"churned": "label"})
    tabled = ask(customers(), "Customers", recipe=recipe)
    ended.cancel()
    with service.database.transaction() as session:
        past = now() - timedelta(days=1)
        session.execute(update(Row).where(Row.id == expired.id).values(expires_at=past))
    listing = clients["seller"].listings.create(
        title="Twins", dimension=2, points=16, fields=[ListingField(name="x", type="number")]
    )
    contribution = seller.answer(
        asked.id, OFFERED, label="twins", listing_id=listing.id, privacy=FREELY
    )
    evaluation, waiting = asked.evaluate(), asked.evaluate()
    jobs = Jobs(service)
    jobs.evaluations.publish(evaluation.id, jobs.computed(jobs.evaluations, evaluation.id))
    asked.save(folder / "request.json")
    return Scene(
        folder=folder,
        service=service,
        buyer=clients["buyer"],
        seller=clients["seller"],
        newcomer=clients["newcomer"],
        parties=parties,
        asked=asked,
        tabled=tabled,
        untouched=untouched,
        ended=ended,
        expired=expired,
        evaluation=asked.evaluation(evaluation.id),
        waiting=waiting,
        contribution_id=contribution.id,
        listing_id=listing.id,
        public=buyer.ask(
            NEEDED,
            title="Everyone",
            audience="everyone",
            privacy=BuyerPrivacy(sealed=False, max_disclosure="exact"),
        ),
    )


def profile_in(folder: Path) -> Profile:
    return Profile(folder / "another-profile.json")
