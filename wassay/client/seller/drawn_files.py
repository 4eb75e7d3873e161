"""Remember which rows of a table a seller contributed, in files beside the profile."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from wassay.client.errors import InvalidArgumentError
from wassay.key_profile import Profile
from wassay.private_file import read_private, written_privately
from wassay.sampling import DrawnRows


def keep_rows(profile: Profile, contribution_id: str, drawn: DrawnRows) -> None:
    """Write the numbers of a contribution's rows to a file that only its owner may read."""
    file = _file(profile, contribution_id)
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    document = {"total": drawn.total, "seed": drawn.seed, "numbers": drawn.numbers.tolist()}
    with written_privately(file.parent, file.name, json.dumps(document)) as new:
        new.replace(file)


def kept_rows(profile: Profile, contribution_id: str) -> DrawnRows | None:
    """Return the rows that `keep_rows` wrote; None if there is no such file.

    Raises
    ------
    InvalidArgumentError
        If the file holds something else.
    """
    file = _file(profile, contribution_id)
    try:
        document = json.loads(read_private(file))
        numbers = np.array(document["numbers"], dtype=np.int64)
        return DrawnRows(numbers, int(document["total"]), int(document["seed"]))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidArgumentError(f"{file} does not hold numbers of rows: {error}") from error


def _file(profile: Profile, contribution_id: str) -> Path:
    return profile.path.with_name(f"{profile.path.name}.rows") / f"{contribution_id}.json"
