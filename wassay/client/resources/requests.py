"""Requests, the buyer's measure, and invitations."""

import hashlib
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal

from wassay.client.arguments import as_list
from wassay.client.arrays import MEDIA_TYPE, ArrayBody, read_measure
from wassay.client.connection import Connection
from wassay.client.errors import IntegrityError, InvalidArgumentError
from wassay.client.pages import Pages
from wassay.models import Audience, Invitation, Mode, Request, RequestState, SealedKey, StoredArray
from wassay.transport import Measure


class Requests:
    """`/v1/requests`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(
        self,
        *,
        title: str,
        reference_id: str,
        description: str = "",
        order: Literal[1, 2] = 2,
        sweep: Iterable[float] = (0.25, 0.5, 0.75),
        modes: Iterable[Mode] = ("measure",),
        audience: Audience = "invited",
        reveals_measure: bool = False,
        labelled: bool = False,
        epsilon: float | None = None,
        radius: float | None = None,
        expires_at: datetime | None = None,
    ) -> Request:
        """Draft a request (buyer)."""
        body = {
            "title": title,
            "reference_id": reference_id,
            "description": description,
            "order": order,
            "sweep": as_list(sweep, "sweep"),
            "modes": as_list(modes, "modes"),
            "audience": audience,
            "reveals_measure": reveals_measure,
            "labelled": labelled,
            "epsilon": epsilon,
            "radius": radius,
            "expires_at": expires_at.isoformat() if expires_at else None,
        }
        return self._connection.create("requests", model=Request, body=body)

    def list(
        self,
        *,
        role: Literal["buyer", "seller"] = "buyer",
        state: RequestState | None = None,
    ) -> Pages[Request]:
        """As a buyer, one's own requests; as a seller, the open ones that one may answer."""
        return self._connection.list("requests", model=Request, role=role, state=state)

    def get(self, request_id: str) -> Request:
        """A request: one's own, or one that one may answer."""
        return self._connection.get("requests", request_id, model=Request)

    def edit(self, request: Request, **changes: Any) -> Request:
        """Change fields of one's own draft, provided that it still is as given here.

        Raises
        ------
        PreconditionError
            When it was edited since it was read.
        """
        return self._connection.edit("requests", request.id, seen=request, changes=changes)

    def upload_measure(self, request_id: str, measure: Measure) -> StoredArray:
        """Upload η_μ(t0) to one's own draft."""
        return self._connection.upload(
            "requests",
            request_id,
            "measure",
            model=StoredArray,
            body=ArrayBody(measure.points, measure.weights),
        )

    def measure(self, request_id: str) -> Measure:
        """Download η_μ(t0), where the request reveals it.

        Raises
        ------
        IntegrityError
            When what came is not what the request says it holds.
        """
        stored = self.get(request_id).measure
        if stored is None:
            raise InvalidArgumentError(f"request {request_id} has no measure yet")
        answer = self._connection.send(
            "GET", ("requests", request_id, "measure"), headers={"Accept": MEDIA_TYPE}
        )
        if hashlib.sha256(answer.content).hexdigest() != stored.digest:
            raise IntegrityError(
                f"the measure of {request_id} came with another SHA-256 than {stored.digest}. "
                "Download it again."
            )
        return read_measure(answer.content, weighted=stored.weighted)

    def open(self, request_id: str) -> Request:
        """Let sellers answer."""
        return self._connection.act("requests", request_id, "open", model=Request)

    def close(self, request_id: str) -> Request:
        """Take no more answers."""
        return self._connection.act("requests", request_id, "close", model=Request)

    def cancel(self, request_id: str) -> Request:
        """Give it up, and every evaluation of it that is not finished."""
        return self._connection.act("requests", request_id, "cancel", model=Request)

    def invite(self, request_id: str, account_id: str) -> Invitation:
        """Let one seller answer."""
        return self._connection.create(
            "requests",
            request_id,
            "invitations",
            model=Invitation,
            body={"account_id": account_id},
        )

    def invitations(self, request_id: str) -> Pages[Invitation]:
        """Who is invited."""
        return self._connection.list("requests", request_id, "invitations", model=Invitation)

    def uninvite(self, request_id: str, invitation_id: str) -> None:
        """Take an invitation back."""
        self._connection.delete("requests", request_id, "invitations", invitation_id)

    def upload_sealed_key(self, request_id: str, account_id: str, box: str) -> SealedKey:
        """Leave the key of one's sealed reference for an invited seller, in a box for them."""
        return self._connection.put(
            "requests", request_id, "sealed-keys", account_id, model=SealedKey, body={"box": box}
        )

    def sealed_key(self, request_id: str, account_id: str) -> SealedKey:
        """The box that the buyer left for this account."""
        return self._connection.get(
            "requests", request_id, "sealed-keys", account_id, model=SealedKey
        )
