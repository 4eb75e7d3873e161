"""Routes with which administrators list, read and cancel the evaluations of all accounts."""

from typing import Annotated

from fastapi import Query

from wassay import models as wire

from ..accounts.admin_actions import record
from ..accounts.authentication import Admin, AuthenticatedRoute
from ..http.dependencies import DatabaseDependency
from ..http.documentation import problems
from ..http.pagination import BadCursor
from ..http.parameters import PageQueryDependency, PathId
from ..http.problems import Invalid, NotFound
from ..http.resource_router import ResourceRouter
from . import operating
from .problems import EvaluationFinished

router = ResourceRouter(
    prefix="/v1/admin/evaluations", tags=["evaluations"], route_class=AuthenticatedRoute
)


@router.get("", responses=problems(Invalid, BadCursor))
def list_all_evaluations(
    caller: Admin,
    database: DatabaseDependency,
    query: PageQueryDependency,
    state: Annotated[
        wire.EvaluationState | None, Query(description="Only evaluations in this state.")
    ] = None,
) -> wire.Page[wire.OperatedEvaluation]:
    """List the evaluations of all accounts, without data and results.

    The key needs the scope `admin`.
    """
    with database.transaction() as session:
        record(session, caller, "evaluation.list", None)
        return operating.list_all(session, state, query)


@router.get("/{evaluation_id}", responses=problems(NotFound))
def read_any_evaluation(
    evaluation_id: PathId, caller: Admin, database: DatabaseDependency
) -> wire.OperatedEvaluation:
    """Read an evaluation's account and state, and why it is waiting or has failed.

    The key needs the scope `admin`.
    """
    with database.transaction() as session:
        record(session, caller, "evaluation.read", evaluation_id)
        return operating.read_any(session, evaluation_id)


@router.post("/{evaluation_id}/cancel", responses=problems(NotFound, EvaluationFinished))
def cancel_any_evaluation(
    evaluation_id: PathId, caller: Admin, database: DatabaseDependency
) -> wire.OperatedEvaluation:
    """Cancel a waiting or running evaluation of any account.

    The key needs the scope `admin`.
    """
    with database.transaction() as session:
        record(session, caller, "evaluation.cancel", evaluation_id)
        return operating.cancel_any(session, evaluation_id)
