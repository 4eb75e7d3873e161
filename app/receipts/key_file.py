"""The file that holds the private key that this machine signs receipts with."""

import os
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from wassay.private_file import NotPrivateError, read_private, written_privately
from wassay.receipts import SigningKey

NAME = "receipt-key"


class KeyFile:
    """A private key in hexadecimal digits, in a file of mode 0600 in the data folder.

    It is made when it is first needed. Whoever copies it can sign receipts in the service's name.
    """

    def __init__(self, folder: Path) -> None:
        self.path = Path(os.path.realpath(folder / NAME))  # where it is a link, what it names

    def key(self) -> SigningKey:
        """Return the key as it is now, made when there is none.

        Raises
        ------
        OSError
            When it cannot be read or made, when others may read it, or when it holds no key.
        """
        with suppress(FileNotFoundError):
            return self._read()
        # Whole, and only where no other process was quicker.
        with self._written(SigningKey.draw()) as drawn, suppress(FileExistsError):
            os.link(drawn, self.path)
        return self._read()

    def replace(self, key: SigningKey) -> None:
        """Put another key in the place of this one."""
        with self._written(key) as new:
            new.replace(self.path)

    def _read(self) -> SigningKey:
        try:
            content = read_private(self.path)
        except NotPrivateError as error:
            raise PermissionError(
                f"{error}; if others may have read it: wassay receipt-keys rotate"
            ) from None
        try:
            return SigningKey(bytes.fromhex(content))
        except ValueError:
            # Its own words would show what is in the file.
            raise OSError(
                f"{self.path} holds no private key. Put the right file back, or remove it and have "
                "another made."
            ) from None

    def _written(self, key: SigningKey) -> AbstractContextManager[Path]:
        return written_privately(self.path.parent, NAME, f"{key.secret.hex()}\n")
