"""The profile: a private file of one's accounts.

For each account it holds the private key, the pinned fingerprints of other parties' keys, the limit
on disclosures and the head of the verified ledger.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal

from filelock import FileLock
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wassay.disclosure_class import DisclosureClass
from wassay.private_file import NotPrivateError, read_private, written_privately
from wassay.sealing import AccountKey, KeyPair, SealingError, require_fingerprint

PRIVATE = 0o600


class KeyChangedError(SealingError):
    """A counterparty's public key is not the pinned one."""


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


class Profile:
    """A file of mode 0600 with the keys, limits and pinned fingerprints of one's accounts.

    Writes replace the whole file, so that a crash leaves the old or the new one. A lock file lets
    several processes share it.

    Parameters
    ----------
    path : path, optional
        By default the variable ``WASSAY_PROFILE``, or else ``~/.config/wassay/profile.json``.

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
        """Return the key pair of one's account; draw and store it on the first call.

        Parameters
        ----------
        account_id : str

        Returns
        -------
        KeyPair

        Raises
        ------
        SealingError
            If others can read the file, or it is not a profile.
        """
        with self._edited() as document:
            return _key_pair(document, account_id)

    def pin(self, account_id: str, counterparty_id: str, key: AccountKey) -> None:
        """Pin a counterparty's key on first sight, and require the pinned key from then on.

        Parameters
        ----------
        account_id : str
            One's own account.
        counterparty_id : str
            The other party's account.
        key : AccountKey
            The key that the service shows for it.

        Raises
        ------
        KeyChangedError
            If another key is pinned.
        SealingError
            If others can read the file, or it is not a profile.
        """
        with self._edited() as document:
            _key_pair(document, account_id)
            pins = document.accounts[account_id].pins
            pinned = pins.setdefault(counterparty_id, key.fingerprint)
        if pinned != key.fingerprint:
            raise KeyChangedError(
                f"the encryption key of {counterparty_id} is not the one pinned in {self.path}: "
                f"expected the fingerprint {pinned}, received {key.fingerprint}. Ask them, not "
                "through the service, whether they have a new key. If they confirm this one: "
                f'wassay trust {counterparty_id} "{key.fingerprint}". Otherwise somebody is '
                "intercepting messages: send nothing."
            )

    def has_pinned(self, account_id: str, counterparty_id: str) -> bool:
        """Tell whether a key of a counterparty is pinned.

        Parameters
        ----------
        account_id : str
            One's own account.
        counterparty_id : str
            The other party's account.

        Returns
        -------
        bool

        Raises
        ------
        SealingError
            If others can read the file, or it is not a profile.
        """
        held = self._read().accounts.get(account_id)
        return held is not None and counterparty_id in held.pins

    def trust(self, account_id: str, counterparty_id: str, fingerprint: str) -> None:
        """Pin the fingerprint that a counterparty confirmed, and replace an earlier pin.

        Parameters
        ----------
        account_id : str
            One's own account.
        counterparty_id : str
            The other party's account.
        fingerprint : str
            32 hexadecimal digits, spaced in any way.

        Raises
        ------
        SealingError
            If it is not a fingerprint, others can read the file, or it is not a profile.
        """
        expected = require_fingerprint(fingerprint)
        with self._edited() as document:
            _key_pair(document, account_id)
            document.accounts[account_id].pins[counterparty_id] = expected

    def max_disclosure(self, account_id: str) -> DisclosureClass | None:
        """Return the most that a receiver may learn about this account's records.

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
            If others can read the file, or it is not a profile.
        """
        held = self._read().accounts.get(account_id)
        return None if held is None else held.max_disclosure

    def limit_disclosure(self, account_id: str, limit: DisclosureClass | None) -> None:
        """Set the most that a receiver may learn about this account's records.

        Parameters
        ----------
        account_id : str
        limit : DisclosureClass or None
            None removes the limit.

        Raises
        ------
        SealingError
            If others can read the file, or it is not a profile.
        """
        with self._edited() as document:
            _key_pair(document, account_id)
            document.accounts[account_id].max_disclosure = limit

    def ledger_head(self, account_id: str) -> str | None:
        """Return the head of this account's ledger when it was last verified here.

        Parameters
        ----------
        account_id : str

        Returns
        -------
        str or None
            None if it was never verified.

        Raises
        ------
        SealingError
            If others can read the file, or it is not a profile.
        """
        held = self._read().accounts.get(account_id)
        return None if held is None else held.ledger_head

    def keep_ledger_head(self, account_id: str, head: str) -> None:
        """Store the head of this account's ledger, which later versions must still contain.

        Parameters
        ----------
        account_id : str
        head : str
            The hash of the newest row.

        Raises
        ------
        SealingError
            If others can read the file, or it is not a profile.
        """
        with self._edited() as document:
            _key_pair(document, account_id)
            document.accounts[account_id].ledger_head = head

    @contextmanager
    def _edited(self) -> Iterator[_Document]:
        file = self._file()
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # The lock is a file of its own, because the profile is replaced while it is held.
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
                f"{error}; if others may have read it, publish new keys: wassay key --replace"
            ) from None
        try:
            return _Document.model_validate_json(content)
        except ValidationError:
            # Its message would show secrets from the file.
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
        """Return the path without links: writes keep the links, and all users share one lock."""
        return Path(os.path.realpath(self.path))


def _key_pair(document: _Document, account_id: str) -> KeyPair:
    held = document.accounts.get(account_id)
    if held is not None:
        return KeyPair(bytes.fromhex(held.private_key))
    drawn = KeyPair.draw()
    document.accounts[account_id] = _AccountSecrets(private_key=drawn.secret.hex(), pins={})
    return drawn


def _default_path() -> Path:
    folder = os.environ.get("XDG_CONFIG_HOME")
    return (Path(folder) if folder else _home() / ".config") / "wassay" / "profile.json"


def _home() -> Path:
    try:
        if os.environ.get("HOME") != "":
            return Path.home()
    except RuntimeError:  # the system knows no home folder of this user
        pass
    raise SealingError(
        "expected a home folder for the file of keys, found none: set WASSAY_PROFILE to a file, or "
        "HOME to a folder"
    )
