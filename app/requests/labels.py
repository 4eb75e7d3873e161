"""When a request can compare labelled points."""

from wassay.modes import MODES

from .models import Request
from .problems import LabelsNotPossible


def check_labels(request: Request) -> None:
    """Let only requests pass whose points have no labels, or can be compared by them.

    The distances between classes are no distances of vectors, so sellers compute the costs, of
    squares; and they shrink with the push, as costs of points do, towards a single point only.

    Raises
    ------
    LabelsNotPossible
        If the request is neither.
    """
    if request.class_names is not None and not request.labelled:
        raise LabelsNotPossible(
            "Expected labelled where there are class_names: send labelled with them.",
            expected={"labelled": True},
            received={"labelled": False},
        )
    if not request.labelled:
        return
    labelled = [name for name, terms in MODES.items() if terms.takes_labels]
    for holds, expected, received in (
        (
            all(MODES[mode].takes_labels for mode in request.modes),
            f"the modes {' and '.join(labelled)} only",
            {"modes": request.modes},
        ),
        (request.order == 2, "order 2", {"order": request.order}),
        (
            request.reference.size == 1,
            "a reference of one point",
            {"reference": {"size": request.reference.size}},
        ),
    ):
        if not holds:
            raise LabelsNotPossible(
                f"To compare labelled points, expected {expected}; received {received}. In mode "
                "measure, "
                "send the classes' means and deviations as coordinates instead.",
                expected=expected,
                received=received,
            )
