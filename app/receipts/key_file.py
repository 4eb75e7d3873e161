"""The file with the private key that signs receipts."""

import os
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from glob import escape
from pathlib import Path

from wassay.private_file import NotPrivateError, read_private, written_privately
from wassay.receipts import SigningKey


class KeyFile:
    """A private key in hexadecimal digits, in a file of mode 0600.

    Anyone with a copy of the file can sign receipts in the service's name.
    """

    def __init__(self, path: Path) -> None:
        # Resolves symbolic links, so that a new key replaces the target of a link.
        self.path = Path(os.path.realpath(path))

    def key(self) -> SigningKey:
        """Return the current key; create one if the file does not exist.

        Raises
        ------
        OSError
            If the file cannot be read or created, if others may read it, or if it contains no key.
        """
        with suppress(FileNotFoundError):
            return self.existing()
        # Linking is atomic, and fails if another process has created the file.
        with self.written_beside(SigningKey.draw()) as drawn, suppress(FileExistsError):
            os.link(drawn, self.path)
        return self.existing()

    def existing(self) -> SigningKey:
        """Return the current key.

        Raises
        ------
        OSError
            If the file does not exist, if others may read it, or if it contains no key.
        """
        try:
            content = read_private(self.path)
        except NotPrivateError as error:
            raise PermissionError(
                f"{error}. If others may have read it, run: wassay receipt-keys rotate"
            ) from None
        try:
            return SigningKey(bytes.fromhex(content))
        except ValueError:
            # Do not quote the original message, which contains the file's content.
            raise OSError(
                f"expected {self.path} to contain a private key in hexadecimal digits. Restore "
                "the file, or remove it to create a new key"
            ) from None

    def written_beside(self, key: SigningKey) -> AbstractContextManager[Path]:
        """Write a key to a temporary file beside this one, and yield that file's path.

        If the caller does not move the temporary file to `self.path`, it is deleted.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return written_privately(self.path.parent, self._temporary_prefix, f"{key.secret.hex()}\n")

    def left_beside(self, key_ids: Sequence[str]) -> Path | None:
        """Return a temporary file in which a killed process left one of these keys, or None.

        If there are several, return the file of the key that comes last in `key_ids`.
        """
        found = {}
        for path in self.path.parent.glob(f"{escape(self._temporary_prefix)}.*"):
            with suppress(OSError):  # incomplete, or not this user's
                found[KeyFile(path).existing().public.id] = path
        return next((found[key_id] for key_id in reversed(key_ids) if key_id in found), None)

    @property
    def _temporary_prefix(self) -> str:
        """The first part of a temporary file's name; an operator's copies are named otherwise."""
        return f"{self.path.name}.drawn"
