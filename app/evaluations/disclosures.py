"""What an evaluation discloses of the sellers' data to the buyer, for the ledger."""

import hashlib

from sqlalchemy.orm import Session

from app.contributions.disclosures import dataset_of
from app.contributions.models import Contribution
from app.contributions.presentation import points_of
from app.evaluations.models import Evaluation
from app.ledger.service import Sight, record
from wassay.canonical_json import canonical_json
from wassay.models import DisclosureKind


def result_published(session: Session, evaluation: Evaluation, digest: str) -> None:
    """Write down that the buyer may now read the distances, and of the scores what sellers show.

    Parameters
    ----------
    digest
        Of the result. The same question again has the same answer unless noise was drawn anew:
        then every result counts.
    """
    asked = question_of(evaluation) if evaluation.request.epsilon is None else digest
    contributions = [used.contribution for used in evaluation.contributions]
    record(
        session,
        [
            _answer(evaluation, contribution, kind, asked)
            for contribution in contributions
            for kind in [*_shown(contribution), *_of_the_buyers_points(evaluation)]
        ],
    )


def buyer_scores_shown(evaluation: Evaluation) -> bool:
    """Tell whether the buyer may read the scores of the buyer's own points.

    They are potentials, and piecewise linear in the place of a point once its square is taken away:
    some d + 1 of the buyer's points for each record give the records of all sellers, whichever of
    them shows scores. So it takes every seller's consent.
    """
    return all(used.contribution.score_policy == "scores" for used in evaluation.contributions)


def question_of(evaluation: Evaluation) -> str:
    """Name what was asked: the same request of the same contributions has the same answer."""
    question = {
        "request_id": evaluation.request_id,
        "contribution_ids": sorted(used.contribution_id for used in evaluation.contributions),
        "seller_weighting": evaluation.seller_weighting,
        "groups": sorted(sorted(set(members)) for members in evaluation.groups),
        "orders": evaluation.orders,
    }
    return hashlib.sha256(canonical_json(question)).hexdigest()


def _shown(contribution: Contribution) -> list[DisclosureKind]:
    if contribution.score_policy == "none" or contribution.mode == "scalar":
        return ["distances"]
    return ["distances", "ranks" if contribution.score_policy == "ranks" else "scores"]


def _of_the_buyers_points(evaluation: Evaluation) -> list[DisclosureKind]:
    scalar = any(used.contribution.mode == "scalar" for used in evaluation.contributions)
    return ["buyer-scores"] if buyer_scores_shown(evaluation) and not scalar else []


def _answer(
    evaluation: Evaluation, contribution: Contribution, kind: DisclosureKind, asked: str
) -> Sight:
    request = evaluation.request
    return Sight(
        owner_id=contribution.account_id,
        dataset=dataset_of(contribution),
        viewer_id=request.account_id,
        request_id=request.id,
        kind=kind,
        reference_id=request.reference_id,
        sealed=False,  # the buyer chose the isometry
        points=points_of(contribution) or 0,
        dimension=request.reference.dimension,
        sweep=request.sweep,
        epsilon=request.epsilon,
        digest=asked,
    )
