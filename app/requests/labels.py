"""When a request can compare labelled points."""

from .models import Request
from .problems import LabelsNotPossible

LABELLED_MODES = {"cost-block", "scalar"}


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
    for holds, expected, received in (
        (
            LABELLED_MODES.issuperset(request.modes),
            "the modes cost-block and scalar only",
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
