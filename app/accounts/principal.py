"""The caller of the service: which account, with which rights."""

from dataclasses import dataclass
from datetime import datetime

from wassay.organisations import organisation_key


@dataclass(frozen=True, slots=True)
class Principal:
    """The caller: an account, its organisation, and the API key with which it calls.

    `name` is the account's; `scopes` and `expires_at` are the key's.
    """

    account_id: str
    organisation: str
    name: str
    scopes: frozenset[str]
    expires_at: datetime | None = None  # None if the key never expires
    key_id: str | None = None

    @property
    def as_buyer(self) -> str | None:
        """The account's id if the key has the scope `buyer`; else None."""
        return self.account_id if "buyer" in self.scopes else None

    @property
    def as_seller(self) -> str | None:
        """The account's id if the key has the scope `seller`; else None."""
        return self.account_id if "seller" in self.scopes else None

    @property
    def organisation_key(self) -> str:
        """The organisation's normalised name, which all accounts of the organisation share."""
        return organisation_key(self.organisation)
