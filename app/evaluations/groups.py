"""Which groups of sellers an evaluation may be asked for besides all, each alone and left out."""

import math
from collections.abc import Sequence

from wassay.models import MOST_GROUPS

from ..contributions.models import Contribution
from ..requests.models import Request
from .problems import GroupNotEvaluable
from .schemas import NewEvaluation
from .visibility import is_compared


def require_solvable(
    request: Request, new: NewEvaluation, contributions: Sequence[Contribution]
) -> None:
    """Refuse groups, orders and pairs that are too many, of others, or of answers without any.

    Raises
    ------
    GroupNotEvaluable
    """
    compared = sum(is_compared(each) for each in contributions)
    if new.pairs and compared < 2:
        raise GroupNotEvaluable(
            "Sellers are compared with each other where at least two of them allow it (compared) "
            f"and answer in mode measure; {compared} of {len(contributions)} do.",
            expected="at least 2 that are compared",
            came=compared,
        )
    pairs = math.comb(compared, 2) if new.pairs else 0
    count = len(new.groups) + new.orders * max(len(contributions) - 3, 0) + pairs
    if count and (request.epsilon is not None or contributions[0].mode == "scalar"):
        raise GroupNotEvaluable(
            "Answers by scalars have no aggregate, and each group or pair would cost ε of an "
            "answer with noise: leave groups, orders and pairs out.",
            expected={"groups": [], "orders": 0},
            came={"groups": new.groups, "orders": new.orders},
        )
    if new.extends is not None and not count:
        raise GroupNotEvaluable(
            "An evaluation that extends another solves groups, or those of orders, or pairs, and "
            "none are asked for: name some.",
            expected="groups, orders or pairs",
            came={"groups": [], "orders": new.orders},
        )
    if count > MOST_GROUPS:
        raise GroupNotEvaluable(
            f"{len(new.groups)} groups, those of {new.orders} orders of {len(contributions)} "
            f"contributions, and {pairs} pairs may be {count}; ask for fewer.",
            expected=f"at most {MOST_GROUPS}",
            came=count,
        )
    evaluated = {contribution.id for contribution in contributions}
    for place, members in enumerate(new.groups):
        others = set(members) - evaluated
        if others:
            raise GroupNotEvaluable(
                f"Group {place} names contributions that are not to be evaluated; a group is made "
                "of those that are.",
                expected=sorted(evaluated),
                came=sorted(others),
            )
