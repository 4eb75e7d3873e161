"""When answers to a request can carry noise whose size is known."""

from wassay.modes import MODES

from .models import Request
from .problems import NoiseNotPossible


def check_noise(request: Request) -> None:
    """Let only requests pass whose answers carry no noise, or noise of a known size.

    One record changes W_2² by at most its weight times the largest squared distance. That holds for
    points in a ball, and for pushed points when the reference is one point: towards several, one
    record moves others too.

    Raises
    ------
    NoiseNotPossible
        If the request is none of these.
    """
    if request.epsilon is None and request.radius is None:
        return
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
            f"the mode {' or '.join(of_points)} alone",
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
                f"For answers with noise, expected {expected}; received {received}. Without "
                "noise, leave "
                "epsilon and radius out.",
                expected=expected,
                received=received,
            )
