"""Check the further coalitions, permutations and pairs of a new evaluation."""

import math
from collections.abc import Sequence

from wassay.models import MAX_COALITIONS

from ..contributions.models import Contribution
from ..requests.models import Request
from .privacy.score_visibility import is_compared
from .problems import CoalitionNotEvaluable
from .schemas import NewEvaluation


def has_coalitions(request: Request, contributions: Sequence[Contribution]) -> bool:
    """Whether coalitions other than single sellers and all sellers together can be solved."""
    return request.epsilon is None and contributions[0].terms.is_verified


def require_solvable(
    request: Request, new: NewEvaluation, contributions: Sequence[Contribution]
) -> None:
    """Raise if the coalitions, permutations or pairs cannot be evaluated.

    Raises
    ------
    CoalitionNotEvaluable
        If there are too many; if there are none although an evaluation is extended; if a coalition
        names a contribution that is not evaluated; if fewer than two contributions may be compared
        in pairs; or if coalitions are asked for although the contributions are scalars or the
        request has noise.
    """
    compared = sum(is_compared(each) for each in contributions)
    if new.pairs and compared < 2:
        raise CoalitionNotEvaluable(
            "Pairs need at least two contributions in mode measure whose sellers allow comparison "
            f"(compared); {compared} of {len(contributions)} are.",
            expected="at least 2 compared contributions",
            received=compared,
        )
    pairs = math.comb(compared, 2) if new.pairs else 0
    count = len(new.coalitions) + new.permutations * max(len(contributions) - 3, 0) + pairs
    if (count or new.leave_one_out) and not has_coalitions(request, contributions):
        raise CoalitionNotEvaluable(
            "Contributions by scalars have no mixture, and with noise each coalition or pair would "
            "cost ε: leave coalitions, leave_one_out, permutations and pairs out.",
            expected={"coalitions": [], "permutations": 0, "leave_one_out": None},
            received={
                "coalitions": new.coalitions,
                "permutations": new.permutations,
                "leave_one_out": new.leave_one_out,
            },
        )
    if new.extends is not None and not count:
        raise CoalitionNotEvaluable(
            "An evaluation that extends another must add coalitions, permutations or pairs; "
            "received none.",
            expected="coalitions, permutations or pairs",
            received={"coalitions": [], "permutations": new.permutations},
        )
    if count > MAX_COALITIONS:
        raise CoalitionNotEvaluable(
            f"Expected at most {MAX_COALITIONS} distances; {len(new.coalitions)} coalitions, "
            f"{new.permutations} permutations of {len(contributions)} contributions and {pairs} "
            f"pairs may need {count}. Ask for fewer.",
            expected=f"at most {MAX_COALITIONS}",
            received=count,
        )
    evaluated = {contribution.id for contribution in contributions}
    for index, coalition in enumerate(new.coalitions):
        others = set(coalition) - evaluated
        if others:
            raise CoalitionNotEvaluable(
                f"Expected coalition {index} to be of the evaluated contributions, "
                f"{', '.join(sorted(evaluated))}; received {', '.join(sorted(others))} too. Leave "
                "out the others.",
                expected=sorted(evaluated),
                received=sorted(others),
            )
