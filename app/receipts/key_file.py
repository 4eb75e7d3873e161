"""The file that holds the private key that this machine signs receipts with."""

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from wassay.receipts import SigningKey

NAME = "receipt-key"


class KeyFile:
    """A private key in hexadecimal digits, in a file of mode 0600 in the data folder.

    It is made when it is first needed. Whoever copies it can sign receipts in the service's name.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def key(self) -> SigningKey:
        """Return the key as it is now, made when there is none.

        Raises
        ------
        OSError
            When it cannot be read or made, when others may read it, or when it holds no key.
        """
        with suppress(FileNotFoundError):
            return self._read()
        drawn = self._written(SigningKey.draw())
        try:
            os.link(drawn, self.path)  # whole, and only where no other process was quicker
        except FileExistsError:
            pass
        finally:
            drawn.unlink()
        return self._read()

    def replace(self, key: SigningKey) -> None:
        """Put another key in the place of this one."""
        self._written(key).replace(self.path)

    def _read(self) -> SigningKey:
        descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        with os.fdopen(descriptor) as file:
            status = os.fstat(descriptor)
            mode = stat.S_IMODE(status.st_mode)
            if mode & 0o077 or status.st_uid != os.getuid():
                raise PermissionError(
                    f"{self.path} holds the private key of receipts, and others may read or change "
                    f"it (mode {mode:04o}, owner {status.st_uid}). Make it the service's alone: "
                    f"chmod 600 {self.path}; if others may have read it: wassay receipt-keys rotate"
                )
            content = file.read()
        try:
            return SigningKey(bytes.fromhex(content))
        except ValueError:
            # Its own words would show what is in the file.
            raise OSError(
                f"{self.path} holds no private key. Put the right file back, or remove it and have "
                "another made."
            ) from None

    def _written(self, key: SigningKey) -> Path:
        # A new temporary file has mode 0600.
        descriptor, name = tempfile.mkstemp(prefix=f"{NAME}.", dir=self.path.parent)
        with os.fdopen(descriptor, "w") as file:
            file.write(f"{key.secret.hex()}\n")
            file.flush()
            os.fsync(descriptor)
        return Path(name)
