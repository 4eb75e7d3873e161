"""Issue the receipts of an evaluation, in the transaction that publishes its result."""

import hashlib
import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from sqlalchemy.orm import Session

from wassay import models as wire
from wassay.receipts import SigningKey

from ...contributions.presentation import digest_of, scalars_of
from ...ledger import service as ledger
from ...receipts import service
from ...references.service import to_wire as reference_to_wire
from ...requests.models import BuyerMeasure
from ..models import Evaluation
from .computed_result import ComputedResult

NONCE_BYTES = 16


def issue_receipts(
    session: Session, key: SigningKey, evaluation: Evaluation, computed: ComputedResult
) -> datetime:
    """Sign and store the buyer's receipt of the evaluation, and each seller's of their own part.

    Returns
    -------
    datetime
        The time of issue, by the database's clock.
    """
    document = computed.document
    inputs = _inputs(evaluation)
    heads = ledger.head_hashes(session, {each.account_id for each in inputs})
    # This time is after every entry of the locked ledgers.
    issued_at = service.database_time_for_signing(session, key.public)
    whole = _receipt(
        issued_at,
        evaluation,
        document,
        heads,
        part="whole",
        issued_to=evaluation.request.account_id,
        coalitions=evaluation.coalitions,
        inputs=inputs if evaluation.request.epsilon is None else _buyers_inputs(inputs),
        certificates=computed.certificates,
        result_digest=computed.digest,
        whole_digest=None,
    )
    content = key.sign(whole)
    receipts: dict[str | None, bytes] = {None: content}
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
        receipts[used.contribution_id] = key.sign(own)
    service.store_receipts(session, key.public, evaluation.id, receipts)
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
    """Return only the buyer's inputs: digests would let buyers test guesses of sellers' arrays."""
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
