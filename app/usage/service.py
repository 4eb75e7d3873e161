"""Count how much an account and its organisation use."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.organisations import organisation_key

from ..accounts.models import Account
from ..accounts.principal import Principal
from ..accounts.service import read_account
from ..accounts.storage_quota import StorageLimits
from ..evaluations.evaluation_limits import EvaluationLimits
from ..evaluations.models import Evaluation
from ..evaluations.queue_repository import backlog_of
from ..requests.models import Request


def read_usage(
    session: Session,
    caller: Principal,
    account_id: str,
    storage: StorageLimits,
    evaluations: EvaluationLimits,
) -> wire.Usage:
    """Return how much an account and its organisation use, and their limits.

    `storage` has the limits on stored bytes, `evaluations` those on evaluations that wait or run.

    Raises
    ------
    NotFound
        If there is no such account, or the caller may not see it.
    """
    account = read_account(session, caller, account_id)
    key = organisation_key(account.organisation)
    stored = storage.count(session, account.id, key)
    backlog = backlog_of(session, account.id, key)
    return wire.Usage(
        account_id=account.id,
        organisation=account.organisation,
        organisation_accounts=_open_accounts(session, key),
        account_bytes=wire.Quota(used=stored.of_account, limit=storage.per_account),
        organisation_bytes=wire.Quota(used=stored.of_organisation, limit=storage.per_organisation),
        account_evaluations=wire.Quota(used=backlog.of_account, limit=evaluations.per_account),
        organisation_evaluations=wire.Quota(
            used=backlog.of_organisation, limit=evaluations.per_organisation
        ),
        organisation_evaluations_ever=_evaluations_ever(session, key),
    )


def _open_accounts(session: Session, key: str) -> int:
    return session.scalars(
        select(func.count(Account.id)).where(
            Account.organisation_key == key, Account.closed_at.is_(None)
        )
    ).one()


def _evaluations_ever(session: Session, key: str) -> int:
    return session.scalars(
        select(func.count(Evaluation.id))
        .join(Evaluation.request)
        .join(Request.account)
        .where(Account.organisation_key == key)
    ).one()
