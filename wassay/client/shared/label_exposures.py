"""What an audit says about labels: an `Exposure` for each party that sees their codes or scores."""

from __future__ import annotations

from wassay.audit import Exposure
from wassay.disclosure_class import DisclosureClass
from wassay.models import ScorePolicy

_READ = {
    "ranks": "the order of your labels by how much they contradict the buyer's points nearby",
    "scores": "how much each of your labels contradicts the buyer's points nearby",
}


def exposed_classes(classes: int, *, sealed: bool) -> Exposure:
    """Return the exposure of records to the service, which sees codes of their classes.

    Parameters
    ----------
    classes : int
        The number of classes.
    sealed : bool
        Whether the codes of the classes are derived from a key that the service lacks.
    """
    names = "which it cannot read" if sealed else "which it can guess"
    return Exposure(
        "the service, by the classes",
        DisclosureClass.SCORES,
        f"which records share one of {classes} classes, by codes of their names, {names}",
    )


def labels_scored_for_sellers() -> Exposure:
    """Return the exposure of the buyer's records to sellers, who see scores of their own labels."""
    return Exposure(
        "each seller, by scores of labels",
        DisclosureClass.SCORES,
        "which of the seller's labels contradict the classes of your records nearby most",
    )


def labels_scored_for_buyer(policy: ScorePolicy) -> tuple[Exposure, ...]:
    """Return the exposures of a seller's records to the buyer, who sees ranks or scores of labels.

    The policy `none` gives no exposure; any other policy gives one.
    """
    if policy == "none":
        return ()
    explanation = (
        f"{_READ[policy]}; with chosen points, the class of each record, and which are near them"
    )
    return (Exposure("the buyer, by scores of labels", DisclosureClass.SCORES, explanation),)
