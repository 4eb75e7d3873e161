"""Close an account, and erase its data in several transactions.

If the process is killed between the transactions, the hourly cleanup erases the rest.
"""

from datetime import datetime

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from ..accounts import admin_actions, service
from ..accounts.models import Account, ApiKey, EncryptionKey
from ..accounts.principal import Principal
from ..accounts.repository import account_to_change
from ..arrays.store import ArrayStore
from ..contributions import repository as contributions
from ..contributions.models import Contribution
from ..database import Database, database_time
from ..evaluations import repository as evaluations
from ..evaluations.jobs import outcomes
from ..evaluations.models import UNFINISHED, Evaluation, Result
from ..http.models import IdempotentCall
from ..listings.models import Listing, SearchedField
from ..references.models import Reference
from ..requests import repository as requests
from ..requests.models import Invitation, Request
from .measures import erase_measure
from .stored_bytes import delete_scheduled
from .withdrawals import erase_arrays, withdraw_locked

ERASED = "(erased)"


def close_account(
    database: Database, store: ArrayStore, caller: Principal | None, account_id: str
) -> None:
    """Close an account permanently, and erase its data.

    An administrator may close an account again, to erase what is left.

    Parameters
    ----------
    database, store
    caller
        The account itself, or an administrator; None for the operator's command line.
    account_id

    Raises
    ------
    NotFound
        If there is no such account, or the caller may not see it. For the command line, also if it
        was closed.
    Forbidden
        If the caller is no administrator, and another key of the account has scopes that the
        caller's key lacks.
    StorageUnavailable
        If the bucket does not respond. The account is closed all the same, and the hourly cleanup
        deletes the arrays.
    """
    with database.transaction() as session:
        if caller is not None:
            service.require_closable(session, caller, account_id)
        else:
            service.require_account(session, account_id)
        account = account_to_change(session, account_id)
        account.closed_at = account.closed_at or database_time(session)
        admin_actions.record(session, caller, "account.close", account_id)
    erase_account(database, store, account_id)


def erase_account(database: Database, store: ArrayStore, account_id: str) -> None:
    """Erase the data of a closed account, except receipts and the ledger.

    Cancel the waiting and running evaluations that use the data.
    """
    with database.transaction() as session:
        _erase_profile(session, account_id)
        own_requests = session.scalars(
            requests.owned_by(account_id).with_only_columns(Request.id)
        ).all()
        own_contributions = session.scalars(
            contributions.owned_by(account_id).with_only_columns(Contribution.id)
        ).all()
    for request_id in own_requests:
        with database.transaction() as session:
            _erase_request(session, account_id, request_id)
    for contribution_id in own_contributions:
        while not _erase_contribution(database, account_id, contribution_id):
            _cancel_evaluations(database, contribution_id)
    store.partial_bodies.remove_of(account_id)
    delete_scheduled(database, store)


def _erase_profile(session: Session, account_id: str) -> None:
    account = account_to_change(session, account_id)
    account.name = ERASED
    account.caps = None
    for owned in (ApiKey, EncryptionKey, IdempotentCall, Invitation):
        session.execute(delete(owned).where(owned.account_id == account_id))
    session.execute(update(Reference).where(Reference.account_id == account_id).values(seed=None))
    session.execute(
        update(Listing)
        .where(Listing.account_id == account_id)
        .values(
            state="archived",
            title=ERASED,
            description="",
            fields=[],
            classes=None,
            licence=None,
            licence_key=None,
            terms=None,
            caps=None,
            words="",
        )
    )
    listed = select(Listing.id).where(Listing.account_id == account_id)
    session.execute(delete(SearchedField).where(SearchedField.listing_id.in_(listed)))


def _erase_request(session: Session, account_id: str, request_id: str) -> None:
    request = requests.own(session, account_id, request_id, lock=True)
    if request is None:
        return
    for evaluation in evaluations.unfinished_of(session, request_id):
        outcomes.cancel(session, evaluation, "The buyer has closed the account.")
    erase_measure(session, request)
    if request.state in {"draft", "open"}:
        request.state = "cancelled"
        request.ended_at = database_time(session)
    request.title, request.description = ERASED, ""
    request.class_names = request.recipe = None
    request.searched_fields = request.words = ""
    session.execute(delete(Invitation).where(Invitation.request_id == request_id))
    of_request = select(Evaluation.id).where(Evaluation.request_id == request_id)
    session.execute(delete(Result).where(Result.evaluation_id.in_(of_request)))


def _erase_contribution(database: Database, account_id: str, contribution_id: str) -> bool:
    """Erase a contribution. Return False, and do nothing, if an unfinished evaluation uses it."""
    with database.transaction() as session:
        contribution = contributions.own(session, account_id, contribution_id, lock=True)
        if contribution is None:
            return True
        if evaluations.unfinished_ids_with(session, contribution_id):
            return False
        if contribution.state in {"draft", "submitted"}:
            withdraw_locked(session, contribution)
        erase_arrays(session, contribution)
        contribution.label = ERASED
        contribution.decline_reason = None
    return True


def _cancel_evaluations(database: Database, contribution_id: str) -> None:
    with database.transaction() as session:
        for evaluation_id in evaluations.unfinished_ids_with(session, contribution_id):
            evaluation = evaluations.locked(session, evaluation_id)
            if evaluation is not None and evaluation.state in UNFINISHED:
                outcomes.cancel(session, evaluation, "A seller has closed the account.")


def closed_since(session: Session, moment: datetime) -> list[str]:
    """Return the ids of the accounts that were closed at `moment` or later."""
    return list(session.scalars(select(Account.id).where(Account.closed_at >= moment)))
