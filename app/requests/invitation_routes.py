"""Routes of invitations."""

from fastapi import Response

from wassay import models as wire

from ..accounts.authentication import AuthenticatedRoute, Buyer
from ..http.dependencies import DatabaseDependency
from ..http.documentation import problems
from ..http.idempotency import IdempotencyKeyReused, OnceDependency
from ..http.pagination import BadCursor
from ..http.parameters import PageQueryDependency, PathId
from ..http.problems import NotFound
from ..http.resource_router import ResourceRouter
from ..http.responses import created_response, json_response
from . import invitations
from .problems import RequestNotOpen
from .schemas import NewInvitation

router = ResourceRouter(
    route_class=AuthenticatedRoute,
    prefix="/v1/requests/{request_id}/invitations",
    tags=["requests"],
)


@router.post(
    "",
    status_code=201,
    response_model=wire.Invitation,
    responses={
        200: {"model": wire.Invitation, "description": "The seller is invited already."},
        **problems(NotFound, RequestNotOpen, IdempotencyKeyReused),
    },
)
def create_invitation(
    request_id: PathId,
    body: NewInvitation,
    caller: Buyer,
    database: DatabaseDependency,
    once: OnceDependency,
) -> Response:
    """Invite a seller to contribute to a draft or open request."""

    def work() -> Response:
        invitation, is_new = invitations.invite(session, caller, request_id, body.account_id)
        if not is_new:
            return json_response(invitation)
        return created_response(
            invitation, f"/v1/requests/{request_id}/invitations/{invitation.id}"
        )

    with database.transaction() as session:
        return once(session, caller.account_id, work)


@router.get("", responses=problems(NotFound, BadCursor))
def list_invitations(
    request_id: PathId, caller: Buyer, database: DatabaseDependency, query: PageQueryDependency
) -> wire.Page[wire.Invitation]:
    """List the invitations to your request."""
    with database.snapshot() as session:
        return invitations.list_invitations(session, caller, request_id, query)


@router.delete("/{invitation_id}", status_code=204, responses=problems(NotFound))
def delete_invitation(
    request_id: PathId, invitation_id: PathId, caller: Buyer, database: DatabaseDependency
) -> None:
    """Revoke an invitation. The seller's contributions remain."""
    with database.transaction() as session:
        invitations.revoke(session, caller, request_id, invitation_id)
