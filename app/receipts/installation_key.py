"""The key that signs an installation's receipts, and whether this machine has that key."""

from contextlib import suppress

import structlog

from wassay.receipts import SigningKey

from ..database import Database
from . import repository
from .key_file import KeyFile

logger = structlog.stdlib.get_logger("wassay.receipts")


class NotTheSigningKey(OSError):  # noqa: N818 - a fault of the machine, as a full disk is
    """The key on this machine may not sign receipts."""


class InstallationKey:
    """The signing key of an installation, on one of the installation's machines.

    Only keys that the database lists as current may sign receipts.

    Parameters
    ----------
    database
        The database with the public keys.
    file
        The file with this machine's private key.
    """

    def __init__(self, database: Database, file: KeyFile) -> None:
        self._database = database
        self._file = file

    def fault(self) -> str | None:
        """Return why this machine cannot sign receipts, as a clause for the operator.

        None if it can, or if the installation has no key yet.
        """
        with self._database.snapshot() as session:
            current = [key.id for key in repository.current_keys(session)]
        return self._fault_among(current) if current else None

    def establish(self) -> str | None:
        """If the installation has no key, publish this machine's; draw it if its file is absent.

        If a rotation on this machine was killed after it had published a key, finish the rotation.

        Returns
        -------
        str or None
            Why this machine cannot sign receipts, as a clause for the operator; None if it can.

        Raises
        ------
        OSError
            If the installation has no key, and this machine's file cannot be read or created.
        """
        with self._database.snapshot() as session:
            current = [key.id for key in repository.current_keys(session)]
        if not current:
            with self._database.transaction() as session:
                repository.lock_keys(session)
                current = [key.id for key in repository.current_keys(session)]
                if not current:
                    key = self._file.key().public
                    repository.insert_key(session, key.id, key.text)
                    current = [key.id]
        fault = self._fault_among(current)
        if fault is not None and self._file.left_beside(current) is not None:
            fault = self._finish_rotation()
        return fault

    def key(self) -> SigningKey:
        """Return this machine's private key.

        Raises
        ------
        OSError
            If the file does not exist, if others may read it, or if it contains no key.
        """
        return self._file.existing()

    def _finish_rotation(self) -> str | None:
        """Move the key of an interrupted rotation from its temporary file to the key file.

        Return why this machine still cannot sign receipts, or None if it can.
        """
        with self._database.transaction() as session:
            # The lock keeps out another rotation, whose key would be lost if this one replaced it.
            repository.lock_keys(session)
            current = [key.id for key in repository.current_keys(session)]
            left = self._file.left_beside(current)
            if left is not None and self._fault_among(current) is not None:
                with suppress(OSError):  # the fault then says what to move
                    left.replace(self._file.path)
                    logger.warning("finished an interrupted rotation of the receipt key")
            return self._fault_among(current)

    def _fault_among(self, current: list[str]) -> str | None:
        fault = self._fault_of_file(current)
        if fault is not None and (left := self._file.left_beside(current)) is not None:
            return (
                "a rotation of the receipt key was interrupted: start a worker on this machine, "
                f"which finishes it, or move {left} to {self._file.path}"
            )
        return fault

    def _fault_of_file(self, current: list[str]) -> str | None:
        expected = " or ".join(current)
        remedy = (
            f"copy the file of {expected} from another machine to {self._file.path}; if it is "
            "lost, run: wassay receipt-keys rotate"
        )
        try:
            received = self._file.existing().public.id
        except FileNotFoundError:
            return f"this machine has no receipt key, but the installation has one: {remedy}"
        except OSError as error:
            return str(error)
        if received in current:
            return None
        return (
            f"this machine's receipt key is {received}, which signs nothing in this installation: "
            f"{remedy}"
        )
