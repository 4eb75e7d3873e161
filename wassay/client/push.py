"""The buyer's push: the two numbers of a request that never leave the buyer's process."""

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from wassay.client.errors import InvalidArgumentError


@dataclass(frozen=True)
class Push:
    """t0 and σ_bμ; `repr` shows neither, for it ends up in logs.

    Attributes
    ----------
    t0 : float
        How far the buyer's points were pushed towards the reference, in (0, 1).
    projection_spread : float
        σ_bμ of the buyer's barycentric projection, in units of the coordinates.
    """

    t0: float = field(repr=False)
    projection_spread: float = field(repr=False)

    def __post_init__(self) -> None:
        require_push(self.t0)
        if not self.projection_spread >= 0:
            raise InvalidArgumentError(
                f"a projection spread is not negative, came {self.projection_spread}"
            )

    def require(self, t0: float) -> None:
        """Refuse any t0 but this one.

        Raises
        ------
        InvalidArgumentError
            When the two differ: the buyer's measure was pushed by this one, and at any other the
            two sides would be pushed differently and the numbers would mean nothing.
        """
        if t0 != self.t0:
            raise InvalidArgumentError(
                f"this request's measure was pushed to another t0 than {t0:g}; use the request's "
                "own t0"
            )


def require_push(t0: float) -> None:
    """Refuse a t0 outside (0, 1).

    Raises
    ------
    InvalidArgumentError
    """
    if not 0 < t0 < 1:
        raise InvalidArgumentError(
            f"t0 must lie strictly between 0 (the raw data) and 1 (the reference alone), came {t0}"
        )


def save_push(path: str | Path, request_id: str, push: Push) -> None:
    """Write a request's push to a new file that only its owner may read.

    Raises
    ------
    FileExistsError
        When the file is there already: it may be the only copy of another request's t0.
    """
    document = {
        "request_id": request_id,
        "t0": push.t0,
        "projection_spread": push.projection_spread,
    }
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        json.dump(document, file, indent=2)


def load_push(path: str | Path) -> tuple[str, Push]:
    """Read what `save_push` wrote: the request's id and its push.

    Raises
    ------
    InvalidArgumentError
        When the file is something else.
    """
    try:
        document = json.loads(Path(path).read_text())
        return str(document["request_id"]), Push(
            float(document["t0"]), float(document["projection_spread"])
        )
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidArgumentError(f"{path} does not hold a saved request: {error}") from error
