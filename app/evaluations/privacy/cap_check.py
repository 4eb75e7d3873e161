"""Enforce the caps of datasets, in the transaction that asks for an evaluation."""

import math
from collections.abc import Iterable
from typing import cast

from sqlalchemy.orm import Session

from wassay import models as wire

from ...contributions.caps import caps_of, exceeded, require_measure
from ...contributions.disclosures import dataset_of
from ...ledger.service import lock_ledgers
from ...requests.fingerprint import are_near_duplicates
from ...requests.models import BuyerMeasure, Request
from .. import repository
from ..models import EvaluatedContribution, Evaluation
from ..repository import DatasetEvaluation

ROUNDING = 1e-12
"""The relative rounding error of sums of decimals: three times 0.1 does not exceed 0.3."""


def require_caps(session: Session, evaluation: Evaluation) -> None:
    """Raise if the caps of a dataset forbid an evaluation that is about to be inserted.

    Evaluations of all accounts of the buyer's organisation count, unless they were cancelled before
    they began. The sellers' ledgers are locked for the transaction, so that the second of two
    concurrent evaluations counts the first.

    Raises
    ------
    CapExceeded
        If a cap is exceeded. The error names the cap, the dataset, and what is left of the cap.
    """
    lock_ledgers(session, {used.contribution.account_id for used in evaluation.contributions})
    for used in evaluation.contributions:
        caps = caps_of(used.contribution.account, used.contribution.listing)
        if caps != wire.Caps(questions=None):
            _require(session, evaluation, used, caps)


def _require(
    session: Session, evaluation: Evaluation, used: EvaluatedContribution, caps: wire.Caps
) -> None:
    request, contribution = evaluation.request, used.contribution
    dataset = dataset_of(contribution)
    measure = cast("BuyerMeasure", request.measure)  # it was opened, so it has one
    require_measure(caps, measure, dataset, contribution.buyer_places)
    organisation = request.account.organisation
    asked = repository.evaluations_of_dataset(
        session, contribution, request.account.organisation_key
    )
    if caps.evaluations is not None and len(asked) >= caps.evaluations:
        raise exceeded(
            "evaluations",
            dataset,
            f"its seller allows {organisation} {caps.evaluations} evaluations, and {len(asked)} "
            f"were asked for; 0 are left. Leave contribution {contribution.id} out.",
            expected=caps.evaluations,
            received=len(asked) + 1,
            left=0,
        )
    if caps.questions is not None and request.epsilon is None:
        _require_questions(evaluation, used, dataset, caps.questions, asked)
    if caps.epsilon is not None:
        _require_epsilon(request, dataset, caps.epsilon, [each.epsilon for each in asked])
    if caps.distinct_measures:
        others = (each.request_id for each in asked if each.request_id != request.id)
        for other_id in dict.fromkeys(others):
            other = repository.measure_of(session, other_id)
            if are_near_duplicates(measure, other):
                raise exceeded(
                    "distinct_measures",
                    dataset,
                    f"its seller does not allow {organisation} to ask twice with nearly the same "
                    f"measure; this one is nearly that of request {other_id}. Evaluate that "
                    "request, or ask with other points.",
                    received=request.id,
                    alike=other_id,
                )


def _require_questions(
    evaluation: Evaluation,
    used: EvaluatedContribution,
    dataset: str,
    allowed: int,
    asked: Iterable[DatasetEvaluation],
) -> None:
    before = {each.question: each.questions for each in asked if each.epsilon is None}
    if evaluation.question in before:  # its result is known
        return
    values = len(evaluation.request.sweep)
    received = used.coalitions * values
    left = max(0, allowed - sum(before.values()))
    if received > left:
        organisation = evaluation.request.account.organisation
        raise exceeded(
            "questions",
            dataset,
            f"its seller allows {organisation} {allowed} distances with these data, and {left} are "
            f"left; this evaluation asks {received}, for {used.coalitions} coalitions at {values} "
            f"values of s. Evaluate fewer contributions or coalitions at once, leave contribution "
            f"{used.contribution.id} out, or ask its seller to raise the cap questions of the "
            "listing or the account.",
            expected=allowed,
            received=received,
            left=left,
        )


def _require_epsilon(
    request: Request, dataset: str, allowed: float, spent: Iterable[float | None]
) -> None:
    organisation = request.account.organisation
    left = max(0.0, allowed - math.fsum(each for each in spent if each is not None))
    if request.epsilon is None:
        raise exceeded(
            "epsilon",
            dataset,
            f"its seller allows {organisation} results with noise only, with ε = {allowed:g} in "
            f"all, of which {left:g} are left. Ask with an epsilon.",
            expected=allowed,
            received=None,
            left=left,
        )
    if request.epsilon > left * (1 + ROUNDING):
        raise exceeded(
            "epsilon",
            dataset,
            f"its seller allows {organisation} ε = {allowed:g} in all, and {left:g} are left; this "
            f"evaluation would cost {request.epsilon:g}.",
            expected=allowed,
            received=request.epsilon,
            left=left,
        )
