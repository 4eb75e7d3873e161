"""The route that lists what administrators did."""

from typing import Annotated

from fastapi import Query

from wassay import models as wire

from ..http.dependencies import DatabaseDependency
from ..http.documentation import problems
from ..http.ids import Id
from ..http.pagination import BadCursor
from ..http.parameters import PageQueryDependency
from ..http.problems import Invalid
from ..http.resource_router import ResourceRouter
from . import admin_actions
from .authentication import Admin, AuthenticatedRoute

router = ResourceRouter(
    prefix="/v1/admin/actions", tags=["accounts"], route_class=AuthenticatedRoute
)


@router.get("", responses=problems(Invalid, BadCursor))
def list_admin_actions(
    _caller: Admin,
    database: DatabaseDependency,
    query: PageQueryDependency,
    account_id: Annotated[
        Id | None,
        Query(description="Only the actions of this administrator, by the id of the account."),
    ] = None,
    object_id: Annotated[
        Id | None,
        Query(
            description="Only the actions on this account, key, evaluation, receipt key or "
            "installation, by its id."
        ),
    ] = None,
) -> wire.Page[wire.AdminAction]:
    """List the actions of administrators: who did what, to what, and when.

    The key needs the scope `admin`.
    """
    with database.snapshot() as session:
        return admin_actions.list_actions(
            session, query, account_id=account_id, object_id=object_id
        )
