"""A service with callers of every kind, and with an object of every kind in every state."""

from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx
import numpy as np
from sqlalchemy import update

from app.accounts.models import ApiKey
from app.accounts.service import create_account, issue_key
from app.database import Database, now
from app.evaluations.models import Evaluation
from app.requests.models import Request
from tests.app.conftest import Service
from tests.app.evaluations.jobs import Jobs
from tests.app.requests.market import npy
from wassay.models import Scope
from wassay.sealed_boxes import KeyPair

POINTS = np.random.default_rng(0).normal(size=(12, 2))
ENDED = {"closed": "close", "cancelled": "cancel"}
REQUEST_STATES = ("draft", "open", "closed", "cancelled", "expired")
CONTRIBUTION_STATES = ("draft", "submitted", "used", "declined", "withdrawn")
EVALUATION_STATES = ("waiting", "running", "succeeded", "failed", "cancelled")
CALLERS = {
    "none": "no Authorization header",
    "wrong": "an Authorization header that names no key",
    "revok": "a revoked key of the buyer's account",
    "buyer": "the buyer who owns the request, with the scope buyer",
    "b-sel": "the same account, with the scope seller",
    "b-adm": "the same account, with the scope admin",
    "colle": "another account of the buyer's organisation, with the scopes buyer and seller",
    "other": "a buyer of another organisation",
    "admin": "an administrator",
    "invit": "an invited seller who has not begun",
    "draft": "a seller whose contribution is a draft",
    "answe": "a seller who has submitted; the one of evaluations and of the listing",
    "a-buy": "the same account, with the scope buyer",
    "decli": "a seller who has declined",
    "withd": "a seller who has withdrawn",
    "uninv": "a seller who is not invited",
}

Send = Callable[..., httpx.Response]


@dataclass
class Scene:
    """The keys of the callers, and the ids of objects, keyed by the parameters of paths."""

    keys: dict[str, str | None]
    ids: dict[str, str]
    states: dict[str, dict[str, dict[str, str]]]
    """The ids in a path, by parameter and by the state of the parameter's object."""


class Undone(Database):
    """A database whose transactions are rolled back at their end, so that calls change nothing."""

    @contextmanager
    def transaction(self) -> Any:
        """Open a session that is rolled back at the end, after its changes were flushed."""
        with self._writing() as session:
            yield session
            session.flush()
            session.rollback()


def scene_of(service: Service, send: Send) -> Scene:
    """Make accounts, keys and objects."""
    accounts: dict[str, str] = {}

    def key_of(account: str, *scopes: Scope, organisation: str | None = None) -> str:
        with service.database.transaction() as session:
            if account not in accounts:
                accounts[account] = create_account(
                    session, organisation=organisation or account, name=account
                ).id
            return issue_key(session, account_id=accounts[account], scopes=scopes).key

    keys: dict[str, str | None] = {
        "none": None,
        "wrong": "wsy_00000000_nonsense",
        "revok": key_of("buyer", "buyer", "seller", "admin"),
        "buyer": key_of("buyer", "buyer"),
        "b-sel": key_of("buyer", "seller"),
        "b-adm": key_of("buyer", "admin"),
        "colle": key_of("colleague", "buyer", "seller", organisation="buyer"),
        "other": key_of("other", "buyer"),
        "admin": key_of("admin", "admin"),
        "invit": key_of("invited", "seller"),
        "draft": key_of("drafting", "seller"),
        "answe": key_of("answered", "seller"),
        "a-buy": key_of("answered", "buyer"),
        "decli": key_of("declined", "seller"),
        "withd": key_of("withdrawn", "seller"),
        "uninv": key_of("uninvited", "seller"),
    }

    def by(caller: str, method: str, path: str, body: object = None) -> Any:
        content = body if isinstance(body, bytes) else None
        answer = send(keys[caller], method, f"/v1/{path}", None if content else body, content)
        assert answer.is_success, (caller, method, path, answer.text)
        return answer.json() if answer.content else None

    spare = by("buyer", "POST", f"accounts/{accounts['buyer']}/keys", {"scopes": ["buyer"]})["id"]
    with service.database.transaction() as session:
        prefix = str(keys["revok"]).split("_")[1]
        session.execute(update(ApiKey).where(ApiKey.prefix == prefix).values(revoked_at=now()))
    public = {"public_key": KeyPair.draw().public.text}
    by("buyer", "PUT", f"accounts/{accounts['buyer']}/encryption-key", public)
    terms = {"size": 1, "dimension": 2, "distribution": {"kind": "normal"}}
    sealed = terms | {"disclosure": "sealed", "commitment": "ab" * 32}
    ids = {"account_id": accounts["buyer"], "key_id": spare, "s": "0.25"}
    ids["reference_id"] = by("buyer", "POST", "references", sealed)["id"]
    about = {"title": "Mine", "dimension": 2, "points": 12}
    listings = {
        each: by("answe", "POST", "listings", about)["id"] for each in ("published", "archived")
    }
    answer = send(
        keys["answe"],
        "PATCH",
        f"/v1/listings/{listings['archived']}",
        {"state": "archived"},
        None,
    )
    assert answer.is_success, answer.text

    requests: dict[str, dict[str, str]] = {}
    contributions: dict[str, dict[str, str]] = {}
    evaluations: dict[str, dict[str, str]] = {}

    def contributed(caller: str, request_id: str, *, filled: bool) -> str:
        path = f"requests/{request_id}/contributions"
        contribution_id = str(by(caller, "POST", path, {"mode": "measure"})["id"])
        for s in (0.25, 0.5, 0.75) if filled else ():
            by(caller, "PUT", f"contributions/{contribution_id}/measures/{s}", npy(POINTS + s))
        return contribution_id

    for state in REQUEST_STATES:
        made = by(
            "buyer", "POST", "requests", {"title": state, "reference_id": ids["reference_id"]}
        )["id"]
        by("buyer", "PUT", f"requests/{made}/measure", npy(POINTS))
        boxed = accounts["invited"]
        for account in ("invited", "drafting", "answered", "declined", "withdrawn"):
            path = f"requests/{made}/invitations"
            invitation = by("buyer", "POST", path, {"account_id": accounts[account]})["id"]
        by("buyer", "PUT", f"requests/{made}/sealed-keys/{boxed}", {"box": "AAAA"})
        requests[state] = {"request_id": made, "invitation_id": invitation, "account_id": boxed}
        if state == "draft":
            continue
        by("buyer", "POST", f"requests/{made}/open")
        drafted, declined, withdrawn = (
            contributed(each, made, filled=False) for each in ("draft", "decli", "withd")
        )
        submitted = contributed("answe", made, filled=True)
        by("answe", "POST", f"contributions/{submitted}/submit", {"projection_spread": 0.0})
        by("decli", "POST", f"contributions/{declined}/decline", {"reason": "No."})
        by("withd", "POST", f"contributions/{withdrawn}/withdraw")
        if state == "open":
            of_state = (drafted, submitted, declined, withdrawn)
            names = ("draft", "submitted", "declined", "withdrawn")
            for name, contribution_id in zip(names, of_state, strict=True):
                contributions[name] = {"contribution_id": contribution_id}
        if state == "closed":
            contributions["used"] = {"contribution_id": submitted}
            for each in EVALUATION_STATES:
                evaluation_id = by("buyer", "POST", f"requests/{made}/evaluations", {})["id"]
                evaluations[each] = {"evaluation_id": evaluation_id, "contribution_id": submitted}
                if each == "succeeded":
                    jobs = Jobs(service)
                    computed = jobs.computed(jobs.evaluations, evaluation_id)
                    jobs.evaluations.publish(evaluation_id, computed)
                elif each != "waiting":
                    with service.database.transaction() as session:
                        session.get_one(Evaluation, evaluation_id).state = each
        if state in ENDED:
            by("buyer", "POST", f"requests/{made}/{ENDED[state]}")
        if state == "expired":
            with service.database.transaction() as session:
                past = now() - timedelta(days=1)
                session.execute(update(Request).where(Request.id == made).values(expires_at=past))
    return Scene(
        keys,
        ids,
        {
            "evaluation_id": evaluations,
            "contribution_id": contributions,
            "request_id": requests,
            "listing_id": {state: {"listing_id": id_} for state, id_ in listings.items()},
        },
    )
