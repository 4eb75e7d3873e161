"""The identity of an account: its key pair, and the pinned keys of other accounts."""

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
from wassay.client.errors import NotFoundError
from wassay.client.shared.disclosure_check import DEFAULT_LIMIT, DisclosureCheck, disclosure_limit
from wassay.client.shared.terms import Terms
from wassay.disclosure_class import DisclosureClass
from wassay.errors import InvalidArgumentError
from wassay.key_profile import Profile
from wassay.recipes import FittedPart
from wassay.reference_key import ReferenceKey
from wassay.sealed_boxes import AccountKey, KeyPair, SealingError, require_fingerprint

KEY_MISSING = "/problems/encryption-key-missing"


@dataclass(frozen=True)
class SharedSecret:
    """The secret that a buyer seals to invited sellers.

    Attributes
    ----------
    request_id : str
    key : ReferenceKey
    measure_digest : str or None
        The SHA-256 of the buyer's uploaded measure, by which sellers notice another measure. None
        if no mode of the request needs the measure.
    terms : Terms
        The request's terms, by which sellers notice if the service shows other terms.
    recipe : FittedPart or None
        What the request's recipe learned from the buyer's rows; None without a recipe.
    """

    request_id: str
    key: ReferenceKey
    measure_digest: str | None
    terms: Terms
    recipe: FittedPart | None = None


class Identity(Runs[R]):
    """The account that an API key belongs to, and the `Profile` that holds the account's keys."""

    def __init__(self, service: Service[R], profile: Profile) -> None:
        super().__init__(service.run)
        if not isinstance(profile, Profile):
            raise InvalidArgumentError(
                f"expected profile to be a wassay.Profile(path), received {profile!r}"
            )
        self._flows = service.flows
        self.profile = profile
        self._account_id: str | None = None

    @operation
    def account_id(self) -> Flow[str]:
        """Return the account's id.

        Raises
        ------
        SealingError
            If the service names another account than at the API key's first use.
        """
        if self._account_id is None:
            told = (yield from self._flows.accounts.me()).id
            self.profile.require_account(self._flows.key_digest, told)
            self._account_id = told
        return self._account_id

    @operation
    def disclosure_check(
        self, max_disclosure: DisclosureClass | str | None, on_audit: Callable[[Audit], None] | None
    ) -> Flow[DisclosureCheck]:
        """Return a disclosure check with the limit `max_disclosure`, which calls `on_audit`.

        If `max_disclosure` is None, use the profile's limit or, if there is none, `DEFAULT_LIMIT`.

        Raises
        ------
        InvalidArgumentError
            If `max_disclosure` is not a disclosure class.
        """
        if max_disclosure is not None:
            return DisclosureCheck(disclosure_limit(max_disclosure), on_audit)
        own_id = yield from self._own_id()
        limit = self.profile.max_disclosure(own_id)
        # With the default limit, readable columns lead to a warning instead of an exception.
        return DisclosureCheck(limit or DEFAULT_LIMIT, on_audit, warns_of_columns=limit is None)

    @operation
    def publish(self, *, replace: bool = False) -> Flow[str]:
        """Publish this account's encryption key, and return the key's fingerprint.

        Parameters
        ----------
        replace : bool
            Whether to replace the published key: by the profile's key or, if that is the published
            one, by a new key.

        Raises
        ------
        SealingError
            If the account has published another key and `replace` is false.
        """
        own_id = yield from self._own_id()
        own = self.profile.key_pair(own_id).public
        published = yield from self._published(own_id)
        if published == own and replace:
            own = self.profile.replace_key_pair(own_id).public
        elif published is not None and published != own and not replace:
            raise SealingError(
                f"this account has published the key {published.fingerprint}, but the profile "
                f"{self.profile.path} holds {own.fingerprint}. Use the profile with the published "
                "key: copy it, or name it in WASSAY_PROFILE. If it is lost, publish this key "
                "(wassay key --replace), and ask everyone who pinned the old one to trust it."
            )
        if published != own:
            yield from self._flows.accounts.publish_encryption_key(own_id, own.text)
        return own.fingerprint

    @operation
    def pinned_key(self, account_id: str) -> Flow[AccountKey | None]:
        """Return an account's public key, and pin the key at first use.

        Returns
        -------
        AccountKey or None
            None if the account has published no key yet.

        Raises
        ------
        KeyChangedError
            If the key differs from the pinned one.
        """
        key = yield from self._published(account_id)
        if key is not None:
            self.profile.pin((yield from self._own_id()), account_id, key)
        return key

    @operation
    def has_pinned(self, account_id: str) -> Flow[bool]:
        """Tell whether this account has pinned a key of another account."""
        return self.profile.has_pinned((yield from self._own_id()), account_id)

    @operation
    def trust(self, account_id: str, fingerprint: str) -> Flow[AccountKey | None]:
        """Pin a fingerprint that the owner of an account confirmed, in place of any earlier pin.

        Returns
        -------
        AccountKey or None
            The key that the service shows, which may differ from the pinned key; None if the
            account has published no key. Secrets are sealed only to the pinned key.

        Raises
        ------
        SealingError
            If `fingerprint` is malformed.
        NotFoundError
            If the account does not exist; nothing is pinned.
        """
        require_fingerprint(fingerprint)
        published = yield from self._published(account_id)
        self.profile.trust((yield from self._own_id()), account_id, fingerprint)
        return published

    @operation
    def require(self, account_id: str, expected: str) -> Flow[None]:
        """Raise unless an account has the expected id or key.

        `expected` is an account's id or a key's fingerprint; a fingerprint is then pinned.

        Raises
        ------
        SealingError
            If `expected` is the id of another account, or a fingerprint that the account has not
            published.
        KeyChangedError
            If another key of the account is pinned.
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
        self.profile.pin((yield from self._own_id()), account_id, key)

    @operation
    def seal(self, shared: SharedSecret, recipient: AccountKey) -> Flow[str]:
        """Seal the secret of a request to one seller, and return the box in base64."""
        message = {
            "request_id": shared.request_id,
            "reference_key": shared.key.text,
            "measure_digest": shared.measure_digest,
            "terms": shared.terms.model_dump(mode="json"),
            "recipe": None if shared.recipe is None else shared.recipe.model_dump(mode="json"),
        }
        content = json.dumps(message, separators=(",", ":")).encode()
        return (yield from self._key_pair()).seal(content, recipient)

    @operation
    def unseal(self, box: str, request_id: str, buyer_id: str) -> Flow[SharedSecret]:
        """Open the box that a buyer sealed to this account.

        Raises
        ------
        SealingError
            If the buyer has published no key, the buyer did not seal the box to this account, or
            the box does not contain the secret of this request.
        KeyChangedError
            If the buyer's key differs from the pinned one.
        """
        sender = yield from Identity.pinned_key.flow(self, buyer_id)
        if sender is None:
            raise SealingError(
                f"buyer {buyer_id} has published no encryption key, so the sender of the "
                "reference's key cannot be verified: contribute nothing, and ask the buyer"
            )
        opened = (yield from self._key_pair()).unseal(box, sender)
        try:
            message = json.loads(opened)
            sealed_for, text = str(message["request_id"]), str(message["reference_key"])
            digest, learned = message["measure_digest"], message["recipe"]
            terms = Terms.model_validate(message["terms"])
            recipe = None if learned is None else FittedPart.model_validate(learned)
        except (ValueError, TypeError, KeyError):
            raise SealingError(
                f"expected the key of a reference from buyer {buyer_id}, received another message"
            ) from None
        if sealed_for != request_id:
            raise SealingError(
                f"the box holds the key of request {sealed_for}, not of {request_id}: the service "
                "mixed them up. Ask the buyer to seal it again."
            )
        return SharedSecret(
            request_id,
            ReferenceKey.from_text(text),
            None if digest is None else str(digest),
            terms,
            recipe,
        )

    def _own_id(self) -> Flow[str]:
        return Identity.account_id.flow(self)

    def _key_pair(self) -> Flow[KeyPair]:
        """Return the account's own key pair from the profile."""
        return self.profile.key_pair((yield from self._own_id()))

    def _published(self, account_id: str) -> Flow[AccountKey | None]:
        try:
            published = yield from self._flows.accounts.encryption_key(account_id)
        except NotFoundError as missing:
            if missing.type != KEY_MISSING:
                raise
            return None
        return AccountKey.from_text(published.public_key)
