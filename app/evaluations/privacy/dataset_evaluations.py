"""The evaluations that used a dataset, which count toward its caps."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from ...accounts.models import Account
from ...contributions.models import Contribution
from ...requests.models import Request
from ..models import EvaluatedContribution, Evaluation


@dataclass(frozen=True)
class DatasetEvaluation:
    """An evaluation that used a dataset, as the caps of the dataset count it.

    Attributes
    ----------
    request_id : str
        The id of the evaluation's request.
    inputs_digest : str
        A digest of the evaluation's inputs. Equal digests mean equal results.
    questions : int
        How many distances count towards the cap `questions`: at each s, one for each coalition and
        pair with the dataset's contribution.
    epsilon : float or None
        The ε of the request's noise; None if it has no noise.
    """

    request_id: str
    inputs_digest: str
    questions: int
    epsilon: float | None


def evaluations_of_dataset(
    session: Session, contribution: Contribution, organisation_key: str
) -> Sequence[DatasetEvaluation]:
    """Return an organisation's evaluations of a contribution's dataset, the oldest first.

    Evaluations that were cancelled before they began are left out.
    """
    same_dataset = (
        (Contribution.account_id == contribution.account_id) & Contribution.listing_id.is_(None)
        if contribution.listing_id is None
        else Contribution.listing_id == contribution.listing_id
    )
    rows = session.execute(
        select(
            Evaluation.request_id,
            Evaluation.inputs_digest,
            EvaluatedContribution.coalition_count,
            Request.epsilon,
            Request.sweep,
        )
        .join(Evaluation.request)
        .join(Request.account)
        .join(EvaluatedContribution, EvaluatedContribution.evaluation_id == Evaluation.id)
        .join(EvaluatedContribution.contribution)
        .where(
            Account.organisation_key == organisation_key,
            # A failure discloses something, too.
            or_(Evaluation.state != "cancelled", Evaluation.started_at.is_not(None)),
            same_dataset,
        )
        .order_by(Evaluation.created_at, Evaluation.id)
    )
    return [
        DatasetEvaluation(request_id, inputs_digest, coalition_count * len(sweep), epsilon)
        for request_id, inputs_digest, coalition_count, epsilon, sweep in rows
    ]
