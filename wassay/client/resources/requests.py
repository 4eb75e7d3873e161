"""Requests, their measures and sealed keys, and invitations."""

import hashlib
from collections.abc import Iterable
from datetime import datetime
from typing import Any, Literal

from wassay.client.connection.connection import Resource
from wassay.client.connection.flows import Flow, R, operation
from wassay.client.connection.npy import MEDIA_TYPE, ArrayBody, read_measure
from wassay.client.connection.pagination import Pages
from wassay.client.errors import IntegrityError
from wassay.client.shared.arguments import as_list, as_positive, as_sweep
from wassay.errors import InvalidArgumentError
from wassay.models import (
    Audience,
    FieldType,
    Interpolation,
    Invitation,
    Mode,
    Request,
    RequestState,
    SealedKey,
    StoredArray,
)
from wassay.recipes import PublicPart
from wassay.transport import Measure


class Requests(Resource[R]):
    """The routes below `/v1/requests`."""

    @operation
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
        reveals_scores: bool = False,
        interpolation: Interpolation = "barycentric",
        labelled: bool = False,
        class_names: Iterable[str] | None = None,
        recipe: PublicPart | None = None,
        epsilon: float | None = None,
        radius: float | None = None,
        expires_at: datetime | None = None,
    ) -> Flow[Request]:
        """Create a draft of a request, to which the measure is then uploaded.

        The API key needs the scope `buyer`. `wassay.models.Request`, `wassay.BuyerPrivacy` and
        `wassay.Protocol` explain the parameters.
        """
        body = {
            "title": title,
            "reference_id": reference_id,
            "description": description,
            "order": order,
            "sweep": as_sweep(sweep),
            "modes": as_list(modes, "modes"),
            "audience": audience,
            "reveals_measure": reveals_measure,
            "reveals_scores": reveals_scores,
            "interpolation": interpolation,
            "labelled": labelled,
            "class_names": None if class_names is None else as_list(class_names, "class_names"),
            "recipe": None if recipe is None else recipe.model_dump(mode="json"),
            "epsilon": None if epsilon is None else as_positive(epsilon, "epsilon"),
            "radius": None if radius is None else as_positive(radius, "radius"),
            "expires_at": expires_at,
        }
        return self._connection.create("requests", model=Request, body=body)

    def list(
        self,
        *,
        role: Literal["buyer", "seller"] = "buyer",
        state: RequestState | None = None,
        fields: Iterable[str] = (),
        text: str | None = None,
        type: FieldType | None = None,  # noqa: A002 - the name of the parameter in the API
        unit: str | None = None,
    ) -> Pages[Request, R]:
        """List the caller's own requests, or the open requests that the caller may answer.

        A request is listed if it meets all given conditions.

        Parameters
        ----------
        role : {'buyer', 'seller'}
            ``'buyer'`` for the caller's own requests, ``'seller'`` for the open requests that the
            caller may answer.
        state : str, optional
            The state of the request.
        fields : iterable of str, optional
            Names of fields, all of which the request's recipe reads.
        text : str, optional
            Words, each of which occurs in the title, the description, the recipe's fields or the
            organisation's name.
        type, unit : str, optional
            The type and unit of a field that the recipe reads. If `fields` are given, each of these
            fields has the type and unit.
        """
        return self._pages(
            "requests",
            model=Request,
            role=role,
            state=state,
            text=text,
            field=as_list(fields, "fields") or None,
            type=type,
            unit=unit,
        )

    @operation
    def get(self, request_id: str) -> Flow[Request]:
        """Return a request of the caller, or a request that the caller may answer."""
        return self._connection.get("requests", request_id, model=Request)

    @operation
    def edit(self, request: Request, /, **changes: Any) -> Flow[Request]:
        """Change fields of the caller's draft, unless it was edited since `request` was read.

        `changes` has the new values, by the name of the field.

        Raises
        ------
        PreconditionError
            If the draft was edited since `request` was read.
        """
        return self._connection.edit("requests", base=request, changes=changes)

    @operation
    def upload_measure(self, request_id: str, measure: Measure) -> Flow[StoredArray]:
        """Upload the buyer's pushed points η_μ(t0) to a draft of the caller."""
        return self._connection.upload(
            "requests",
            request_id,
            "measure",
            model=StoredArray,
            body=ArrayBody(measure.points, measure.weights),
        )

    @operation
    def measure(self, request_id: str, *, digest: str | None = None) -> Flow[Measure]:
        """Download the buyer's pushed points η_μ(t0), if the request reveals them.

        Parameters
        ----------
        request_id : str
        digest : str, optional
            The expected SHA-256; by default the one that the service shows.

        Raises
        ------
        IntegrityError
            If the measure has another digest.
        InvalidArgumentError
            If the request has no measure yet.
        """
        stored = (yield from Requests.get.flow(self, request_id)).measure
        if stored is None:
            raise InvalidArgumentError(
                f"request {request_id} has no measure yet: try again when its buyer has opened it"
            )
        expected = stored.digest if digest is None else digest
        response = yield from self._connection.send(
            "GET", ("requests", request_id, "measure"), headers={"Accept": MEDIA_TYPE}
        )
        received = hashlib.sha256(response.content).hexdigest()
        if received != expected:
            raise IntegrityError(
                f"expected the measure of {request_id} to have the SHA-256 {expected}, received "
                f"one with {received}. Download it again. If that does not help, ask the buyer, "
                "because the service shows another measure than the buyer's."
            )
        return read_measure(response.content, weighted=stored.weighted)

    @operation
    def delete_measure(self, request_id: str) -> Flow[None]:
        """Delete a request's measure, the scores of its points and the sealed keys.

        The request must not be open.
        """
        return self._connection.delete("requests", request_id, "measure")

    @operation
    def open(self, request_id: str) -> Flow[Request]:
        """Open a draft to sellers."""
        return self._connection.act("requests", request_id, "open", model=Request)

    @operation
    def close(self, request_id: str) -> Flow[Request]:
        """Close an open request to further contributions."""
        return self._connection.act("requests", request_id, "close", model=Request)

    @operation
    def cancel(self, request_id: str) -> Flow[Request]:
        """Cancel a request and its unfinished evaluations."""
        return self._connection.act("requests", request_id, "cancel", model=Request)

    @operation
    def invite(self, request_id: str, account_id: str) -> Flow[Invitation]:
        """Invite a seller."""
        return self._connection.create(
            "requests",
            request_id,
            "invitations",
            model=Invitation,
            body={"account_id": account_id},
        )

    def invitations(self, request_id: str) -> Pages[Invitation, R]:
        """List a request's invitations."""
        return self._pages("requests", request_id, "invitations", model=Invitation)

    @operation
    def uninvite(self, request_id: str, invitation_id: str) -> Flow[None]:
        """Delete an invitation."""
        return self._connection.delete("requests", request_id, "invitations", invitation_id)

    @operation
    def upload_sealed_key(self, request_id: str, account_id: str, box: str) -> Flow[SealedKey]:
        """Upload the box in which the reference's key is sealed to one invited seller."""
        return self._connection.put(
            "requests", request_id, "sealed-keys", account_id, model=SealedKey, body={"box": box}
        )

    @operation
    def sealed_key(self, request_id: str, account_id: str) -> Flow[SealedKey]:
        """Return the box with the reference's key that the buyer uploaded for an account."""
        return self._connection.get(
            "requests", request_id, "sealed-keys", account_id, model=SealedKey
        )
