"""Reports of evaluations that are computed in the test's process."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

import numpy as np

from tests.client import answers
from tests.client.documents import result
from tests.test_receipts import receipt
from wassay import models
from wassay.client.buyer.private_push import PrivatePush
from wassay.client.evaluation.estimates import Estimates, estimate_distances
from wassay.client.evaluation.report_writing import (
    exact_distances,
    nearness_of,
    requested_distances,
)
from wassay.client.valuation.coalition_distances import CoalitionEstimates
from wassay.receipts import SigningKey, verify
from wassay.report import PrivateDistances, Report
from wassay.transport import (
    Measure,
    Normal,
    ProjectionScaling,
    Reference,
    interpolate,
    project,
    resample,
)

T0 = 0.4
MOMENT = datetime(2026, 11, 28, 9, 30, tzinfo=UTC)
LABELS = ("Bolt", "Cole", "Drew")


def found(labels: tuple[str, ...] = LABELS, n: int = 40) -> models.Result:
    """Compute a result of sellers, each of whom is farther away than the one before."""
    random = np.random.default_rng(5)

    def points(shift: float, size: int) -> Measure:
        return Measure(random.normal(shift, 1, (size, 3)))

    reference = Reference(1, 3, Normal(), seed=3).measure()
    sellers = {label: points(0.3 * place, n + place) for place, label in enumerate(labels)}
    document = result(points(0.0, n), sellers, reference, T0)
    return document.model_copy(update={"software": {"wassay": "0.1.0"}})


def judged(shifts: Mapping[str, float], n: int = 300) -> models.Result:
    """Compute a result with verdicts; the first column of each seller is moved by its shift."""
    random = np.random.default_rng(5)
    reference = Reference(1, 2, Normal(), seed=3).measure()
    buyer = Measure(random.normal(0, 1, (n, 2)))
    sellers = {
        label: Measure(random.normal(0, 1, (n, 2)) + np.array([shift, 0.0]))
        for label, shift in shifts.items()
    }
    document = result(buyer, sellers, reference, T0)
    pushed = interpolate(buyer, reference, T0)

    def resampled(seller: models.SellerResult) -> models.SellerResult:
        projection = project(sellers[seller.label], reference)
        found = resample(pushed, {s: projection.interpolate(s) for s in document.sweep}, seed=7)
        assert found is not None
        fields = models.ResampledDistances.model_validate(asdict(found))
        return seller.model_copy(update={"resampled": fields})

    return document.model_copy(update={"sellers": [resampled(each) for each in document.sellers]})


def at_t0(document: models.Result, scaling: ProjectionScaling | None = None) -> Estimates:
    return estimate_distances(document, PrivatePush(T0, 0.0, scaling))


def report(document: models.Result | models.NoisedResult, **changes: Any) -> Report:
    """Make a report without t0, as the service does."""
    said: dict[str, Any] = {
        "request": models.Request(**answers.request(title="Digits", state="open")),
        "reference": receipt().reference,
        "evaluation": models.Evaluation(
            id="evl_1",
            request_id="req_1",
            state="succeeded",
            seller_weighting="points",
            contribution_ids=[seller.contribution_id for seller in document.sellers],
            progress=None,
            attempts=1,
            reason=None,
            problem=None,
            created_at=MOMENT,
            started_at=MOMENT,
            finished_at=MOMENT,
        ),
        "result": document,
        "receipt": verify(SigningKey(b"0" * 32).sign(receipt())),
        "disclosures": [
            shown("measure", "acc_1", None, "up-to-isometry", sealed=True),
            shown("distances", "acc_Bolt", "acc_1", "scalars", sweep=document.sweep),
        ],
        "scores": {},
    }
    return Report(**{**said, **changes})


def with_t0(
    document: models.Result, scaling: ProjectionScaling | None = None, **changes: Any
) -> Report:
    """Make the report with t0, as the buyer's own machine does."""
    known = at_t0(document, scaling)
    requested = requested_distances(CoalitionEstimates(document, PrivatePush(T0, 0.0, scaling)))
    distances = {**requested, **exact_distances(known)}
    private = PrivateDistances(T0, distances, nearness_of(known))
    return report(document, private=private, **changes)


def shown(
    kind: str, owner: str, viewer: str | None, says: str, **changes: Any
) -> models.Disclosure:
    """Make a row of the ledger."""
    row: dict[str, Any] = {
        "id": "dsc_1",
        "owner_id": owner,
        "position": None,
        "created_at": MOMENT,
        "dataset": owner,
        "viewer_id": viewer,
        "viewer_organisation": None if viewer is None else "Acme",
        "request_id": "req_1",
        "kind": kind,
        "reference_id": "ref_1",
        "sealed": False,
        "sweep": [],
        "points": 40,
        "dimension": 3,
        "rank": None,
        "coalitions": None,
        "epsilon": None,
        "digest": None,
        "disclosure_class": says,
        "previous_hash": None,
        "hash": "00",
    }
    return models.Disclosure.model_validate({**row, **changes})
