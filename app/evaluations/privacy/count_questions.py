"""Count the questions of an evaluation: the distances that it discloses about each dataset.

Each coalition at each s is one question.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping

import rfc8785

from wassay.transport import sampled_coalitions

from ..models import Evaluation
from .score_visibility import may_be_compared

_SEVERAL = 3
"""The least number of contributions at which a leave-one-out coalition is not a singleton."""


def count_questions(evaluation: Evaluation) -> None:
    """Set an evaluation's `inputs_digest`, and the `coalition_count` of its contributions."""
    evaluation.inputs_digest = digest_of_inputs(evaluation)
    counts = coalitions_with(evaluation)
    for used in evaluation.contributions:
        used.coalition_count = counts[used.contribution.id]


def digest_of_inputs(evaluation: Evaluation) -> str:
    """Return a digest of the evaluation's inputs; equal digests mean equal results.

    With noise, every evaluation has a digest of its own.
    """
    request = evaluation.request
    # The digest does not depend on results. Otherwise sellers, who read it in their ledgers, could
    # test whether they have guessed the distances.
    inputs = {
        "request_id": request.id,
        "contribution_ids": sorted(used.contribution.id for used in evaluation.contributions),
        "seller_weighting": evaluation.seller_weighting,
        "seller_weights": evaluation.seller_weights,
        "extends": evaluation.extends,
        "leave_one_out": evaluation.leave_one_out and len(evaluation.contributions) >= _SEVERAL,
        "coalitions": sorted(sorted(set(members)) for members in evaluation.coalitions),
        "first_permutation": evaluation.first_permutation,
        "permutations": evaluation.permutations,
        "pairs": evaluation.pairs,
        "evaluation_id": None if request.epsilon is None else evaluation.id,
    }
    return hashlib.sha256(rfc8785.dumps(inputs)).hexdigest()


def coalitions_with(evaluation: Evaluation) -> Mapping[str, int]:
    """Return how many solved coalitions and pairs contain each contribution."""
    contributions = [used.contribution for used in evaluation.contributions]
    ids = [contribution.id for contribution in contributions]
    # Each coalition counts, because a buyer who also controls a seller learns from each: that
    # seller's points decide which of the other sellers' points the coalitions' costs differ by.
    counted = Counter(dict.fromkeys(ids, 0 if evaluation.extends else _always_solved(evaluation)))
    asked = {frozenset(members) for members in evaluation.coalitions}
    asked.update(
        sampled_coalitions(ids, evaluation.permutations, evaluation.first_permutation)
        if evaluation.permutations
        else ()
    )
    for members in asked:
        if 1 < len(members) < len(ids) - evaluation.leave_one_out:
            counted.update(members)
    compared = (
        [each.id for each in contributions if may_be_compared(each)] if evaluation.pairs else []
    )
    counted.update(dict.fromkeys(compared, len(compared) - 1))
    return counted


def _always_solved(evaluation: Evaluation) -> int:
    """Return how many of the coalitions that are solved by default contain a contribution.

    The number is the same for every contribution of the evaluation.
    """
    contributions = evaluation.contributions
    # Of scalars, only singletons are disclosed.
    if len(contributions) == 1 or not contributions[0].contribution.terms.is_verified:
        return 1
    if len(contributions) < _SEVERAL or not evaluation.leave_one_out:
        return 2
    return len(contributions) + 1
