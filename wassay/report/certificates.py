"""The table of certificates, with the weakest certificate of each distance curve."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from wassay import models
from wassay.report.number_format import scientific, whole
from wassay.transport.certificate import relative_gap
from wassay.unique_labels import EVERYONE


@dataclass(frozen=True)
class CertificateRow:
    """A formatted row of the table: the weakest of a curve's certificates."""

    curve: str
    s: str
    cost: str
    gap: str
    """The gap between the certified bounds, divided by the cost."""
    violation: str
    marginal_error: str
    solver: str


def certificate_rows(result: models.Result, labels: Mapping[str, str]) -> list[CertificateRow]:
    """Return a row for each certified curve, and one row for all requested coalitions.

    `labels` has the label of each seller, by contribution id.
    """
    named = [(name, curve.points) for name, curve in _curves(result, labels)]
    if result.coalitions:
        points = [point for coalition in result.coalitions for point in coalition.curve.points]
        named.append((f"{whole(len(result.coalitions))} requested coalitions", points))
    return [proof for name, points in named if (proof := _weakest(name, points))]


def _curves(result: models.Result, labels: Mapping[str, str]) -> Iterator[tuple[str, models.Curve]]:
    if result.grand_coalition is not None:
        yield EVERYONE, result.grand_coalition
    for seller in result.sellers:
        label = labels[seller.contribution_id]
        if len(result.sellers) > 1:
            yield f"{label}, alone", seller.singleton
        if seller.leave_one_out is not None:
            yield f"all without {label}", seller.leave_one_out


def _weakest(name: str, points: list[models.CurvePoint]) -> CertificateRow | None:
    certified = [(point.s, point.certificate) for point in points if point.certificate is not None]
    if not certified:
        return None
    s, worst = max(certified, key=lambda each: _relative_gap(each[1]))
    return CertificateRow(
        curve=name,
        s=f"{s:g}",
        cost=f"{worst.primal:.6g}",
        gap=scientific(_relative_gap(worst)),
        violation=scientific(worst.violation),
        marginal_error=scientific(worst.marginal_error),
        solver=f"{worst.solver} {worst.solver_version}",
    )


def _relative_gap(certificate: models.Certificate) -> float:
    return max(relative_gap(certificate.primal, certificate.dual), 0.0)
