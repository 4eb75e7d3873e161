"""Judge whether a seller's distance is larger than chance explains, and say so in words."""

from wassay import models
from wassay.transport import Nearness, Resampled, Verdict, judge

WORDS: dict[Verdict, str] = {
    "as-near-as-own": "as near as your own data",
    "different": "different",
    "cannot-tell": "cannot tell",
}
"""Each verdict in words."""


def judge_seller(seller: models.SellerResult, sweep: list[float], t0: float) -> Nearness | None:
    """Judge whether a seller's points differ from the buyer's by more than chance explains.

    Parameters
    ----------
    seller : wassay.models.SellerResult
    sweep : list of float
        The sweep of the result.
    t0 : float
        The buyer's private push, at which to judge.

    Returns
    -------
    Nearness or None
        None if the service did not compare random parts of the seller's points with the buyer's.
    """
    if seller.resampled is None:
        return None
    fields = seller.resampled.model_dump()
    return judge(Resampled(**fields | {"between": tuple(fields["between"])}), sorted(sweep), t0)


def explain(nearness: Nearness) -> str:
    """Return the verdict and its distances in sentences.

    Parameters
    ----------
    nearness : Nearness

    Returns
    -------
    str
    """
    facts = (
        f"Random parts of {nearness.part_points} of their rows are {nearness.distance:.3g} from "
        f"parts of yours; parts of your own are {nearness.floor:.3g} from each other."
    )
    match nearness.verdict:
        case "different":
            low, high = nearness.difference_interval
            return (
                f"Different from your data. {facts} Chance gives so much in at most about 1 of "
                f"100 cases. Without chance, they are at least about {nearness.difference:.2g} "
                f"apart (90 % interval of this bound: {low:.2g} to {high:.2g})."
            )
        case "as-near-as-own":
            return (
                f"As near as your own data. {facts} A difference of {nearness.noticeable:.2g} "
                "would probably have shown."
            )
        case "cannot-tell":
            return (
                f"Cannot tell at this number of rows. {facts} Only a difference of "
                f"{nearness.noticeable:.2g} or more would probably have shown, and one of "
                f"{nearness.relevant:.2g} matters. Compare more rows."
            )
