"""Issue the receipts of an evaluation, in the transaction that publishes its result."""

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, cast

from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.receipts import SigningKey

from ...contributions.presentation import digest_of, scalars_of
from ...database import database_time
from ...ledger import service as ledger
from ...receipts import service
from ...references.service import to_wire as reference_to_wire
from ...requests.models import BuyerMeasure
from ..models import Evaluation, Result

NONCE_BYTES = 16


def issue_receipts(
    session: Session, key: SigningKey, evaluation: Evaluation, result: Result
) -> datetime:
    """Sign a receipt of the whole evaluation for the buyer, and one of their part for each seller.

    Returns
    -------
    datetime
        The time of issue, by the database's clock.
    """
    document = json.loads(result.document)
    inputs = _inputs(evaluation)
    heads = ledger.head_hashes(session, {each.account_id for each in inputs})
    issued_at = database_time(session)  # after every entry of the locked ledgers
    whole = _receipt(
        issued_at,
        evaluation,
        document,
        heads,
        part="whole",
        issued_to=evaluation.request.account_id,
        coalitions=evaluation.coalitions,
        inputs=inputs if evaluation.request.epsilon is None else _buyers_inputs(inputs),
        certificates=list(_certificates(document, "")),
        result_digest=result.digest,
        whole_digest=None,
    )
    service.require_current(session, key.public)
    content = service.issue_receipt(session, key, whole, None)
    for used in evaluation.contributions:
        own = _receipt(
            issued_at,
            evaluation,
            document,
            heads,
            part="contribution",
            issued_to=used.contribution.account_id,
            coalitions=None,
            inputs=[each for each in inputs if each.contribution_id == used.contribution_id],
            certificates=[],
            result_digest=None,
            whole_digest=hashlib.sha256(content).hexdigest(),
        )
        service.issue_receipt(session, key, own, used.contribution_id)
    return issued_at


def _receipt(
    issued_at: datetime,
    evaluation: Evaluation,
    document: Mapping[str, Any],
    heads: Mapping[str, str],
    *,
    issued_to: str,
    **of_part: Any,
) -> wire.Receipt:
    return wire.Receipt(
        nonce=secrets.token_hex(NONCE_BYTES),
        issued_at=issued_at,
        issued_to=issued_to,
        ledger_head=heads[issued_to],
        evaluation_id=evaluation.id,
        request_id=evaluation.request_id,
        order=evaluation.request.order,
        sweep=evaluation.request.sweep,
        seller_weighting=evaluation.seller_weighting,
        extends=evaluation.extends,
        labelled=evaluation.request.labelled,
        epsilon=evaluation.request.epsilon,
        radius=evaluation.request.radius,
        reference=reference_to_wire(evaluation.request.reference),
        software=document["software"],
        **of_part,
    )


def _buyers_inputs(inputs: list[wire.ReceiptInput]) -> list[wire.ReceiptInput]:
    """Return the inputs without the sellers': their digests would let readers test guesses."""
    return [each for each in inputs if each.contribution_id is None]


def _inputs(evaluation: Evaluation) -> list[wire.ReceiptInput]:
    request = evaluation.request
    measure = cast("BuyerMeasure", request.measure)  # an opened request has a measure
    buyers = wire.ReceiptInput(
        account_id=request.account_id,
        contribution_id=None,
        mode="measure",
        s=None,
        digest=measure.digest,
        rows=measure.rows,
        columns=measure.columns,
        weighted=measure.weighted,
    )
    return (
        [buyers]
        + [
            wire.ReceiptInput(
                account_id=used.contribution.account_id,
                contribution_id=used.contribution_id,
                mode=used.contribution.mode,
                s=array.s,
                digest=array.digest,
                rows=array.rows,
                columns=array.columns,
                weighted=array.weighted,
            )
            for used in evaluation.contributions
            for array in used.contribution.arrays
        ]
        + [
            wire.ReceiptInput(
                account_id=used.contribution.account_id,
                contribution_id=used.contribution_id,
                mode=used.contribution.mode,
                s=None,
                digest=digest_of(scalars),
                rows=scalars.points,
                columns=len(scalars.lines),
                weighted=False,
            )
            for used in evaluation.contributions
            if (scalars := scalars_of(used.contribution)) is not None
        ]
    )


def _certificates(value: Any, pointer: str) -> Iterator[wire.ReceiptCertificate]:
    """Yield every certificate in a result, with its JSON pointer."""
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
