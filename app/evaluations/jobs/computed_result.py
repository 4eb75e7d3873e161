"""A result as a solver process computed it, parsed for its publication."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

from wassay import models as wire

from ...jobs.handlers import Json
from ..computing.process_messages import ComputedScores, EvaluationOutput


@dataclass(frozen=True)
class ComputedResult:
    """A computed result, parsed before the transaction that publishes it begins.

    Attributes
    ----------
    text : str
        The result in canonical JSON.
    digest : str
        SHA-256 of the text.
    document : dict
        The text's content.
    certificates : list of ReceiptCertificate
        Every certificate in the document, with its JSON pointer.
    scores : list of ComputedScores
        Where the scores of each party are stored.
    nearest_s : float or None
        The s at which all sellers' points together are nearest to the buyer's; None without scores.
    """

    text: str
    digest: str
    document: Json
    certificates: list[wire.ReceiptCertificate]
    scores: list[ComputedScores]
    nearest_s: float | None

    @classmethod
    def of(cls, output: Json) -> Self:
        """Parse the JSON of an `EvaluationOutput`."""
        computed = EvaluationOutput.model_validate(output)
        document = json.loads(computed.document)
        return cls(
            text=computed.document,
            digest=hashlib.sha256(computed.document.encode()).hexdigest(),
            document=document,
            certificates=list(_certificates(document, "")),
            scores=computed.scores,
            nearest_s=computed.nearest_s,
        )


def _certificates(value: Any, pointer: str) -> Iterator[wire.ReceiptCertificate]:
    """Yield every certificate in a part of a result, with its JSON pointer in the whole result.

    `value` is the part, and `pointer` is where the part is in the result.
    """
    members = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for name, member in members:
        member_pointer = f"{pointer}/{name}"
        if name == "certificate" and member is not None:
            yield wire.ReceiptCertificate(pointer=member_pointer, certificate=member)
        else:
            yield from _certificates(member, member_pointer)
