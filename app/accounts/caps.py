"""Read and set an account's caps, which apply to its datasets that have no caps of their own."""

from typing import Any, ClassVar

from sqlalchemy.orm import Session

from wassay import models as wire

from ..http.problems import Forbidden
from ..http.request_models import RequestModel
from . import repository
from .models import Account
from .principal import Principal


class NewCaps(wire.Caps, RequestModel):
    """Caps to set. Unknown fields are refused, because they are probably misspelt."""

    example: ClassVar[dict[str, Any]] = {
        "evaluations": 20,
        "buyer_points": 100,
        "uniform_weights": True,
    }


def read_caps(session: Session, caller: Principal, account_id: str) -> wire.Caps:
    """Return the caller's caps.

    Raises
    ------
    Forbidden
        If the account is not the caller's own.
    """
    _require_own(caller, account_id)
    return wire.Caps.model_validate(session.get_one(Account, account_id).caps or {})


def set_caps(session: Session, caller: Principal, account_id: str, caps: wire.Caps) -> wire.Caps:
    """Replace the caller's caps.

    Raises
    ------
    Forbidden
        If the account is not the caller's own.
    """
    _require_own(caller, account_id)
    account = repository.account_to_change(session, account_id)
    account.caps = caps.model_dump()
    session.flush()
    return wire.Caps.model_validate(account.caps)


def _require_own(caller: Principal, account_id: str) -> None:
    if account_id != caller.account_id:
        raise Forbidden(
            f"Expected your own account {caller.account_id}; received {account_id}. Only the "
            "account itself reads and sets its caps.",
            expected=caller.account_id,
            received=account_id,
        )
