"""Build a new evaluation of a request, and refuse one that cannot be computed or is forbidden."""

import math
from collections.abc import Sequence

from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.principal import Principal
from ..contributions.access import submitted_contributions, visible_contribution
from ..contributions.models import Contribution
from ..http.ids import new_id
from ..http.problems import NotFound
from ..requests.access import own_request
from ..requests.models import Request
from ..requests.states import state_of
from .access import own_evaluation
from .coalitions import allows_coalitions, require_solvable
from .models import EvaluatedContribution, Evaluation
from .privacy.cap_check import require_caps
from .privacy.count_questions import count_questions
from .problems import (
    ContributionNotSubmitted,
    MixedContributions,
    NoContributions,
    NotExtendable,
    RequestNotEvaluable,
    SellerWeightsIncomplete,
)
from .schemas import NewEvaluation


def new_evaluation(
    session: Session, caller: Principal, request_id: str, new: NewEvaluation, turn: int
) -> Evaluation:
    """Return a new evaluation with this `turn` in the queue, not stored yet.

    Raise what `service.create_evaluation` raises, except `TooManyEvaluations` and
    `EvaluationTooLarge`.
    """
    request = own_request(session, caller, request_id, lock=True)
    _check_evaluable(request)
    submitted = submitted_contributions(session, request_id, lock=True)
    extended = None if new.extends is None else _extended(session, caller, request, new.extends)
    named = new.contribution_ids
    if extended is not None:
        named = [used.contribution_id for used in extended.contributions]
    contributions = (
        submitted if named is None else _named(session, caller, request_id, submitted, named)
    )
    if not contributions:
        raise NoContributions(
            f"Expected a request with submitted contributions; request {request_id} has none yet. "
            "Wait until a seller has submitted one."
        )
    _check_of_one_kind(contributions)
    require_solvable(request, new, contributions)
    weighting, weights = (
        _weighting(new, contributions)
        if extended is None
        else (extended.seller_weighting, extended.seller_weights)
    )
    evaluation = Evaluation(
        id=new_id("evl"),
        request=request,
        state="waiting",
        turn=turn,
        seller_weighting=weighting,
        seller_weights=weights,
        extends=None if extended is None else extended.extends or extended.id,
        leave_one_out=extended.leave_one_out
        if extended is not None
        else new.leave_one_out is not False
        and len(contributions) > 1
        and allows_coalitions(request, contributions),
        coalitions=new.coalitions,
        first_permutation=new.first_permutation,
        permutations=new.permutations,
        pairs=new.pairs,
        attempts=0,
        contributions=[
            EvaluatedContribution(contribution=contribution, position=position)
            for position, contribution in enumerate(contributions)
        ],
    )
    count_questions(evaluation)
    may_omit = new.leave_one_out is None and new.extends is None
    require_caps(session, evaluation, may_omit=may_omit)
    return evaluation


def _check_evaluable(request: Request) -> None:
    state = state_of(request)
    if state in {"draft", "cancelled"}:
        raise RequestNotEvaluable(
            f"Expected a request that is open or closed; request {request.id} is {state}. "
            f"{'Open it first.' if state == 'draft' else 'Ask again with another request.'}",
            expected=["open", "closed", "expired"],
            received=state,
        )
    if request.measure is not None and request.measure.deleted_at is not None:
        raise RequestNotEvaluable(
            f"Request {request.id} cannot be evaluated: its measure was deleted at "
            f"{request.measure.deleted_at.isoformat()}. Ask again with another request.",
            expected="a measure",
            received="deleted",
        )


def _check_of_one_kind(contributions: Sequence[Contribution]) -> None:
    scalar = [each.id for each in contributions if not each.terms.is_verified]
    if scalar and len(scalar) < len(contributions):
        others = [each.id for each in contributions if each.terms.is_verified]
        raise MixedContributions(
            f"Expected only contributions in mode scalar, or none; received {', '.join(scalar)} "
            f"in mode scalar and {', '.join(others)} in other modes. Scalars cannot be mixed with "
            "measures. Name contributions of one kind in contribution_ids.",
            expected="scalars only, or no scalars",
            received={"scalar": scalar, "others": others},
        )


def _weighting(
    new: NewEvaluation, contributions: Sequence[Contribution]
) -> tuple[wire.SellerWeighting, dict[str, float] | None]:
    """Return how sellers are weighted, and the weights that the buyer gave; None if there are none.

    The returned weights are scaled to the sum 1, and keyed by the contribution's id.
    """
    if new.seller_weights is None:
        return new.seller_weighting, None
    evaluated = sorted(contribution.id for contribution in contributions)
    if sorted(new.seller_weights) != evaluated:
        raise SellerWeightsIncomplete(
            f"Expected a weight for each evaluated contribution, {', '.join(evaluated)}, and for "
            f"no other; received weights for {', '.join(sorted(new.seller_weights))}. To evaluate "
            "only some contributions, name them in contribution_ids.",
            expected=evaluated,
            received=sorted(new.seller_weights),
        )
    total = math.fsum(new.seller_weights.values())
    return "given", {name: weight / total for name, weight in new.seller_weights.items()}


def _extended(
    session: Session, caller: Principal, request: Request, evaluation_id: str
) -> Evaluation:
    extended = own_evaluation(session, caller, evaluation_id)
    if extended.request_id != request.id or extended.state != "succeeded":
        raise NotExtendable(
            f"Expected a succeeded evaluation of request {request.id} to extend; evaluation "
            f"{evaluation_id} is {extended.state} and belongs to request {extended.request_id}.",
            expected={"request_id": request.id, "state": "succeeded"},
            received={"request_id": extended.request_id, "state": extended.state},
        )
    return extended


def _named(
    session: Session,
    caller: Principal,
    request_id: str,
    submitted: Sequence[Contribution],
    contribution_ids: Sequence[str],
) -> Sequence[Contribution]:
    by_id = {contribution.id: contribution for contribution in submitted}
    for contribution_id in contribution_ids:
        if contribution_id in by_id:
            continue
        other = visible_contribution(session, caller, contribution_id)
        if other.request_id != request_id:
            raise NotFound(
                f"Request {request_id} has no contribution {contribution_id}, which belongs to "
                f"request {other.request_id}. Name contributions to request {request_id}.",
                received=contribution_id,
            )
        raise ContributionNotSubmitted(
            f"Contribution {contribution_id} is {other.state}, but only submitted contributions "
            "can be evaluated. Leave it out of contribution_ids.",
            expected="submitted",
            received={contribution_id: other.state},
        )
    return [contribution for contribution in submitted if contribution.id in set(contribution_ids)]
