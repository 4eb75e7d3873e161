"""Refuse a new evaluation that would exceed a seller's caps on what buyers learn of a dataset."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
from .count_questions import count_questions
from .dataset_evaluations import DatasetEvaluation, evaluations_of_dataset

ROUNDING = 1e-12
"""The relative rounding error of sums of decimals, which lets a cap of 0.3 allow three times 0.1.
"""


@dataclass(frozen=True)
class _CappedDataset:
    """A dataset that an evaluation uses, with its caps and what counts towards them already.

    Attributes
    ----------
    used : EvaluatedContribution
        The evaluated contribution whose points are from the dataset.
    name : str
        The id of the dataset's listing or, if it has none, of the seller's account.
    caps : wire.Caps
        The caps of the dataset.
    asked : sequence of DatasetEvaluation
        The earlier evaluations of this dataset that the buyer's organisation asked for.
    """

    used: EvaluatedContribution
    name: str
    caps: wire.Caps
    asked: Sequence[DatasetEvaluation]


def require_caps(session: Session, evaluation: Evaluation, *, may_omit: bool) -> None:
    """Raise if the caps of a dataset forbid an evaluation that is about to be inserted.

    With `may_omit`, drop the leave-one-out coalitions instead if they exceed the cap `questions`.

    Raises
    ------
    CapExceeded
        If a cap would be exceeded. The error names the cap, the dataset and, if the cap limits a
        number or a sum, what is left of it.
    """
    # The lock lasts until the transaction ends, so that the second of two concurrent evaluations
    # counts the first.
    lock_ledgers(session, {used.contribution.account_id for used in evaluation.contributions})
    organisation_key = evaluation.request.account.organisation_key
    capped = [
        _CappedDataset(
            used,
            dataset_of(used.contribution),
            caps,
            evaluations_of_dataset(session, used.contribution, organisation_key),
        )
        for used in evaluation.contributions
        if (caps := caps_of(used.contribution.account, used.contribution.listing))
        != wire.Caps(questions=None)
    ]
    if may_omit and evaluation.leave_one_out:
        _omit_leave_one_out_unless_allowed(evaluation, capped)
    for each in capped:
        _require(session, evaluation, each)


def _omit_leave_one_out_unless_allowed(
    evaluation: Evaluation, capped: Sequence[_CappedDataset]
) -> None:
    needed = {each.name: _new_questions(evaluation, each) for each in capped}
    too_few = [
        each
        for each in capped
        if (left := _questions_left(each)) is not None and needed[each.name] > left
    ]
    if not too_few:
        return
    evaluation.leave_one_out = False
    count_questions(evaluation)
    first = too_few[0]
    # If the buyer evaluates again, this evaluation counts, too, and the next one needs `needed`.
    enough = {
        each.name: sum(_asked_before(each).values())
        + _new_questions(evaluation, each)
        + needed[each.name]
        for each in capped
    }
    raised = [
        f"{each.name} of {each.used.contribution.label} to {enough[each.name]}"
        for each in capped
        if each.caps.questions is not None and each.caps.questions < enough[each.name]
    ]
    evaluation.leave_one_out_omitted = (
        f"How the result changes without each seller is not computed: dataset {first.name} of "
        f"{first.used.contribution.label} allows {_questions_left(first)} more questions, and "
        f"{needed[first.name]} are needed. To get these changes, ask the sellers to raise the cap "
        f"questions of {', of '.join(raised)}, and evaluate again."
    )


def _require(session: Session, evaluation: Evaluation, capped: _CappedDataset) -> None:
    used, dataset, caps, asked = capped.used, capped.name, capped.caps, capped.asked
    request, contribution = evaluation.request, used.contribution
    measure = cast("BuyerMeasure", request.measure)  # an opened request has a measure
    require_measure(caps, measure, dataset, contribution.buyer_places)
    organisation = request.account.organisation
    if caps.evaluations is not None and len(asked) >= caps.evaluations:
        raise exceeded(
            "evaluations",
            dataset,
            f"the seller allows {organisation} {caps.evaluations} evaluations, and {len(asked)} "
            f"were asked for; 0 are left. Leave contribution {contribution.id} out.",
            expected=caps.evaluations,
            received=len(asked) + 1,
            left=0,
        )
    _require_questions(evaluation, capped)
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
                    f"the seller does not allow {organisation} to ask twice with nearly the same "
                    "measure, and the measure of this request is nearly that of request "
                    f"{other_id}. Evaluate that request, or ask with other points.",
                    received=request.id,
                    alike=other_id,
                )


def _asked_before(capped: _CappedDataset) -> dict[str, int]:
    """Return how many of a dataset's distances each earlier evaluation without noise asked for.

    The numbers are keyed by `inputs_digest`, so evaluations with the same inputs count once.
    """
    return {each.inputs_digest: each.questions for each in capped.asked if each.epsilon is None}


def _questions_left(capped: _CappedDataset) -> int | None:
    """Return how many more distances the cap `questions` allows; None if there is no such cap."""
    allowed = capped.caps.questions
    return None if allowed is None else max(0, allowed - sum(_asked_before(capped).values()))


def _new_questions(evaluation: Evaluation, capped: _CappedDataset) -> int:
    """Return how many distances of an evaluation would count towards the cap `questions`.

    Return 0 if the evaluation has noise, or the same inputs as an earlier one.
    """
    if evaluation.request.epsilon is not None or evaluation.inputs_digest in _asked_before(capped):
        return 0
    return capped.used.coalition_count * len(evaluation.request.sweep)


def _require_questions(evaluation: Evaluation, capped: _CappedDataset) -> None:
    used, allowed = capped.used, capped.caps.questions
    received, left = _new_questions(evaluation, capped), _questions_left(capped)
    if left is not None and received > left:
        values = len(evaluation.request.sweep)
        organisation = evaluation.request.account.organisation
        raise exceeded(
            "questions",
            capped.name,
            f"the seller allows {organisation} {allowed} distances with these data, and {left} "
            f"are left; this evaluation asks for {received}, of {used.coalition_count} coalitions "
            f"at {values} values of s. {_hint(evaluation)} fewer contributions or coalitions at "
            f"once, leave contribution {used.contribution.id} out, or ask the seller to raise the "
            "cap questions of the listing or the account.",
            expected=allowed,
            received=received,
            left=left,
        )


def _hint(evaluation: Evaluation) -> str:
    if evaluation.leave_one_out and evaluation.extends is None:
        return "Evaluate without leave_one_out, evaluate"
    return "Evaluate"


def _require_epsilon(
    request: Request, dataset: str, allowed: float, spent: Iterable[float | None]
) -> None:
    organisation = request.account.organisation
    left = max(0.0, allowed - math.fsum(each for each in spent if each is not None))
    if request.epsilon is None:
        raise exceeded(
            "epsilon",
            dataset,
            f"the seller allows {organisation} only results with noise, with ε = {allowed:g} in "
            f"all, of which {left:g} is left. Ask with an epsilon.",
            expected=allowed,
            received=None,
            left=left,
        )
    if request.epsilon > left * (1 + ROUNDING):
        raise exceeded(
            "epsilon",
            dataset,
            f"the seller allows {organisation} ε = {allowed:g} in all, and {left:g} is left; this "
            f"evaluation would cost {request.epsilon:g}. Ask with a smaller epsilon.",
            expected=allowed,
            received=request.epsilon,
            left=left,
        )
