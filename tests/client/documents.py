"""Result documents like those of the service, from a valuation that is computed here."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from wassay import models, transport

SWEEP = (0.25, 0.5, 0.75)


def result(
    buyer: transport.Measure,
    sellers: Mapping[str, transport.Measure],
    reference: transport.Measure,
    t0: float,
    *,
    spreads_known: bool = True,
    coalitions: Iterable[Collection[str]] = (),
    sweep: Sequence[float] = SWEEP,
    order: models.Order = 2,
) -> models.Result:
    pushed = transport.interpolate(buyer, reference, t0)
    projections = {label: transport.project(seller, reference) for label, seller in sellers.items()}
    valuation = transport.evaluate(
        pushed.weights,
        [
            transport.SellerCosts.from_measures(
                label, {s: projection.interpolate(s) for s in sweep}, pushed, order
            )
            for label, projection in projections.items()
        ],
        sweep,
        p=order,
        coalitions=coalitions,
    )
    return models.Result(
        evaluation_id="evl_1",
        request_id="req_1",
        order=order,
        sweep=list(sweep),
        buyer_points=buyer.size,
        grand_coalition=curve(valuation.grand_coalition),
        sellers=[
            models.SellerResult(
                contribution_id=f"con_{label}",
                account_id=f"acc_{label}",
                label=label,
                mode="measure",
                verified=True,
                points=sellers[label].size,
                weight=valuation.seller_weights[label],
                projection_spread=projection.spread if spreads_known else None,
                scores_shown="none",
                singleton=curve(valuation.singleton[label]),
                leave_one_out=curve(valuation.leave_one_out[label])
                if valuation.leave_one_out
                else None,
                relative_scores=[1.0] * len(sweep),
            )
            for label, projection in projections.items()
        ],
        findings=[],
        coalitions=[
            models.CoalitionResult(
                contribution_ids=[f"con_{m}" for m in members], curve=curve(each)
            )
            for members, each in valuation.coalitions.items()
        ],
        pairs=[],
        software={},
        timing=models.Timing(waiting=0, solving=0),
    )


def proof_of(point: transport.SweepPoint) -> transport.Certificate:
    assert point.certificate is not None
    return point.certificate


def curve(found: transport.DistanceCurve) -> models.Curve:
    points: list[dict[str, Any]] = [
        {
            **asdict(point),
            "distance": found.distance(point.s),
            "certificate": {**asdict(proof_of(point)), "gap": proof_of(point).gap},
        }
        for point in found.points
    ]
    return models.Curve.model_validate(
        {
            "points": points,
            "fit": asdict(found.fit),
            "quadratic_coefficient": found.quadratic_coefficient,
            "displacement": found.displacement,
            "rounding": found.rounding,
        }
    )
