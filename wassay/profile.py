"""The profile: a private file with an account's keys, its limit, and what it has seen of others."""

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
    """A counterparty's public key is another than the one that was pinned."""


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
    """Keys and limits of one's accounts, and fingerprints of those one deals with; mode 0600.

    The file is replaced as a whole, so that a crash leaves the old or the new one; processes that
    share it take turns.

    Parameters
    ----------
    path : path, optional
        The variable ``WASSAY_PROFILE`` when left out, and then ``~/.config/wassay/profile.json``.

    Raises
    ------
    SealingError
        If none is named, and there is no home folder.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        self.path = Path(path or os.environ.get("WASSAY_PROFILE") or _default_path())

    def __repr__(self) -> str:
        return f"Profile({str(self.path)!r})"

    def key_pair(self, account_id: str) -> KeyPair:
        """The key pair of one's account, made when it is first asked for.

        Raises
        ------
        SealingError
            When others can read the file, or it is no profile.
        """
        with self._edited() as document:
            return _key_pair(document, account_id)

    def pin(self, account_id: str, counterparty_id: str, key: AccountKey) -> None:
        """Keep the fingerprint of somebody's key when it is first seen, and hold to it after.

        Raises
        ------
        KeyChangedError
            When another was pinned.
        """
        with self._edited() as document:
            _key_pair(document, account_id)
            pins = document.accounts[account_id].pins
            pinned = pins.setdefault(counterparty_id, key.fingerprint)
        if pinned != key.fingerprint:
            raise KeyChangedError(
                f"the encryption key of {counterparty_id} is not the one pinned in {self.path}: "
                f"expected the fingerprint {pinned}, received {key.fingerprint}. Ask them, not "
                "through "
                "the service, whether they have a new key. If they have, and tell you the same "
                f'fingerprint: wassay trust {counterparty_id} "{key.fingerprint}". If not, '
                "somebody reads along: send nothing."
            )

    def trust(self, account_id: str, counterparty_id: str, fingerprint: str) -> None:
        """Pin the fingerprint that somebody told one themselves, in place of any other.

        Raises
        ------
        SealingError
            When it is not a fingerprint.
        """
        expected = require_fingerprint(fingerprint)
        with self._edited() as document:
            _key_pair(document, account_id)
            document.accounts[account_id].pins[counterparty_id] = expected

    def max_disclosure(self, account_id: str) -> DisclosureClass | None:
        """The most that a receiver may learn of this account's records, where it was said.

        Raises
        ------
        SealingError
            When others can read the file, or it is no profile.
        """
        held = self._read().accounts.get(account_id)
        return None if held is None else held.max_disclosure

    def limit_disclosure(self, account_id: str, limit: DisclosureClass | None) -> None:
        """Say what the most is that a receiver may learn; None takes it back.

        Raises
        ------
        SealingError
            When others can read the file, or it is no profile.
        """
        with self._edited() as document:
            _key_pair(document, account_id)
            document.accounts[account_id].max_disclosure = limit

    def ledger_head(self, account_id: str) -> str | None:
        """The newest hash of this account's ledger when it was last read here.

        Raises
        ------
        SealingError
            When others can read the file, or it is no profile.
        """
        held = self._read().accounts.get(account_id)
        return None if held is None else held.ledger_head

    def keep_ledger_head(self, account_id: str, head: str) -> None:
        """Keep the newest hash of this account's ledger: what comes later must still contain it.

        Raises
        ------
        SealingError
            When others can read the file, or it is no profile.
        """
        with self._edited() as document:
            _key_pair(document, account_id)
            document.accounts[account_id].ledger_head = head

    @contextmanager
    def _edited(self) -> Iterator[_Document]:
        file = self._file()
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Beside the file, which is replaced while the lock is held.
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
            raise SealingError(f"{error}; if others may have read it, make new keys.") from None
        try:
            return _Document.model_validate_json(content)
        except ValidationError:
            # Its own words would show what is in the file.
            raise SealingError(
                f"{self.path} is no profile. Put the right file back, or name another one in "
                "WASSAY_PROFILE."
            ) from None

    def _write(self, document: _Document) -> None:
        content = json.dumps(document.model_dump(mode="json", exclude_none=True), indent=2)
        file = self._file()
        with written_privately(file.parent, file.name, content) as new:
            new.replace(file)

    def _file(self) -> Path:
        """The file itself, where the path is a link: links stay, and those who use another wait."""
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
    except RuntimeError:  # nor does the system know one for this user
        pass
    raise SealingError(
        "there is no home folder to keep keys in: set WASSAY_PROFILE to the file that they are to "
        "be in, or HOME to a folder"
    )
