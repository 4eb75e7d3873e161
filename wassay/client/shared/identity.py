"""Who one is to the others: an account, its key pair, and the keys that it has pinned."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from wassay.audit import Audit
from wassay.client.client import Service
from wassay.client.connection.flows import (
    Flow,
    R,
    Runs,
    operation,
)
from wassay.client.errors import InvalidArgumentError, NotFoundError
from wassay.client.shared.disclosure_check import DEFAULT_LIMIT, DisclosureCheck, disclosure_limit
from wassay.disclosure_class import DisclosureClass
from wassay.profile import Profile
from wassay.reference_key import ReferenceKey
from wassay.sealing import AccountKey, KeyPair, SealingError, require_fingerprint

KEY_MISSING = "/problems/encryption-key-missing"


@dataclass(frozen=True)
class SharedSecret:
    """What a buyer tells invited sellers past the service.

    Attributes
    ----------
    request_id : str
    key : ReferenceKey
    measure_digest : str or None
        SHA-256 of the buyer's measure as it was uploaded: another, that the service shows sellers
        who compute with it, would ask what the buyer never did. None where none may compute with
        it: they could try with the digest what a record is, and t0.
    """

    request_id: str
    key: ReferenceKey
    measure_digest: str | None


class Identity(Runs[R]):
    """The account of a client's API key, with its half of what a profile keeps."""

    def __init__(self, service: Service[R], profile: Profile) -> None:
        super().__init__(service.run)
        if not isinstance(profile, Profile):
            raise InvalidArgumentError(f"profile is a wassay.Profile(path), received {profile!r}")
        self._flows = service.flows
        self._profile = profile
        self._account_id: str | None = None

    @operation
    def account_id(self) -> Flow[str]:
        """The account's id."""
        if self._account_id is None:
            self._account_id = (yield from self._flows.accounts.me()).id
        return self._account_id

    @operation
    def disclosure_check(
        self, max_disclosure: DisclosureClass | str | None, on_audit: Callable[[Audit], None] | None
    ) -> Flow[DisclosureCheck]:
        """DisclosureCheck what leaves: with the limit given, or the profile's, or else the default.

        Raises
        ------
        InvalidArgumentError
            When there is no such class.
        """
        if max_disclosure is not None:
            return DisclosureCheck(disclosure_limit(max_disclosure), on_audit)
        own_id = yield from self._own_id()
        return DisclosureCheck(self._profile.max_disclosure(own_id) or DEFAULT_LIMIT, on_audit)

    @operation
    def publish(self, *, replace: bool = False) -> Flow[str]:
        """Let others seal things to this account, and return the fingerprint to tell them.

        Raises
        ------
        SealingError
            When the account has published another key, and `replace` is false.
        """
        own_id = yield from self._own_id()
        own = self._profile.key_pair(own_id).public
        published = yield from self._published(own_id)
        if published is not None and published != own and not replace:
            raise SealingError(
                f"this account has published the key {published.fingerprint}, and "
                f"{self._profile.path} holds {own.fingerprint}. Use the profile that the other was "
                "made with (copy it, or name it in WASSAY_PROFILE); if it is lost, wassay key "
                "--replace publishes this one, and everybody who pinned the other has to be told."
            )
        if published != own:
            yield from self._flows.accounts.publish_encryption_key(own_id, own.text)
        return own.fingerprint

    @operation
    def pinned_key(self, account_id: str) -> Flow[AccountKey | None]:
        """Somebody's public key, pinned when it is first seen, or None before they publish one.

        Raises
        ------
        KeyChangedError
            When it is another than the one that was pinned.
        """
        key = yield from self._published(account_id)
        if key is not None:
            self._profile.pin((yield from self._own_id()), account_id, key)
        return key

    @operation
    def trust(self, account_id: str, fingerprint: str) -> Flow[AccountKey | None]:
        """Pin the fingerprint that somebody told one themselves, in place of any other.

        Returns
        -------
        AccountKey or None
            What the service shows as their key now: nothing is sealed to any but the one pinned.

        Raises
        ------
        SealingError
            When it is not a fingerprint.
        NotFoundError
            When there is no such account; nothing is pinned.
        """
        require_fingerprint(fingerprint)
        published = yield from self._published(account_id)
        self._profile.trust((yield from self._own_id()), account_id, fingerprint)
        return published

    @operation
    def require(self, account_id: str, expected: str) -> Flow[None]:
        """Let only the expected account pass: known by its id, or by its key's fingerprint.

        Raises
        ------
        SealingError
            When it is another, or has published no such key.
        KeyChangedError
            When another key of that account was pinned.
        """
        if account_id == expected:
            return
        try:
            fingerprint = require_fingerprint(expected)
        except SealingError:
            raise SealingError(
                f"the request is from {account_id}, not from {expected}: expected that account, or "
                "the fingerprint of its key (32 hexadecimal digits). Send nothing before you know "
                "who asks."
            ) from None
        key = yield from self._published(account_id)
        if key is None or key.fingerprint != fingerprint:
            received = "none" if key is None else f"the key {key.fingerprint}"
            raise SealingError(
                f"the request is from {account_id}, who should have published the key "
                f"{fingerprint}: received {received}. Send nothing before you know who asks."
            )
        self._profile.pin((yield from self._own_id()), account_id, key)

    @operation
    def seal(self, shared: SharedSecret, recipient: AccountKey) -> Flow[str]:
        """Put what only a request's parties know into a box for one seller."""
        message = {
            "request_id": shared.request_id,
            "reference_key": shared.key.text,
            "measure_digest": shared.measure_digest,
        }
        return (yield from self._key_pair()).seal(json.dumps(message).encode(), recipient)

    @operation
    def unseal(self, box: str, request_id: str, buyer_id: str) -> Flow[SharedSecret]:
        """Open the box that a buyer has left for this account.

        Raises
        ------
        SealingError
            When it is not from that buyer, or is for another request.
        KeyChangedError
            When the buyer's key is another than the one that was pinned.
        """
        sender = yield from Identity.pinned_key.flow(self, buyer_id)
        if sender is None:
            raise SealingError(
                f"buyer {buyer_id} has published no encryption key, so it cannot be told who "
                "sealed the reference's key: answer nothing, and ask the buyer"
            )
        opened = (yield from self._key_pair()).unseal(box, sender)
        try:
            message = json.loads(opened)
            meant_for, text = str(message["request_id"]), str(message["reference_key"])
            digest = message["measure_digest"]
        except (ValueError, TypeError, KeyError):
            raise SealingError(
                f"buyer {buyer_id} sealed something else than the key of a reference"
            ) from None
        if meant_for != request_id:
            raise SealingError(
                f"the box holds the key of request {meant_for}, not of {request_id}: the service "
                "has mixed them up. Ask the buyer to seal it again."
            )
        return SharedSecret(
            request_id, ReferenceKey.from_text(text), None if digest is None else str(digest)
        )

    def _own_id(self) -> Flow[str]:
        return Identity.account_id.flow(self)

    def _key_pair(self) -> Flow[KeyPair]:
        """The account's own key pair; the private half stays in the profile."""
        return self._profile.key_pair((yield from self._own_id()))

    def _published(self, account_id: str) -> Flow[AccountKey | None]:
        try:
            published = yield from self._flows.accounts.encryption_key(account_id)
        except NotFoundError as missing:
            if missing.type != KEY_MISSING:
                raise
            return None
        return AccountKey.from_text(published.public_key)
