"""Accounts, their API keys and their encryption keys."""

from collections.abc import Iterable
from datetime import datetime

from wassay.client.connection.connection import Resource
from wassay.client.connection.flows import Flow, R, operation
from wassay.client.connection.pagination import Pages
from wassay.client.shared.arguments import as_list
from wassay.models import Account, ApiKey, Caps, EncryptionKey, NewApiKey, Scope, Usage


class Accounts(Resource[R]):
    """The routes below `/v1/accounts`."""

    @operation
    def create(self, *, organisation: str, name: str) -> Flow[Account]:
        """Create an account.

        The API key needs the scope `admin`.
        """
        return self._connection.create(
            "accounts", model=Account, body={"organisation": organisation, "name": name}
        )

    def list(self) -> Pages[Account, R]:
        """List all accounts.

        The API key needs the scope `admin`.
        """
        return self._pages("accounts", model=Account)

    @operation
    def me(self) -> Flow[Account]:
        """Return the account of this client's API key."""
        return self._connection.get("accounts", "me", model=Account)

    @operation
    def get(self, account_id: str) -> Flow[Account]:
        """Return the caller's own account; an admin may read any account."""
        return self._connection.get("accounts", account_id, model=Account)

    @operation
    def close(self, account_id: str) -> Flow[None]:
        """Close the caller's account for good, and erase its data; admins may close any account."""
        return self._connection.delete("accounts", account_id)

    @operation
    def disable(self, account_id: str) -> Flow[Account]:
        """Cancel an account's evaluations, and refuse its calls until `enable`.

        The API key needs the scope `admin`.
        """
        return self._connection.act("accounts", account_id, "disable", model=Account)

    @operation
    def enable(self, account_id: str) -> Flow[Account]:
        """Accept an account's calls again.

        The API key needs the scope `admin`.
        """
        return self._connection.act("accounts", account_id, "enable", model=Account)

    @operation
    def create_key(
        self,
        account_id: str,
        *,
        scopes: Iterable[Scope],
        label: str | None = None,
        expires_at: datetime | None = None,
    ) -> Flow[NewApiKey]:
        """Create an API key of the caller's own account; an admin may name any account.

        Only this response contains the key's secret.

        Parameters
        ----------
        account_id : str
        scopes : iterable of str
            At most the scopes of the caller's key, unless an admin creates the key.
        label : str, optional
            A name for lists of keys.
        expires_at : datetime, optional
            By default the key never expires.
        """
        body = {
            "scopes": as_list(scopes, "scopes"),
            "label": label,
            "expires_at": expires_at,
        }
        return self._connection.create("accounts", account_id, "keys", model=NewApiKey, body=body)

    def keys(self, account_id: str) -> Pages[ApiKey, R]:
        """List an account's API keys that are not revoked, without their secrets."""
        return self._pages("accounts", account_id, "keys", model=ApiKey)

    @operation
    def revoke_key(self, account_id: str, key_id: str) -> Flow[None]:
        """Revoke an API key."""
        return self._connection.delete("accounts", account_id, "keys", key_id)

    @operation
    def caps(self, account_id: str) -> Flow[Caps]:
        """Return the caps of the caller's own account, for datasets that have no caps of their own.

        The API key needs the scope `seller`.
        """
        return self._connection.get("accounts", account_id, "caps", model=Caps)

    @operation
    def set_caps(self, account_id: str, caps: Caps) -> Flow[Caps]:
        """Replace the caps of the caller's own account.

        The API key needs the scope `seller`.
        """
        return self._connection.put("accounts", account_id, "caps", model=Caps, body=dict(caps))

    @operation
    def usage(self, account_id: str) -> Flow[Usage]:
        """Return how many bytes and evaluations an account and its organisation use, and may use.

        The account is the caller's own; an admin may name any account.
        """
        return self._connection.get("accounts", account_id, "usage", model=Usage)

    @operation
    def encryption_key(self, account_id: str) -> Flow[EncryptionKey]:
        """Return any account's public key; compare the fingerprint before you trust the key."""
        return self._connection.get("accounts", account_id, "encryption-key", model=EncryptionKey)

    @operation
    def publish_encryption_key(self, account_id: str, public_key: str) -> Flow[EncryptionKey]:
        """Publish the public key of the caller's own account: X25519, 32 bytes in base64."""
        return self._connection.put(
            "accounts",
            account_id,
            "encryption-key",
            model=EncryptionKey,
            body={"public_key": public_key},
        )
