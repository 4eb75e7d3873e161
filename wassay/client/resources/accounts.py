"""Accounts, their API keys and their encryption keys."""

from collections.abc import Iterable
from datetime import datetime

from wassay.client.connection.connection import Resource
from wassay.client.connection.flows import Flow, R, operation
from wassay.client.connection.pagination import Pages
from wassay.client.shared.arguments import as_list
from wassay.models import Account, ApiKey, Caps, EncryptionKey, NewApiKey, Scope


class Accounts(Resource[R]):
    """`/v1/accounts`."""

    @operation
    def create(self, *, organisation: str, name: str) -> Flow[Account]:
        """Create an account (admin)."""
        return self._connection.create(
            "accounts", model=Account, body={"organisation": organisation, "name": name}
        )

    def list(self) -> Pages[Account, R]:
        """All accounts (admin)."""
        return self._pages("accounts", model=Account)

    @operation
    def me(self) -> Flow[Account]:
        """The account of this client's key."""
        return self._connection.get("accounts", "me", model=Account)

    @operation
    def get(self, account_id: str) -> Flow[Account]:
        """An account: one's own, or any for an admin."""
        return self._connection.get("accounts", account_id, model=Account)

    @operation
    def create_key(
        self,
        account_id: str,
        *,
        scopes: Iterable[Scope],
        label: str | None = None,
        expires_at: datetime | None = None,
    ) -> Flow[NewApiKey]:
        """Issue a key. The answer is the only one that ever shows it."""
        body = {
            "scopes": as_list(scopes, "scopes"),
            "label": label,
            "expires_at": expires_at,
        }
        return self._connection.create("accounts", account_id, "keys", model=NewApiKey, body=body)

    def keys(self, account_id: str) -> Pages[ApiKey, R]:
        """The keys of an account, without their secrets."""
        return self._pages("accounts", account_id, "keys", model=ApiKey)

    @operation
    def revoke_key(self, account_id: str, key_id: str) -> Flow[None]:
        """Make a key useless from now on."""
        return self._connection.delete("accounts", account_id, "keys", key_id)

    @operation
    def caps(self, account_id: str) -> Flow[Caps]:
        """One's own caps: for one's datasets whose listing has none, or that have no listing."""
        return self._connection.get("accounts", account_id, "caps", model=Caps)

    @operation
    def set_caps(self, account_id: str, caps: Caps) -> Flow[Caps]:
        """Set one's own caps, in place of those before (seller)."""
        return self._connection.put("accounts", account_id, "caps", model=Caps, body=dict(caps))

    @operation
    def encryption_key(self, account_id: str) -> Flow[EncryptionKey]:
        """The public key of any account, as the service says it: compare its fingerprint."""
        return self._connection.get("accounts", account_id, "encryption-key", model=EncryptionKey)

    @operation
    def publish_encryption_key(self, account_id: str, public_key: str) -> Flow[EncryptionKey]:
        """Set one's own public key: X25519, 32 bytes in base64."""
        return self._connection.put(
            "accounts",
            account_id,
            "encryption-key",
            model=EncryptionKey,
            body={"public_key": public_key},
        )
