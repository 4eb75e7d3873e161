"""Detect anomalies that arrays of honest sellers would hardly have."""

from typing import assert_never

from wassay import models as wire
from wassay.transport import anomalies
from wassay.transport.anomalies import Finding, SweptContribution

from ...arrays.store import ArrayStore
from ...contributions.modes.registry import array_modes
from .messages import EvaluationTask, SellerTask
from .stored_arrays import read_arrays, read_buyer, store_of


def detect_anomalies(task: EvaluationTask) -> list[wire.Finding]:
    """Return the anomalies in the arrays of a task, each described by a sentence."""
    store = store_of(task)
    labelled = task.buyer.labelled
    contributions = (_examined(store, seller, labelled) for seller in task.sellers)  # one at a time
    findings = anomalies.detect_anomalies(read_buyer(store, task.buyer), contributions, task.order)
    return findings_to_wire(findings, task.sellers)


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
            found=finding.found,
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
