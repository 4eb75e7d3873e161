"""Routes that delete a measure, a contribution or an account."""

from wassay import models as wire

from ..accounts.authentication import AuthenticatedRoute, Buyer, Caller, Seller
from ..arrays.dependencies import StoreDependency
from ..arrays.problems import StorageUnavailable
from ..contributions.problems import ContributionEnded, ContributionUsed
from ..http.dependencies import DatabaseDependency
from ..http.documentation import problems
from ..http.parameters import PathId
from ..http.problems import Forbidden, NotFound
from ..http.resource_router import ResourceRouter
from . import accounts, measures, withdrawals
from .problems import EvaluationUnfinished, RequestStillOpen
from .stored_bytes import delete_scheduled

router = ResourceRouter(prefix="/v1", route_class=AuthenticatedRoute)


@router.delete(
    "/requests/{request_id}/measure",
    status_code=204,
    responses=problems(NotFound, RequestStillOpen, EvaluationUnfinished, StorageUnavailable),
    tags=["requests"],
)
def delete_request_measure(
    request_id: PathId, caller: Buyer, database: DatabaseDependency, store: StoreDependency
) -> None:
    """Delete the measure of your request, the measure's scores, and the request's sealed keys.

    This is refused while the request is open, or one of its evaluations is waiting or running.
    Results, receipts and the ledger stay.
    """
    with database.transaction() as session:
        measures.delete_measure(session, caller, request_id)
    delete_scheduled(database, store)


@router.post(
    "/contributions/{contribution_id}/withdraw",
    responses=problems(NotFound, ContributionEnded, ContributionUsed, StorageUnavailable),
    tags=["contributions"],
)
def withdraw_contribution(
    contribution_id: PathId, caller: Seller, database: DatabaseDependency, store: StoreDependency
) -> wire.Contribution:
    """Withdraw a contribution, and delete its uploads and scores.

    This is refused while a waiting or running evaluation uses the contribution, or if an evaluation
    has used it and the request is still open. Results, receipts and the ledger stay.
    """
    with database.transaction() as session:
        withdrawn = withdrawals.withdraw(session, caller, contribution_id)
    delete_scheduled(database, store)
    return withdrawn


@router.delete(
    "/accounts/{account_id}",
    status_code=204,
    responses=problems(NotFound, Forbidden, StorageUnavailable),
    tags=["accounts"],
)
def close_account(
    account_id: PathId, caller: Caller, database: DatabaseDependency, store: StoreDependency
) -> None:
    """Close your account permanently (or, as an administrator, any account), and erase its data.

    Draft and open requests of the account are cancelled, and so are unfinished evaluations with its
    data. Receipts and the ledger stay.
    """
    accounts.close_account(database, store, caller, account_id)
