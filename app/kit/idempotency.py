"""`Idempotency-Key`: the same POST sent twice does its work once.

The key's row is written in the transaction that does the work. A second call with the key waits
on that row until the first is committed, and then gets the first answer; when the first fails,
its row is gone with its work, and the second does the work itself.
"""

import hashlib
import json
from collections.abc import Callable
from typing import Annotated

from fastapi import Depends, Header, Request, Response
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from .models import IdempotentCall
from .problems import Conflict, Invalid

NOT_KEPT = frozenset({"content-length", "content-type"})


class IdempotencyKeyReused(Invalid):
    """The `Idempotency-Key` came before, with another body."""

    slug, title = "idempotency-key-reused", "Idempotency-Key reused"


class ResponseNotStored(Conflict):
    """The first answer held a secret, so it was not kept and cannot be given again."""

    slug, title = "response-not-stored", "Answer not kept"


class Once:
    """One call of a POST that creates, with or without an `Idempotency-Key`."""

    def __init__(self, method: str, route: str, key: str | None, fingerprint: str) -> None:
        self._method = method
        self._route = route
        self._key = key
        self._fingerprint = fingerprint

    def __call__(
        self,
        session: Session,
        account_id: str,
        work: Callable[[], Response],
        *,
        secret: bool = False,
    ) -> Response:
        """Do the work and return its answer, or return the first call's.

        Parameters
        ----------
        session
            The transaction of the work.
        account_id
            Whose key it is: accounts do not share keys.
        work
            Does the work and makes the answer.
        secret
            The answer shows a secret: it is not kept.

        Raises
        ------
        IdempotencyKeyReused
            If the key came before with another body.
        ResponseNotStored
            If the key came before and its answer was secret.
        """
        if self._key is None:
            return work()
        call = IdempotentCall(
            account_id=account_id,
            method=self._method,
            route=self._route,
            key=self._key,
            fingerprint=self._fingerprint,
        )
        try:
            with session.begin_nested():
                session.add(call)
        except IntegrityError:
            return self._replay(session, account_id)
        response = work()
        call.status = response.status_code
        if not secret:
            call.headers = {
                name: value for name, value in response.headers.items() if name not in NOT_KEPT
            }
            call.body = json.loads(bytes(response.body))
        return response

    def _replay(self, session: Session, account_id: str) -> Response:
        first = session.scalars(
            select(IdempotentCall).where(
                IdempotentCall.account_id == account_id,
                IdempotentCall.method == self._method,
                IdempotentCall.route == self._route,
                IdempotentCall.key == self._key,
            )
        ).one()
        if first.fingerprint != self._fingerprint:
            raise IdempotencyKeyReused(
                "This Idempotency-Key came before with another body; a new call needs a new key.",
                received=self._key,
            )
        if first.status is None or first.body is None:
            raise ResponseNotStored(
                "This call was made before; its answer held a secret, which is shown only once.",
                received=self._key,
            )
        return Response(
            json.dumps(first.body),
            status_code=first.status,
            headers={**(first.headers or {}), "Idempotent-Replayed": "true"},
            media_type="application/json",
        )


async def _once(
    request: Request,
    idempotency_key: Annotated[
        str | None,
        Header(
            min_length=1,
            max_length=255,
            pattern=r"^[\x21-\x7e]+$",
            description="Makes a repeated call answer as the first did, and do nothing more.",
        ),
    ] = None,
) -> Once:
    fingerprint = hashlib.sha256(await request.body()).hexdigest()
    return Once(request.method, request.url.path, idempotency_key, fingerprint)


OnceDependency = Annotated[Once, Depends(_once)]
