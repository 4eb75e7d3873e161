"""Routes of accounts and their API keys."""

from fastapi import Response

from wassay import models as wire

from ..http.dependencies import DatabaseDependency
from ..http.documentation import problems
from ..http.idempotency import IdempotencyKeyReused, OnceDependency, ResponseNotStored
from ..http.pagination import BadCursor
from ..http.parameters import PageQueryDependency, PathId
from ..http.problems import Invalid, NotFound
from ..http.resource_router import ResourceRouter
from ..http.responses import created_response
from . import admin_actions, service
from .authentication import Admin, AuthenticatedRoute, Caller
from .schemas import KeyToIssue, NewAccount
from .service import OrganisationConfusable

router = ResourceRouter(prefix="/v1/accounts", tags=["accounts"], route_class=AuthenticatedRoute)


@router.post(
    "",
    status_code=201,
    response_model=wire.Account,
    responses=problems(Invalid, OrganisationConfusable, IdempotencyKeyReused),
)
def create_account(
    body: NewAccount, caller: Admin, database: DatabaseDependency, once: OnceDependency
) -> Response:
    """Create an account without keys."""

    def work() -> Response:
        account = service.create_account(session, organisation=body.organisation, name=body.name)
        admin_actions.record(session, caller, "account.create", account.id)
        return created_response(account, f"/v1/accounts/{account.id}")

    with database.transaction() as session:
        return once(session, caller.account_id, work)


@router.get("", responses=problems(Invalid, BadCursor))
def list_accounts(
    caller: Admin, database: DatabaseDependency, query: PageQueryDependency
) -> wire.Page[wire.Account]:
    """List all accounts."""
    with database.transaction() as session:
        admin_actions.record(session, caller, "account.list", None)
        return service.list_accounts(session, query)


@router.get("/me")
def read_own_account(caller: Caller, database: DatabaseDependency) -> wire.Account:
    """Read your account."""
    with database.snapshot() as session:
        return service.read_account(session, caller, caller.account_id)


@router.get("/{account_id}", responses=problems(NotFound))
def read_account(account_id: PathId, caller: Caller, database: DatabaseDependency) -> wire.Account:
    """Read your account or, as an administrator, any account."""
    with admin_actions.reading_session(database, caller, "account.read", account_id) as session:
        return service.read_account(session, caller, account_id)


@router.post(
    "/{account_id}/keys",
    status_code=201,
    response_model=wire.NewApiKey,
    responses=problems(NotFound, Invalid, IdempotencyKeyReused, ResponseNotStored),
)
def issue_key(
    account_id: PathId,
    body: KeyToIssue,
    caller: Caller,
    database: DatabaseDependency,
    once: OnceDependency,
) -> Response:
    """Issue an API key. Only this response contains the key."""

    def work() -> Response:
        key = service.grant_key(
            session,
            caller,
            account_id,
            scopes=body.scopes,
            label=body.label,
            expires_at=body.expires_at,
        )
        admin_actions.record(session, caller, "key.issue", key.id)
        return created_response(key, f"/v1/accounts/{account_id}/keys/{key.id}")

    with database.transaction() as session:
        return once(session, caller.account_id, work, secret=True)


@router.get("/{account_id}/keys", responses=problems(NotFound, Invalid, BadCursor))
def list_keys(
    account_id: PathId, caller: Caller, database: DatabaseDependency, query: PageQueryDependency
) -> wire.Page[wire.ApiKey]:
    """List an account's unrevoked keys, each by its prefix."""
    with admin_actions.reading_session(database, caller, "key.list", account_id) as session:
        return service.list_keys(session, caller, account_id, query)


@router.delete("/{account_id}/keys/{key_id}", status_code=204, responses=problems(NotFound))
def revoke_key(
    account_id: PathId, key_id: PathId, caller: Caller, database: DatabaseDependency
) -> None:
    """Revoke a key. The next call with the key is refused."""
    with database.transaction() as session:
        service.revoke_key(session, caller, account_id, key_id)
        admin_actions.record(session, caller, "key.revoke", key_id)
