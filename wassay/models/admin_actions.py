"""The record of what administrators did."""

from datetime import datetime
from typing import Literal

from wassay.models.base import Listed

AdminActionKind = Literal[
    "account.create",
    "account.list",
    "account.read",
    "account.usage",
    "account.disable",
    "account.enable",
    "account.close",
    "key.issue",
    "key.list",
    "key.revoke",
    "evaluation.list",
    "evaluation.read",
    "evaluation.cancel",
    "evaluation.retry",
    "receipt-key.rotate",
    "receipt-key.retire",
    "installation.renew",
    "installation.adopt",
]


class AdminAction(Listed):
    """One action of an administrator.

    `account_id` and `key_id` say who acted. Both are null for a command on the service's machine.
    `object_id` says what was acted on; it is null if the action lists all accounts or all
    evaluations. `request_id` is the id of the HTTP call, which the service's log also has.
    """

    id: str
    created_at: datetime
    account_id: str | None
    key_id: str | None
    action: AdminActionKind
    object_id: str | None
    request_id: str | None
