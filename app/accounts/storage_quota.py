"""Limit the bytes of arrays that an account and its organisation store."""

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
    """How many bytes of arrays an account and its organisation have uploaded and not deleted.

    An array that several accounts uploaded counts in full for each of them.
    """

    of_account: int
    of_organisation: int


@dataclass(frozen=True)
class StorageLimits:
    """Limits on the bytes of arrays that an account and an organisation may store."""

    per_account: int
    per_organisation: int
    count: Callable[[Session, str, str], StoredBytes]
    """Counts the stored bytes, given a session, an account's id and its organisation's key."""


class StorageQuota:
    """The storage limits, applied to one caller."""

    def __init__(self, caller: Principal, limits: StorageLimits) -> None:
        self._caller = caller
        self._limits = limits

    def lock(self, session: Session) -> None:
        """Lock the caller's organisation until the transaction ends. Its other uploads wait."""
        lock_organisation(session, self._caller.organisation_key)

    def require_room(self, session: Session, added: int = 0) -> None:
        """Raise if the stored bytes and `added` bytes together exceed a limit.

        Raises
        ------
        StorageQuotaExceeded
            If the sum exceeds the limit of the account or of its organisation.
        """
        caller, limits = self._caller, self._limits
        stored = limits.count(session, caller.account_id, caller.organisation_key)
        for owner, used, limit in (
            ("account", stored.of_account, limits.per_account),
            ("organisation", stored.of_organisation, limits.per_organisation),
        ):
            if used + added > limit:
                raise StorageQuotaExceeded(
                    f"Expected your {owner} to store at most {limit} bytes of arrays; with this "
                    f"array it would store {used + added}. Delete measures of requests that have "
                    "ended, withdraw contributions to such requests, or ask the operator for more "
                    "space.",
                    expected=limit,
                    received=used + added,
                )
