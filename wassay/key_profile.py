"""The profile: the private file in which people keep the secrets of their accounts."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Literal

from filelock import FileLock
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wassay.disclosure_class import DisclosureClass
from wassay.private_file import NotPrivateError, read_private, written_privately
from wassay.sealed_boxes import AccountKey, KeyPair, SealingError, require_fingerprint

PRIVATE = 0o600


class KeyChangedError(SealingError):
    """A counterparty's public key is not the one that the profile has pinned."""


class _AccountSecrets(BaseModel):
    model_config = ConfigDict(extra="forbid")

    private_key: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    pins: dict[str, str]
    max_disclosure: DisclosureClass | None = None
    ledger_head: str | None = None


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")

    version: Literal[1] = 1
    accounts: dict[str, _AccountSecrets] = {}
    api_keys: dict[str, str] = {}
    """The account of each API key, by the key's SHA-256."""


class Profile:
    """A file of mode 0600 with the keys, limits and pinned fingerprints of the user's accounts.

    Several processes may share the profile. A crash leaves either the old or the new content.

    Parameters
    ----------
    path : path, optional
        By default ``$WASSAY_PROFILE`` or, if that is unset,
        ``$XDG_CONFIG_HOME/wassay/profile.json``. By default ``$XDG_CONFIG_HOME`` is ``~/.config``.

    Attributes
    ----------
    path : Path

    Raises
    ------
    SealingError
        If no path is given and there is no home folder.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = Path(path or os.environ.get("WASSAY_PROFILE") or _default_path())

    def __repr__(self) -> str:
        return f"Profile({str(self.path)!r})"

    def key_pair(self, account_id: str) -> KeyPair:
        """Return an account's key pair; draw and store one if there is none.

        Parameters
        ----------
        account_id : str

        Returns
        -------
        KeyPair

        Raises
        ------
        SealingError
            If others can read the profile's file, or the file is not a profile.
        """
        with self._edited() as document:
            return _key_pair(document, account_id)

    def replace_key_pair(self, account_id: str) -> KeyPair:
        """Draw and store a new key pair of an account, in place of the old one.

        Parameters
        ----------
        account_id : str

        Returns
        -------
        KeyPair
            The new pair, which cannot open boxes that were sealed to the old one.

        Raises
        ------
        SealingError
            If others can read the profile's file, or the file is not a profile.
        """
        with self._edited() as document:
            _key_pair(document, account_id)
            drawn = KeyPair.draw()
            document.accounts[account_id].private_key = drawn.secret.hex()
        return drawn

    def require_account(self, api_key_digest: str, account_id: str) -> None:
        """Store an API key's account at the first call; raise if a later call names another one.

        Parameters
        ----------
        api_key_digest : str
            The SHA-256 of the API key, in hexadecimal digits.
        account_id : str
            The account that the service says the key belongs to.

        Raises
        ------
        SealingError
            If the profile has another account for the key, others can read the profile's file, or
            the file is not a profile.
        """
        # Pinned keys, limit and ledger head belong to an account. A service could make the SDK
        # ignore them by naming another account.
        noted = self._read().api_keys.get(api_key_digest)
        if noted is None:
            # If the profile cannot be written, it cannot come to hold secrets of this account
            # either, so there is nothing to protect.
            with suppress(OSError), self._edited() as document:
                noted = document.api_keys.setdefault(api_key_digest, account_id)
        if noted not in {None, account_id}:
            raise SealingError(
                f"the service says that your API key belongs to {account_id}: expected {noted}, to "
                f"which it belonged before, as noted in {self.path}. The service may want you to "
                "use other pinned keys and another limit: send nothing, and ask its operator."
            )

    def pin(self, account_id: str, counterparty_id: str, key: AccountKey) -> None:
        """Pin a counterparty's key at the first call; raise if a later call has another key.

        If other accounts of the profile have pinned keys of the counterparty, the first key must be
        one of those keys.

        Parameters
        ----------
        account_id : str
            The user's own account.
        counterparty_id : str
            The other party's account.
        key : AccountKey
            The key that the service shows for the other party's account.

        Raises
        ------
        KeyChangedError
            If another key of the counterparty is pinned.
        SealingError
            If others can read the profile's file, or the file is not a profile.
        """
        with self._edited() as document:
            _key_pair(document, account_id)
            pins = document.accounts[account_id].pins
            expected = pins.get(counterparty_id)
            if expected is None:
                expected = _expected_fingerprint(document, counterparty_id, key)
            if expected == key.fingerprint:
                pins[counterparty_id] = expected
        if expected != key.fingerprint:
            raise KeyChangedError(
                f"the encryption key of {counterparty_id} is not the one pinned in {self.path}: "
                f"expected the fingerprint {expected}, received {key.fingerprint}. Ask them, not "
                "through the service, whether they have a new key. If they confirm this one: "
                f'wassay trust {counterparty_id} "{key.fingerprint}". Otherwise somebody is '
                "intercepting messages: send nothing."
            )

    def has_pinned(self, account_id: str, counterparty_id: str) -> bool:
        """Tell whether an account has pinned a key of a counterparty.

        Parameters
        ----------
        account_id : str
            The user's own account.
        counterparty_id : str
            The other party's account.

        Returns
        -------
        bool

        Raises
        ------
        SealingError
            If others can read the profile's file, or the file is not a profile.
        """
        held = self._read().accounts.get(account_id)
        return held is not None and counterparty_id in held.pins

    def trust(self, account_id: str, counterparty_id: str, fingerprint: str) -> None:
        """Pin the fingerprint that a counterparty confirmed, in place of any earlier pin.

        Parameters
        ----------
        account_id : str
            The user's own account.
        counterparty_id : str
            The other party's account.
        fingerprint : str
            32 hexadecimal digits, spaced in any way.

        Raises
        ------
        SealingError
            If `fingerprint` is malformed, others can read the profile's file, or the file is not a
            profile.
        """
        expected = require_fingerprint(fingerprint)
        with self._edited() as document:
            _key_pair(document, account_id)
            document.accounts[account_id].pins[counterparty_id] = expected

    def max_disclosure(self, account_id: str) -> DisclosureClass | None:
        """Return the most that a receiver may learn about an account's records.

        Parameters
        ----------
        account_id : str

        Returns
        -------
        DisclosureClass or None
            None if no limit is set.

        Raises
        ------
        SealingError
            If others can read the profile's file, or the file is not a profile.
        """
        held = self._read().accounts.get(account_id)
        return None if held is None else held.max_disclosure

    def limit_disclosure(self, account_id: str, limit: DisclosureClass | None) -> None:
        """Set the most that a receiver may learn about an account's records.

        Parameters
        ----------
        account_id : str
        limit : DisclosureClass or None
            None removes the limit.

        Raises
        ------
        SealingError
            If others can read the profile's file, or the file is not a profile.
        """
        with self._edited() as document:
            _key_pair(document, account_id)
            document.accounts[account_id].max_disclosure = limit

    def ledger_head(self, account_id: str) -> str | None:
        """Return the head of an account's ledger when the ledger was last verified.

        Parameters
        ----------
        account_id : str

        Returns
        -------
        str or None
            None if no ledger was verified yet.

        Raises
        ------
        SealingError
            If others can read the profile's file, or the file is not a profile.
        """
        held = self._read().accounts.get(account_id)
        return None if held is None else held.ledger_head

    def keep_ledger_head(self, account_id: str, head: str) -> None:
        """Store the head of an account's ledger, which later verifications must find.

        Parameters
        ----------
        account_id : str
        head : str
            The hash of the newest row.

        Raises
        ------
        SealingError
            If others can read the profile's file, or the file is not a profile.
        """
        with self._edited() as document:
            _key_pair(document, account_id)
            document.accounts[account_id].ledger_head = head

    @contextmanager
    def _edited(self) -> Iterator[_Document]:
        file = self._file()
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Lock a separate file, because a write replaces the profile while the lock is held.
        with FileLock(f"{file}.lock", mode=PRIVATE):
            before = self._read()
            document = before.model_copy(deep=True)
            yield document
            if document != before:
                self._write(document)

    def _read(self) -> _Document:
        try:
            content = read_private(self.path)
        except FileNotFoundError:
            return _Document()
        except NotPrivateError as error:
            raise SealingError(
                f"{error}; if others may have read it, then run wassay key --replace, which draws "
                "and publishes a new key"
            ) from None
        try:
            return _Document.model_validate_json(content)
        except ValidationError:
            # Pydantic's message would show secrets from the file.
            raise SealingError(
                f"expected a profile in {self.path}, received something else: restore the file, or "
                "name another one in WASSAY_PROFILE"
            ) from None

    def _write(self, document: _Document) -> None:
        content = json.dumps(document.model_dump(mode="json", exclude_none=True), indent=2)
        file = self._file()
        with written_privately(file.parent, file.name, content) as new:
            new.replace(file)

    def _file(self) -> Path:
        """Return the path with symbolic links resolved."""
        # So a write replaces the file and not a link to it, and all paths to a file share one lock.
        return Path(os.path.realpath(self.path))


def _key_pair(document: _Document, account_id: str) -> KeyPair:
    held = document.accounts.get(account_id)
    if held is not None:
        return KeyPair(bytes.fromhex(held.private_key))
    drawn = KeyPair.draw()
    document.accounts[account_id] = _AccountSecrets(private_key=drawn.secret.hex(), pins={})
    return drawn


def _expected_fingerprint(document: _Document, counterparty_id: str, key: AccountKey) -> str:
    """Return the fingerprint that a counterparty's key must have when an account first pins it.

    This is the fingerprint of `key`, unless the user's accounts have pinned only other keys of the
    counterparty: then it is one that they have pinned.
    """
    pinned = [
        held.pins[counterparty_id]
        for held in document.accounts.values()
        if counterparty_id in held.pins
    ]
    return key.fingerprint if key.fingerprint in pinned or not pinned else pinned[0]


def _default_path() -> Path:
    folder = os.environ.get("XDG_CONFIG_HOME")
    return (Path(folder) if folder else _home() / ".config") / "wassay" / "profile.json"


def _home() -> Path:
    try:
        if os.environ.get("HOME") != "":
            return Path.home()
    except RuntimeError:  # The system has no home folder for this user.
        pass
    raise SealingError(
        "expected a home folder for the file of keys, found none: set WASSAY_PROFILE to a file, or "
        "HOME to a folder"
    )
