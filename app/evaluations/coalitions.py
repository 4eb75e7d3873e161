"""Which further coalitions an evaluation may be asked for."""

import math
from collections.abc import Sequence

from wassay.models import MAX_COALITIONS

from ..contributions.models import Contribution
from ..requests.models import Request
from .privacy.score_visibility import is_compared
from .problems import CoalitionNotEvaluable
from .schemas import NewEvaluation


def require_solvable(
    request: Request, new: NewEvaluation, contributions: Sequence[Contribution]
) -> None:
    """Refuse coalitions, permutations and pairs that are too many, of others, or of answers without
    any.

    Raises
    ------
    CoalitionNotEvaluable
    """
    compared = sum(is_compared(each) for each in contributions)
    if new.pairs and compared < 2:
        raise CoalitionNotEvaluable(
            "Sellers are compared with each other where at least two of them allow it (compared) "
            f"and answer in mode measure; {compared} of {len(contributions)} do.",
            expected="at least 2 that are compared",
            received=compared,
        )
    pairs = math.comb(compared, 2) if new.pairs else 0
    count = len(new.coalitions) + new.permutations * max(len(contributions) - 3, 0) + pairs
    if count and (request.epsilon is not None or not contributions[0].terms.is_verified):
        raise CoalitionNotEvaluable(
            "Answers by scalars have no aggregate, and each coalition or pair would cost ε of an "
            "answer with noise: leave coalitions, permutations and pairs out.",
            expected={"coalitions": [], "permutations": 0},
            received={"coalitions": new.coalitions, "permutations": new.permutations},
        )
    if new.extends is not None and not count:
        raise CoalitionNotEvaluable(
            "An evaluation that extends another solves coalitions, or those of permutations, or "
            "pairs, and "
            "none are asked for: name some.",
            expected="coalitions, permutations or pairs",
            received={"coalitions": [], "permutations": new.permutations},
        )
    if count > MAX_COALITIONS:
        raise CoalitionNotEvaluable(
            f"{len(new.coalitions)} coalitions, those of {new.permutations} permutations of "
            f"{len(contributions)} "
            f"contributions, and {pairs} pairs may be {count}; ask for fewer.",
            expected=f"at most {MAX_COALITIONS}",
            received=count,
        )
    evaluated = {contribution.id for contribution in contributions}
    for place, members in enumerate(new.coalitions):
        others = set(members) - evaluated
        if others:
            raise CoalitionNotEvaluable(
                f"Coalition {place} names contributions that are not to be evaluated; a coalition "
                "is made "
                "of those that are.",
                expected=sorted(evaluated),
                received=sorted(others),
            )
