"""What a buyer keeps of a request between two processes: all of it secret."""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from wassay.client.errors import InvalidArgumentError
from wassay.client.push import Push
from wassay.reference_key import ReferenceKey


@dataclass(frozen=True)
class KeptRequest:
    """A request's id, its push, and the key of its reference where that is sealed.

    Attributes
    ----------
    request_id : str
    push : Push
    key : ReferenceKey or None
        To be sealed to sellers who come later; None where the reference is open.
    measure_digest : str or None
        SHA-256 of what was uploaded as η_μ(t0); sealed with the key. None where sellers may not
        read that: they could try with the digest what a record is, and t0.
    """

    request_id: str
    push: Push
    key: ReferenceKey | None
    measure_digest: str | None

    def save(self, path: str | Path) -> None:
        """Write it to a new file that only its owner may read.

        Raises
        ------
        FileExistsError
            When the file is there already: it may be the only copy of another request's t0.
        """
        document = {
            "request_id": self.request_id,
            "t0": self.push.t0,
            "projection_spread": self.push.projection_spread,
            "reference_key": None if self.key is None else self.key.text,
            "measure_digest": self.measure_digest,
        }
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            json.dump(document, file, indent=2)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        InvalidArgumentError
            When the file is something else.
        """
        try:
            document = json.loads(Path(path).read_text())
            push = Push(float(document["t0"]), float(document["projection_spread"]))
            key, digest = document["reference_key"], document["measure_digest"]
            return cls(
                str(document["request_id"]),
                push,
                None if key is None else ReferenceKey.from_text(key),
                None if digest is None else str(digest),
            )
        except (ValueError, KeyError, TypeError) as error:
            raise InvalidArgumentError(f"{path} does not hold a saved request: {error}") from error
