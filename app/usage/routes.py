"""Routes that read an account's usage, and that disable or enable an account."""

from fastapi import Request

from wassay import models as wire

from ..accounts.admin_actions import reading_session
from ..accounts.authentication import Admin, AuthenticatedRoute, Caller
from ..evaluations.evaluation_limits import EvaluationLimits
from ..http.dependencies import DatabaseDependency, SettingsDependency
from ..http.documentation import problems
from ..http.parameters import PathId
from ..http.problems import NotFound
from ..http.resource_router import ResourceRouter
from . import disabling, service

router = ResourceRouter(prefix="/v1/accounts", tags=["accounts"], route_class=AuthenticatedRoute)


@router.get("/{account_id}/usage", responses=problems(NotFound))
def read_usage(
    account_id: PathId,
    request: Request,
    caller: Caller,
    database: DatabaseDependency,
    settings: SettingsDependency,
) -> wire.Usage:
    """Read how much your account and organisation use. Administrators may read any account's."""
    evaluations = EvaluationLimits(settings.account_evaluations, settings.organisation_evaluations)
    with reading_session(database, caller, "account.usage", account_id) as session:
        return service.read_usage(
            session, caller, account_id, request.app.state.storage_limits, evaluations
        )


@router.post("/{account_id}/disable", responses=problems(NotFound))
def disable_account(
    account_id: PathId, caller: Admin, database: DatabaseDependency
) -> wire.Account:
    """Refuse an account's calls until it is enabled again, and cancel its own evaluations.

    Nothing is deleted. The key needs the scope `admin`.
    """
    return disabling.disable_account(database, caller, account_id)


@router.post("/{account_id}/enable", responses=problems(NotFound))
def enable_account(account_id: PathId, caller: Admin, database: DatabaseDependency) -> wire.Account:
    """Accept an account's calls again. The key needs the scope `admin`."""
    return disabling.enable_account(database, caller, account_id)
