"""Limit the bytes of arrays that an account, and its organisation, have stored."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy.orm import Session

from ..http.problems import Problem
from .principal import Principal
from .repository import lock_organisation


class StorageQuotaExceeded(Problem):
    """The array would exceed the storage limit of the account or its organisation."""

    slug, title, status = "storage-quota-exceeded", "Storage quota exceeded", 507


@dataclass(frozen=True)
class StoredBytes:
    """The bytes of the arrays that an account and its organisation have uploaded and not deleted.

    Equal arrays are stored once, and count for everyone who uploaded them.
    """

    of_account: int
    of_organisation: int


@dataclass(frozen=True)
class StorageLimits:
    """The most bytes that one account, and one organisation, may store, and how to count them."""

    per_account: int
    per_organisation: int
    count: Callable[[Session, str, str], StoredBytes]
    """Called with an account's id and its organisation's key."""


class StorageQuota:
    """What one caller may store."""

    def __init__(self, caller: Principal, limits: StorageLimits) -> None:
        self._caller = caller
        self._limits = limits

    def lock(self, session: Session) -> None:
        """Have the organisation's other uploads wait to be counted until the transaction ends."""
        lock_organisation(session, self._caller.organisation_key)

    def require_room(self, session: Session, added: int = 0) -> None:
        """Raise if the bytes to add, together with those stored, exceed a limit.

        Raises
        ------
        StorageQuotaExceeded
            If they exceed the limit of the account or of its organisation.
        """
        caller, limits = self._caller, self._limits
        stored = limits.count(session, caller.account_id, caller.organisation_key)
        for owner, used, limit in (
            ("account", stored.of_account, limits.per_account),
            ("organisation", stored.of_organisation, limits.per_organisation),
        ):
            if used + added > limit:
                raise StorageQuotaExceeded(
                    f"Expected at most {limit} bytes of arrays of one {owner}; with this one, "
                    f"yours has {used + added}. Delete measures of requests that have ended, or "
                    "withdraw contributions to them, or ask the operator for more.",
                    expected=limit,
                    received=used + added,
                )
