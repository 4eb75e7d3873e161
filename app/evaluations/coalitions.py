"""Check the coalitions, permutations and pairs that a new evaluation asks for."""

import math
from collections.abc import Sequence

from wassay.models import MAX_COALITIONS

from ..contributions.models import Contribution
from ..requests.models import Request
from .privacy.score_visibility import may_be_compared
from .problems import CoalitionNotEvaluable
from .schemas import NewEvaluation


def allows_coalitions(request: Request, contributions: Sequence[Contribution]) -> bool:
    """Return whether coalitions of several, but not all, sellers can be solved.

    False if the request has noise, or if the contributions are scalars.
    """
    return request.epsilon is None and contributions[0].terms.is_verified


def require_solvable(
    request: Request, new: NewEvaluation, contributions: Sequence[Contribution]
) -> None:
    """Raise if the coalitions, permutations or pairs cannot be evaluated.

    Raises
    ------
    CoalitionNotEvaluable
        - If pairs are requested, but fewer than two contributions may be compared.
        - If coalitions, permutations, pairs or leave-one-out coalitions are requested, but
          `allows_coalitions` returns False.
        - If an evaluation that extends another requests neither coalitions nor permutations nor
          pairs.
        - If more than `MAX_COALITIONS` coalitions and pairs may have to be solved.
        - If a coalition names a contribution that is not evaluated.
    """
    compared = sum(may_be_compared(each) for each in contributions)
    if new.pairs and compared < 2:
        raise CoalitionNotEvaluable(
            "Expected at least two contributions in mode measure with allows_comparison=true, "
            f"because pairs are asked for; received {compared} of {len(contributions)}. Leave "
            "pairs out, or ask the sellers to allow comparison.",
            expected="at least 2 contributions that allow comparison",
            received=compared,
        )
    pairs = math.comb(compared, 2) if new.pairs else 0
    count = len(new.coalitions) + new.permutations * max(len(contributions) - 3, 0) + pairs
    if (count or new.leave_one_out) and not allows_coalitions(request, contributions):
        raise CoalitionNotEvaluable(
            "Expected no coalitions, leave_one_out, permutations or pairs, because contributions "
            "by scalars cannot be mixed, and in a request with noise each further distance would "
            "cost ε. Leave these members out.",
            expected={"coalitions": [], "permutations": 0, "leave_one_out": None},
            received={
                "coalitions": new.coalitions,
                "permutations": new.permutations,
                "leave_one_out": new.leave_one_out,
            },
        )
    if new.extends is not None and not count:
        raise CoalitionNotEvaluable(
            "Expected coalitions, permutations or pairs to add to the evaluation that this one "
            "extends; received none of them.",
            expected="coalitions, permutations or pairs",
            received={"coalitions": [], "permutations": new.permutations},
        )
    if count > MAX_COALITIONS:
        raise CoalitionNotEvaluable(
            f"Expected at most {MAX_COALITIONS} further distances; received {len(new.coalitions)} "
            f"coalitions, {new.permutations} permutations of {len(contributions)} contributions "
            f"and {pairs} pairs, which need up to {count}. Ask for fewer.",
            expected=f"at most {MAX_COALITIONS}",
            received=count,
        )
    evaluated = {contribution.id for contribution in contributions}
    for index, coalition in enumerate(new.coalitions):
        others = set(coalition) - evaluated
        if others:
            raise CoalitionNotEvaluable(
                f"Expected coalition {index} to contain only evaluated contributions, "
                f"{', '.join(sorted(evaluated))}; received {', '.join(sorted(others))}, too. "
                "Leave these out.",
                expected=sorted(evaluated),
                received=sorted(others),
            )
