"""Mode `scalar`: the seller computes the curve of distances, and uploads its coefficients."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..problems import OtherSweep, ScalarsMissing
from ..schemas import NewScalars
from .stated_mode import StatedMode

if TYPE_CHECKING:
    from wassay import models as wire
    from wassay.transport import DistanceCurve

    from ...requests.models import Request
    from ..models import Contribution


class ScalarMode(StatedMode):
    """The seller states W_2² as a function of s: the minimum of lines, plus a quadratic term.

    Each line is the cost, minus the quadratic term, of the plan that is best at one s of the sweep.
    """

    name = "scalar"
    path = "scalars"
    description = (
        "Upload the curve over the sweep, computed where the seller's data lives. The service "
        "cannot verify the curve."
    )
    disclosure_kind = "scalars"
    body = NewScalars

    def check(self, request: Request, document: wire.Scalars) -> None:
        """Raise unless the document has exactly one line for each s of the sweep.

        Raises
        ------
        OtherSweep
            If the lines have other values of s than the sweep.
        """
        sweep, received = request.sweep, [line.s for line in document.lines]
        if sorted(received) != sweep:
            raise OtherSweep(
                f"Expected one line for each s of the sweep, {', '.join(map(str, sweep))}; "
                f"received lines for {', '.join(map(str, received))}.",
                expected=sweep,
                received=received,
            )

    def require_complete(self, contribution: Contribution) -> None:
        """Raise if the contribution has no scalars yet.

        Raises
        ------
        ScalarsMissing
            If no scalars were uploaded.
        """
        if contribution.scalars is None:
            raise ScalarsMissing(
                f"Expected scalars of contribution {contribution.id}; received none yet. PUT them "
                f"to /v1/contributions/{contribution.id}/scalars first."
            )

    def curve(self, document: wire.Scalars) -> DistanceCurve:
        """Return the curve: the lower envelope of the lines, plus the quadratic term."""
        from wassay.transport import Line, SweepScalars

        lines = {line.s: Line(line.alpha, line.beta) for line in document.lines}
        return SweepScalars(document.quadratic_coefficient, document.rounding, lines).curve()


MODE = ScalarMode()
