"""Read a bucket's credentials from files, which may change while the service runs."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from ..secret_files import read_secret

if TYPE_CHECKING:
    from obstore.store import S3Credential, S3CredentialProvider

KEY_ID, SECRET, TOKEN = "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"
REREAD_AFTER = timedelta(minutes=6)
"""When the credentials read from files are said to expire.

The client renews credentials five minutes before they expire, so it reads the files every minute.
"""


def file_credentials() -> S3CredentialProvider | None:
    """Return a function that reads the bucket's credentials from files.

    None if `AWS_SECRET_ACCESS_KEY_FILE` is not set.
    """
    return _read if os.environ.get(f"{SECRET}_FILE") else None


def _read() -> S3Credential:
    return {
        "access_key_id": _value(KEY_ID) or "",
        "secret_access_key": _value(SECRET) or "",
        "token": _value(TOKEN),
        "expires_at": datetime.now(UTC) + REREAD_AFTER,
    }


def _value(name: str) -> str | None:
    """Return the content of the file that the environment variable `{name}_FILE` names.

    If that is not set, return the environment variable `name`; None if neither is set.
    """
    variable = f"{name}_FILE"
    if file := os.environ.get(variable):
        return read_secret(Path(file), variable)
    return os.environ.get(name)
