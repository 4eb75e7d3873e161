"""Run a POST with an `Idempotency-Key` once, and replay its response to repeated calls.

If the first call fails, a repeated call does the work.
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

RECOMPUTED_HEADERS = frozenset({"content-length", "content-type"})


class IdempotencyKeyReused(Invalid):
    """The `Idempotency-Key` was used before, with another body."""

    slug, title = "idempotency-key-reused", "Idempotency-Key reused"


class ResponseNotStored(Conflict):
    """The first response contained a secret, so it was not stored and cannot be replayed."""

    slug, title = "response-not-stored", "Response not stored"


class Once:
    """Do the work of one POST, or replay the response to an earlier call with the same key.

    `route` is the path of the call, `fingerprint` a digest of its body, and `key` its
    `Idempotency-Key`.
    """

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
        """Do the work, or return the stored response if the key was used before.

        Parameters
        ----------
        session
            The session in which to do the work.
        account_id
            The caller's account. Keys of different accounts or paths are independent.
        work
            Does the work, and builds the response.
        secret
            Whether the response contains a secret. Such a response is not stored.

        Raises
        ------
        IdempotencyKeyReused
            If the key was used before, with another body.
        ResponseNotStored
            If the key was used before, and the response contained a secret.
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
            # This insert waits for the transaction of an earlier call with the key.
            with session.begin_nested():
                session.add(call)
        except IntegrityError:
            return self._replay(session, account_id)
        response = work()
        call.status = response.status_code
        if not secret:
            call.headers = {
                name: value
                for name, value in response.headers.items()
                if name not in RECOMPUTED_HEADERS
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
                "Expected the same body as in the first call with this Idempotency-Key; received "
                "another body. Use a new key for a new call.",
                received=self._key,
            )
        if first.status is None or first.body is None:
            raise ResponseNotStored(
                "This call has already succeeded. Its response contained a secret, which is shown "
                "only once. Make another call with a new key.",
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
            description="A repeated call with the same key returns the first response, and does "
            "nothing else.",
        ),
    ] = None,
) -> Once:
    fingerprint = hashlib.sha256(await request.body()).hexdigest()
    return Once(request.method, request.url.path, idempotency_key, fingerprint)


OnceDependency = Annotated[Once, Depends(_once)]
