"""Detect anomalies that are unlikely in the arrays of honest sellers."""

from collections.abc import Collection
from dataclasses import replace
from typing import assert_never

from wassay import models as wire
from wassay.transport import anomalies
from wassay.transport.anomalies import Finding, SweptContribution

from ...arrays.store import ArrayStore
from ...contributions.modes.registry import array_modes
from .process_messages import EvaluationTask, SellerTask
from .stored_arrays import read_arrays, read_buyer, store_of

MIN_SHARE = 0.5
"""The share of a seller's points that must be copies for the buyer to learn it without consent."""


def detect_anomalies(task: EvaluationTask) -> list[wire.Finding]:
    """Return the anomalies in the arrays of a task, each described by a sentence."""
    store = store_of(task)
    labelled = task.buyer.labelled
    contributions = (_examined(store, seller, labelled) for seller in task.sellers)  # one at a time
    findings = anomalies.detect_anomalies(read_buyer(store, task.buyer), contributions, task.order)
    allowing = {seller.contribution_id for seller in task.sellers if seller.copies_counted}
    shown = (visible_finding(finding, allowing) for finding in findings)
    return findings_to_wire([finding for finding in shown if finding is not None], task.sellers)


def visible_finding(finding: Finding, allowing: Collection[str]) -> Finding | None:
    """Return as much of a finding as the buyer may read.

    A finding of copies reveals that a seller has certain records, and how many of them. Unless
    every seller it names has consented, the buyer reads it only if at least half of each seller's
    points are copies, and without the exact count.

    Parameters
    ----------
    finding : Finding
    allowing : collection of str
        The contributions whose sellers allow comparison.

    Returns
    -------
    Finding or None
        None if it is withheld.
    """
    sellers = {finding.contribution_id, finding.other_contribution_id} - {None}
    if finding.share is None or sellers <= set(allowing):
        return finding
    if finding.share < MIN_SHARE:
        return None
    return replace(finding, chance=None, is_counted=False)


def _examined(store: ArrayStore, seller: SellerTask, labelled: bool) -> SweptContribution:
    arrays = read_arrays(store, seller, labelled=labelled)
    return array_modes()[seller.mode].examined(arrays)


def findings_to_wire(findings: list[Finding], sellers: list[SellerTask]) -> list[wire.Finding]:
    """Convert findings to models of the HTTP API; the sentences name the sellers."""
    names = {
        seller.contribution_id: f"{seller.label} ({seller.contribution_id})" for seller in sellers
    }
    return [
        wire.Finding(
            kind=finding.kind,
            contribution_id=finding.contribution_id,
            other_contribution_id=finding.other_contribution_id,
            detail=_sentence(finding, names),
            examined=finding.examined,
            found=finding.found if finding.is_counted else None,
            chance=finding.chance,
            misfit=finding.misfit,
        )
        for finding in findings
    ]


def _sentence(finding: Finding, names: dict[str, str]) -> str:
    seller, other = (
        names.get(finding.contribution_id or ""),
        names.get(finding.other_contribution_id or ""),
    )
    count = f"{finding.found} of {finding.examined} points"
    match finding.kind:
        case "copies-buyer" if not finding.is_counted:
            return (
                f"At least half of the points of {seller} coincide with points of yours: their "
                "data contain copies of yours."
            )
        case "copies-seller" if not finding.is_counted:
            return (
                f"At least half of the points of {seller} and of {other} coincide with each "
                "other's: one copied the other's."
            )
        case "copies-buyer":
            return (
                f"{count} of yours coincide with points of {seller}: their data contain copies of "
                "yours."
            )
        case "copies-seller":
            return f"{count} of {seller} coincide with points of {other}: one copied the other's."
        case "congruent-sellers":
            return (
                f"The points of {seller} and {other} are congruent: one is the other's under an "
                "isometry."
            )
        case "repeats-points":
            return (
                f"{count} of {seller} coincide with others of theirs: each repeated point weighs "
                "more than once."
            )
        case "impossible-contribution":
            return (
                f"{count} of {seller} have arrays that no point can have: distances to them prove "
                "nothing."
            )
        case "understated-spread":
            return (
                f"{seller} understate the spread of their points' images (σ): intervals with them "
                "may be too narrow."
            )
        case "weightless-points":
            return (
                f"The points of {seller} weigh as {finding.examined - finding.found} equal ones "
                f"would, and count as {finding.examined} beside other sellers'."
            )
        case "not-examined":
            return (
                "Sellers were not compared for copies of one another's points: there are too many."
            )
        case unknown:
            assert_never(unknown)
