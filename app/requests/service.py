"""Create, edit, open and end requests."""

from collections.abc import Sequence
from typing import Literal

from sqlalchemy import Connection
from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.models import Account
from ..accounts.principal import Principal
from ..database import database_time
from ..http.entity_tags import entity_tag, require_match
from ..http.missing import missing
from ..http.pagination import PageQuery, rows_of_page
from ..http.problems import Forbidden
from ..references.service import own_reference
from ..references.service import to_wire as reference_to_wire
from . import repository, search
from .access import own_request
from .labels import check_labels
from .models import Request
from .modes import check_modes
from .noise import check_noise
from .presentation import columns_to_wire, request_to_wire
from .problems import (
    MeasureMissing,
    RequestExpired,
    RequestNotOpen,
)
from .recipes import check_recipe
from .schemas import NewRequest, RequestEdit
from .states import in_state, require_draft, state_of

Role = Literal["buyer", "seller"]


def create_request(session: Session, caller: Principal, new: NewRequest) -> wire.Request:
    """Create a request as a draft.

    Raises
    ------
    NotFound
        If the caller has no such reference.
    MeasureNotRevealed
        If a mode needs the buyer's measure, but `reveals_measure` is false.
    OrderNotInMode
        If the modes include scalar, but the order is not 2.
    NoiseNotPossible
        If noise is requested, but the terms do not bound what one record changes (`check_noise`).
    LabelsNotPossible
        If the terms do not allow labels (`check_labels`), or there are class names without labels.
    RecipeNotPossible
        If the recipe does not fit the reference.
    """
    check_modes(new.modes, new.order, reveals_measure=new.reveals_measure)
    request = Request(
        account=session.get_one(Account, caller.account_id),
        reference=own_reference(session, caller, new.reference_id),
        state="draft",
        measure=None,
        recipe=None if new.recipe is None else new.recipe.model_dump(mode="json"),
        **new.model_dump(exclude={"reference_id", "recipe"}),
    )
    check_noise(request)
    check_labels(request)
    if new.recipe is not None:
        check_recipe(request, new.recipe)
    search.index(request)
    session.add(request)
    session.flush()
    return request_to_wire(request, reads_measure=True)


def list_requests(
    session: Session,
    caller: Principal,
    query: PageQuery,
    *,
    role: Role,
    state: wire.RequestState | None,
    searched: search.RequestSearch,
) -> wire.Page[wire.Request]:
    """Return a page of the caller's requests, or of the open ones that the caller may answer.

    Parameters
    ----------
    session, caller, query
    role
        `buyer` for the caller's own requests, `seller` for those that the caller may answer.
    state
        The state of the returned requests; None for any.
    searched
        Conditions that the returned requests meet.

    Raises
    ------
    Forbidden
        If the caller's key lacks the scope of the role.
    """
    if role not in caller.scopes:
        raise Forbidden(
            f"Expected a key with the scope {role} for role={role}; yours has "
            f"{', '.join(sorted(caller.scopes))}. Use another key or another role.",
            expected=role,
            received=sorted(caller.scopes),
        )
    present = database_time(session)
    rows = (
        repository.owned_by(caller.account_id)
        if role == "buyer"
        else repository.contributable_by(caller.account_id, present)
    )
    if state is not None:
        rows = rows.where(in_state(state, present))
    rows = search.searched(rows, searched)
    selected, next_cursor = rows_of_page(session, rows, Request, query)
    return wire.Page(items=_to_wire(session, caller, selected), next_cursor=next_cursor)


def read_request(connection: Connection, caller: Principal, request_id: str) -> wire.Request:
    """Return a request that the caller may see.

    Raises
    ------
    NotFound
        If there is no such request, or the caller may not see it.
    """
    columns = repository.readable_columns(connection, caller.as_buyer, caller.as_seller, request_id)
    if columns is None:
        raise missing("request", request_id)
    return columns_to_wire(columns)


def edit_request(
    session: Session, caller: Principal, request_id: str, edit: RequestEdit, if_match: str | None
) -> wire.Request:
    """Edit a draft.

    Raises
    ------
    NotFound
        If the caller has no such request.
    PreconditionRequired
        If `if_match` is None.
    PreconditionFailed
        If `if_match` does not name the current version.
    RequestNotDraft
        If the request was opened or cancelled.
    MeasureNotRevealed, OrderNotInMode, NoiseNotPossible, LabelsNotPossible
        If `create_request` would raise them for the edited terms.
    """
    request = own_request(session, caller, request_id, lock=True)
    require_match(if_match, entity_tag(request_to_wire(request, reads_measure=True)))
    require_draft(request)
    for field, value in edit.changes().items():
        setattr(request, field, value)
    check_modes(request.modes, request.order, reveals_measure=request.reveals_measure)
    check_noise(request)
    check_labels(request)
    search.index(request)
    session.flush()
    return request_to_wire(request, reads_measure=True)


def open_request(session: Session, caller: Principal, request_id: str) -> wire.Request:
    """Open a draft for contributions; do nothing if the request is already open.

    Raises
    ------
    NotFound
        If the caller has no such request.
    RequestNotDraft
        If the request was closed or cancelled, or was open until it expired.
    MeasureMissing
        If the measure has not been uploaded yet.
    RequestExpired
        If the draft's `expires_at` has passed.
    """
    request = own_request(session, caller, request_id, lock=True)
    if state_of(request) == "open":
        return request_to_wire(request, reads_measure=True)
    require_draft(request)
    if request.measure is None:
        raise MeasureMissing(
            f"Expected a measure of request {request_id}; received none yet. PUT it to "
            f"/v1/requests/{request_id}/measure first."
        )
    if request.expires_at is not None and request.expires_at <= database_time(session):
        raise RequestExpired(
            f"Expected expires_at of request {request_id} to be in the future; it is "
            f"{request.expires_at.isoformat()}. Choose a later time first.",
            expected="a time in the future",
            received=request.expires_at.isoformat(),
        )
    return _move(session, request, "open")


def close_request(session: Session, caller: Principal, request_id: str) -> wire.Request:
    """Close an open request to contributions; do nothing if the request is already closed.

    Submitted contributions can still be evaluated.

    Raises
    ------
    NotFound
        If the caller has no such request.
    RequestNotOpen
        If the request is a draft, or was cancelled.
    """
    request = own_request(session, caller, request_id, lock=True)
    if request.state == "closed":
        return request_to_wire(request, reads_measure=True)
    if request.state != "open":
        raise RequestNotOpen(
            f"Expected request {request_id} to be open, because only an open request can be "
            f"closed; it is {request.state}.",
            expected="open",
            received=request.state,
        )
    return _move(session, request, "closed")


def cancel_request(session: Session, caller: Principal, request_id: str) -> wire.Request:
    """Cancel a request permanently, but leave its evaluations alone.

    `app.evaluations.service.cancel_request` cancels the unfinished evaluations, too.

    Raises
    ------
    NotFound
        If the caller has no such request.
    """
    request = own_request(session, caller, request_id, lock=True)
    if request.state == "cancelled":
        return request_to_wire(request, reads_measure=True)
    return _move(session, request, "cancelled")


def read_reference(session: Session, caller: Principal, reference_id: str) -> wire.Reference:
    """Return the caller's own reference, or the reference of a request that the caller may see.

    Raises
    ------
    NotFound
        If there is no such reference, or the caller may not see it.
    """
    reference = repository.readable_reference(
        session, caller.as_buyer, caller.as_seller, reference_id, database_time(session)
    )
    if reference is None:
        raise missing("reference", reference_id)
    return reference_to_wire(reference)


def _to_wire(
    session: Session, caller: Principal, requests: Sequence[Request]
) -> list[wire.Request]:
    readable = repository.requests_with_readable_measure(
        session, caller.as_buyer, caller.as_seller, requests
    )
    return [request_to_wire(request, reads_measure=request.id in readable) for request in requests]


def _move(session: Session, request: Request, state: wire.RequestState) -> wire.Request:
    request.state = state
    request.ended_at = None if state == "open" else database_time(session)
    session.flush()
    return request_to_wire(request, reads_measure=True)
