"""The record of what administrators did."""

from datetime import datetime
from typing import Literal

from pydantic import Field

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
    """One action of an administrator, or of a command on the service's machine."""

    id: str
    created_at: datetime
    account_id: str | None = Field(
        description="The account that acted. Null for a command on the service's machine."
    )
    key_id: str | None = Field(description="The API key of the call. Null for a command.")
    action: AdminActionKind
    object_id: str | None = Field(
        description="What was acted on, such as an account or a key. Null if the action lists all "
        "accounts or all evaluations."
    )
    request_id: str | None = Field(
        description="The id of the HTTP call, which the service's log also has. Null for a command."
    )
