"""Store which row of the table each contributed point is, in files beside the profile."""

from __future__ import annotations

import json
from pathlib import Path

from wassay.client.shared.sent_rows import SentRows
from wassay.errors import InvalidArgumentError
from wassay.key_profile import Profile
from wassay.private_file import read_private, written_privately


def keep_rows(profile: Profile, contribution_id: str, rows: SentRows) -> None:
    """Store which rows of the table a contribution's points are, in a file of mode 0600.

    Raises
    ------
    InvalidArgumentError
        If the id cannot be the name of a file.
    """
    file = _file(profile, contribution_id)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with written_privately(file.parent, file.name, json.dumps(rows.document)) as new:
        new.replace(file)


def kept_rows(profile: Profile, contribution_id: str) -> SentRows | None:
    """Return the rows that `keep_rows` stored for a contribution, or None if there are none.

    Raises
    ------
    InvalidArgumentError
        If the id cannot be the name of a file, or the file does not contain rows.
    NotPrivateError
        If others can read the file.
    """
    file = _file(profile, contribution_id)
    try:
        return SentRows.of_document(json.loads(read_private(file)))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidArgumentError(
            f"expected numbers of rows in {file}, received something else ({error}): restore the "
            "file, or delete it to read points by their numbers as sent"
        ) from error


def _file(profile: Profile, contribution_id: str) -> Path:
    # Check the id, because the service chooses it and could send a path to another file.
    if not contribution_id.replace("_", "").isalnum():
        raise InvalidArgumentError(
            f"expected the id of a contribution, such as con_01…, received {contribution_id!r}"
        )
    return profile.path.with_name(f"{profile.path.name}.rows") / f"{contribution_id}.json"
