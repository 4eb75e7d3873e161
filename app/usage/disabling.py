"""Disable an account: refuse its calls, and cancel its evaluations. Enable it again."""

from wassay import models as wire

from ..accounts import admin_actions, service
from ..accounts.principal import Principal
from ..database import Database
from ..evaluations import repository
from ..evaluations.jobs import outcomes
from ..evaluations.models import UNFINISHED

REASON = "An administrator has disabled the buyer's account."


def disable_account(database: Database, caller: Principal | None, account_id: str) -> wire.Account:
    """Refuse an account's calls from now on, and cancel its own unfinished evaluations.

    `caller` is None for the operator's command line.

    Raises
    ------
    NotFound
        If there is no such account, or it was closed.
    """
    with database.transaction() as session:
        disabled = service.set_disabled(session, account_id, disabled=True)
        admin_actions.record(session, caller, "account.disable", account_id)
    # A call in progress can still add an evaluation; disabling the account again cancels it.
    with database.snapshot() as session:
        unfinished = repository.unfinished_ids_of(session, account_id)
    for evaluation_id in unfinished:
        with database.transaction() as session:
            evaluation = repository.locked(session, evaluation_id)
            if evaluation is not None and evaluation.state in UNFINISHED:
                outcomes.cancel(session, evaluation, REASON)
    return disabled


def enable_account(database: Database, caller: Principal | None, account_id: str) -> wire.Account:
    """Accept an account's calls again; its cancelled evaluations stay cancelled.

    `caller` is None for the operator's command line.

    Raises
    ------
    NotFound
        If there is no such account, or it was closed.
    """
    with database.transaction() as session:
        enabled = service.set_disabled(session, account_id, disabled=False)
        admin_actions.record(session, caller, "account.enable", account_id)
    return enabled
