"""The file with the private key that signs receipts."""

import os
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from wassay.private_file import NotPrivateError, read_private, written_privately
from wassay.receipts import SigningKey


class KeyFile:
    """A private key in hexadecimal digits, in a file of mode 0600.

    Anyone with a copy can sign receipts in the service's name.
    """

    def __init__(self, path: Path) -> None:
        self.path = Path(os.path.realpath(path))  # follows a symbolic link, to replace its target

    def key(self) -> SigningKey:
        """Return the current key; create it if the file does not exist.

        Raises
        ------
        OSError
            If the file cannot be read or created, others may read it, or it holds no key.
        """
        with suppress(FileNotFoundError):
            return self.existing()
        # Linking is atomic and fails if another process was first.
        with self._written(SigningKey.draw()) as drawn, suppress(FileExistsError):
            os.link(drawn, self.path)
        return self.existing()

    def replace(self, key: SigningKey) -> None:
        """Replace the key."""
        with self._written(key) as new:
            new.replace(self.path)

    def existing(self) -> SigningKey:
        """Return the current key.

        Raises
        ------
        OSError
            If the file does not exist, others may read it, or it holds no key.
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
            # The original message would disclose the content.
            raise OSError(
                f"expected {self.path} to hold a private key in hexadecimal digits. Restore the "
                "file, or remove it to create a new key"
            ) from None

    def _written(self, key: SigningKey) -> AbstractContextManager[Path]:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        return written_privately(self.path.parent, self.path.name, f"{key.secret.hex()}\n")
