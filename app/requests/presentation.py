"""Convert requests, measures and invitations to wire models."""

from wassay import models as wire

from ..arrays.columns import StoredArrayColumns
from ..database import now
from .models import Invitation, Request


def state_of(request: Request) -> wire.RequestState:
    """Return the state of a request. An open request after its `expires_at` is `expired`."""
    if request.state == "open" and request.expires_at is not None and request.expires_at <= now():
        return "expired"
    state: wire.RequestState = request.state  # type: ignore[assignment]
    return state


def request_to_wire(request: Request, *, reads_measure: bool) -> wire.Request:
    """Convert a request; omit the measure's digest for callers who may not read the measure.

    Sellers know the reference and the isometry, so the digest would let them test guesses of the
    records and of t0.
    """
    measure = None if request.measure is None else array_to_wire(request.measure)
    if measure is not None and not reads_measure:
        measure = measure.model_copy(update={"digest": None})
    return wire.Request(
        id=request.id,
        account_id=request.account_id,
        organisation=request.account.organisation,
        state=state_of(request),
        title=request.title,
        description=request.description,
        reference_id=request.reference_id,
        dimension=request.reference.dimension,
        projected_from=request.reference.projected_from,
        order=request.order,
        sweep=request.sweep,
        modes=request.modes,
        audience=request.audience,
        reveals_measure=request.reveals_measure,
        reveals_scores=request.reveals_scores,
        interpolation=request.interpolation,
        labelled=request.labelled,
        class_names=request.class_names,
        recipe=request.recipe,
        epsilon=request.epsilon,
        radius=request.radius,
        measure=measure,
        expires_at=request.expires_at,
        created_at=request.created_at,
        updated_at=request.updated_at,
    )


def array_to_wire(array: StoredArrayColumns) -> wire.StoredArray:
    """Convert the description of a stored array."""
    return wire.StoredArray(
        digest=array.digest,
        rows=array.rows,
        columns=array.columns,
        weighted=array.weighted,
        bytes=array.bytes,
        created_at=array.created_at,
        deleted_at=array.deleted_at,
    )


def invitation_to_wire(invitation: Invitation) -> wire.Invitation:
    """Convert an invitation."""
    return wire.Invitation(
        id=invitation.id,
        request_id=invitation.request_id,
        account_id=invitation.account_id,
        has_sealed_key=invitation.sealed_key is not None,
        created_at=invitation.created_at,
    )
