"""Detect anomalies in sellers' arrays: patterns that are unlikely if all sellers are honest."""

from collections.abc import Collection
from dataclasses import replace
from typing import assert_never

from wassay import models as wire
from wassay.transport import anomalies
from wassay.transport.anomalies import Finding, SweptContribution

from ...arrays.store import ArrayStore
from ...contributions.modes.registry import array_mode_of
from .process_messages import EvaluationTask, SellerTask
from .stored_arrays import read_arrays, read_buyer, store_of

MIN_SHARE = 0.5
"""If copies are at least this share of each seller's points, no consent is needed to say so."""


def detect_anomalies(task: EvaluationTask) -> list[wire.Finding]:
    """Return the anomalies in the arrays of a task, each described by a sentence for the buyer."""
    store = store_of(task)
    labelled = task.buyer.labelled
    # A generator, so that only one seller's arrays are in memory at a time.
    contributions = (_anomaly_input(store, seller, labelled) for seller in task.sellers)
    findings = anomalies.detect_anomalies(read_buyer(store, task.buyer), contributions, task.order)
    allowing = {seller.contribution_id for seller in task.sellers if seller.copies_counted}
    shown = (visible_finding(finding, allowing) for finding in findings)
    return findings_to_wire([finding for finding in shown if finding is not None], task.sellers)


def visible_finding(finding: Finding, allowing: Collection[str]) -> Finding | None:
    """Return the part of a finding that the buyer may read; None if there is no such part.

    If a seller in the finding hides the number of copies, the buyer reads only whether at least
    half of the points are copies.

    Parameters
    ----------
    finding : Finding
        The whole finding.
    allowing : collection of str
        The contributions whose sellers allow the buyer to read how many points are copies.

    Returns
    -------
    Finding or None
    """
    sellers = {finding.contribution_id, finding.other_contribution_id} - {None}
    if finding.share is None or sellers <= set(allowing):
        return finding
    if finding.share < MIN_SHARE:
        return None
    return replace(finding, chance=None, is_counted=False)


def _anomaly_input(store: ArrayStore, seller: SellerTask, labelled: bool) -> SweptContribution:
    arrays = read_arrays(store, seller, labelled=labelled)
    return array_mode_of(seller.mode).anomaly_input(arrays)


def findings_to_wire(findings: list[Finding], sellers: list[SellerTask]) -> list[wire.Finding]:
    """Convert findings to models of the HTTP API, with sentences that name the sellers."""
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
                f"{count} of {seller} coincide with other points of the same seller: each "
                "repeated point weighs more than once."
            )
        case "impossible-contribution":
            return (
                f"{count} of {seller} have arrays that no real points can have: distances to "
                "these points prove nothing."
            )
        case "understated-spread":
            return (
                f"{seller} understate the spread of the images of their points (σ): intervals of "
                "distances to these points may be too narrow."
            )
        case "weightless-points":
            return (
                f"The weights of {seller} are so uneven that the points have the effect of "
                f"{finding.examined - finding.found} equal points, although they count as "
                f"{finding.examined} beside other sellers' points."
            )
        case "not-examined":
            return (
                "Sellers were not compared for copies of one another's points, because too many "
                "of them have points close to one another's."
            )
        case unknown:
            assert_never(unknown)
