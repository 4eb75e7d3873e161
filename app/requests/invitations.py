"""Invite sellers to requests, and revoke invitations."""

from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.principal import Principal
from ..accounts.service import require_account
from ..http.pagination import PageQuery, page
from ..http.problems import NotFound
from . import repository
from .access import own_request
from .models import Invitation
from .presentation import invitation_to_wire
from .problems import RequestNotOpen
from .states import state_of


def invite(
    session: Session, caller: Principal, request_id: str, account_id: str
) -> tuple[wire.Invitation, bool]:
    """Invite a seller, unless the seller is invited already.

    Returns
    -------
    invitation, is_new
        The new or the existing invitation, and whether this call created it.

    Raises
    ------
    NotFound
        If the caller has no such request, or there is no such account, or the account was closed.
    RequestNotOpen
        If the request has ended.
    """
    request = own_request(session, caller, request_id, lock=True)
    state = state_of(request)
    if state not in {"draft", "open"}:
        raise RequestNotOpen(
            f"Expected request {request_id} to be a draft or open, because an invitation asks "
            f"sellers to contribute; it is {state}.",
            expected=["draft", "open"],
            received=state,
        )
    require_account(session, account_id)
    invitation = repository.invitation_of(session, request_id, account_id)
    if invitation is not None:
        return invitation_to_wire(invitation), False
    invitation = Invitation(request_id=request_id, account_id=account_id, sealed_key=None)
    session.add(invitation)
    session.flush()
    return invitation_to_wire(invitation), True


def list_invitations(
    session: Session, caller: Principal, request_id: str, query: PageQuery
) -> wire.Page[wire.Invitation]:
    """Return a page of the invitations to a buyer's own request.

    Raises
    ------
    NotFound
        If the caller has no such request.
    """
    own_request(session, caller, request_id)
    rows = repository.invitations_to(request_id)
    return page(session, rows, Invitation, query, invitation_to_wire)


def revoke(session: Session, caller: Principal, request_id: str, invitation_id: str) -> None:
    """Delete an invitation and its sealed key. The seller's contributions remain.

    Raises
    ------
    NotFound
        If the caller has no such request, or the request has no such invitation.
    """
    own_request(session, caller, request_id, lock=True)
    invitation = repository.invitation_with_id(session, request_id, invitation_id)
    if invitation is None:
        raise NotFound(
            f"Request {request_id} has no invitation {invitation_id}.", received=invitation_id
        )
    session.delete(invitation)
