"""The noise that a request asks for: its limits, and the other terms that it requires."""

from typing import Annotated

from pydantic import Field

from wassay.modes import MODES

from .models import Request
from .problems import NoiseNotPossible

Epsilon = Annotated[float, Field(ge=1e-6, le=100, strict=True)]
Radius = Annotated[float, Field(ge=1e-75, le=1e75, strict=True)]


def check_noise(request: Request) -> None:
    """Raise if noise is requested and the terms do not bound what one record changes.

    Raises
    ------
    NoiseNotPossible
        If the terms contain only one of epsilon and radius. Also if they contain both, but the
        order is not 2, scores are revealed, a mode sends no points, or the reference has several
        points.
    """
    if request.epsilon is None and request.radius is None:
        return
    # If points are in a ball, one record changes W_2² by at most its weight times the largest
    # squared distance. For pushed points, that holds only if the reference has one point: with
    # several, changing one record also moves the pushed points of other records.
    of_points = [name for name, terms in MODES.items() if terms.sends_points]
    for holds, expected, received in (
        (
            request.epsilon is not None and request.radius is not None,
            "both epsilon and radius",
            {"epsilon": request.epsilon, "radius": request.radius},
        ),
        (request.order == 2, "order 2", {"order": request.order}),
        (not request.reveals_scores, "no scores", {"reveals_scores": request.reveals_scores}),
        (
            all(MODES[mode].sends_points for mode in request.modes),
            f"only the mode {' or '.join(of_points)}",
            {"modes": request.modes},
        ),
        (
            request.reference.size == 1,
            "a reference of one point",
            {"reference": {"size": request.reference.size}},
        ),
    ):
        if not holds:
            raise NoiseNotPossible(
                f"For noise, expected {expected}; received {received}. Leave out epsilon and "
                "radius for results without noise.",
                expected=expected,
                received=received,
            )
