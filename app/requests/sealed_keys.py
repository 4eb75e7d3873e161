"""Relay the key of a sealed reference from the buyer to each invited seller.

The key is in a box: a ciphertext that the service cannot decrypt.
"""

from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.principal import Principal
from ..http.problems import NotFound
from . import repository
from .access import own_request, visible_request
from .disclosures import record_key_relay
from .models import Invitation
from .problems import ReferenceOpen, RequestNotOpen
from .states import state_of


def store_sealed_key(
    session: Session, caller: Principal, request_id: str, account_id: str, box: str
) -> wire.SealedKey:
    """Store the box with the key for an invited seller, in place of an earlier box.

    Raises
    ------
    NotFound
        If the caller has no such request, or the seller is not invited to the request.
    ReferenceOpen
        If the request's reference is open.
    RequestNotOpen
        If the request has ended.
    """
    request = own_request(session, caller, request_id, lock=True)
    if request.reference.disclosure != "sealed":
        raise ReferenceOpen(
            f"Expected a sealed reference; the reference of request {request_id} is open, and "
            "sellers read its seed without a key."
        )
    state = state_of(request)
    if state not in {"draft", "open"}:
        raise RequestNotOpen(
            f"Expected request {request_id} to be a draft or open, because keys are for "
            f"contributing sellers; it is {state}.",
            expected=["draft", "open"],
            received=state,
        )
    invitation = repository.invitation_of(session, request_id, account_id)
    if invitation is None:
        raise NotFound(
            f"Account {account_id} is not invited to request {request_id}. Invite the account "
            "first.",
            received=account_id,
        )
    invitation.sealed_key = box
    session.flush()
    record_key_relay(session, request, account_id)
    return _to_wire(invitation, box)


def read_sealed_key(
    session: Session, caller: Principal, request_id: str, account_id: str
) -> wire.SealedKey:
    """Return the box with the key for a seller, to that seller or to the buyer.

    Raises
    ------
    NotFound
        If there is no request that the caller may see, or no box for the seller.
    """
    request = visible_request(session, caller, request_id)
    if caller.as_seller == account_id or caller.as_buyer == request.account_id:
        invitation = repository.invitation_of(session, request_id, account_id)
        if invitation is not None and invitation.sealed_key is not None:
            return _to_wire(invitation, invitation.sealed_key)
    raise NotFound(
        f"Request {request_id} has no sealed key for account {account_id}.",
        received=account_id,
    )


def _to_wire(invitation: Invitation, box: str) -> wire.SealedKey:
    return wire.SealedKey(
        request_id=invitation.request_id, account_id=invitation.account_id, box=box
    )
