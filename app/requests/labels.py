"""Check that the terms of a request allow labelled points."""

from wassay.modes import MODES

from .models import Request
from .problems import LabelsNotPossible


def check_labels(request: Request) -> None:
    """Raise if the points are labelled and the terms do not allow it.

    Sellers must compute squared costs, because the distances between classes are not distances of
    vectors. These scale with the push, as costs of points do, only for a reference of one point.

    Raises
    ------
    LabelsNotPossible
        If the terms do not allow labels, or there are class names without labels.
    """
    if request.class_names is not None and not request.labelled:
        raise LabelsNotPossible(
            "Expected labelled to be true with class_names; received false. Set labelled.",
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
                f"For labelled points, expected {expected}; received {received}. In mode measure, "
                "send the means and deviations of the classes as coordinates instead.",
                expected=expected,
                received=received,
            )
