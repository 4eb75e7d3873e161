"""Check that the terms of a request allow labelled points."""

from wassay.modes import MODES, scores_labels

from .models import Request
from .problems import LabelsNotPossible


def check_labels(request: Request) -> None:
    """Raise if the points are labelled and the terms do not allow it.

    The modes must agree: either every mode scores labels, which leaves distances as they are, or in
    every mode sellers add distances between classes to the squared costs. (Such sums are not
    distances between vectors, so no points could be uploaded instead.) The reference must have one
    point: with more, neither scores of labels nor distances between classes scale with the push.

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
    compared = " and ".join(name for name, terms in MODES.items() if terms.takes_labels)
    scored = " and ".join(name for name, terms in MODES.items() if terms.scores_labels)
    is_scored = scores_labels(request.modes)
    for holds, expected, received in (
        (
            is_scored or all(MODES[mode].takes_labels for mode in request.modes),
            f"either the modes {compared} only, whose distances include those of classes, or "
            f"{scored} alone, in which labels are scored",
            {"modes": request.modes},
        ),
        (is_scored or request.order == 2, "order 2", {"order": request.order}),
        (
            not is_scored or request.class_names is None,
            f"no class_names in mode {scored}, in which classes are codes of their names",
            {"class_names": request.class_names},
        ),
        (request.epsilon is None, "no epsilon", {"epsilon": request.epsilon}),
        (
            request.reference.size == 1,
            "a reference of one point",
            {"reference": {"size": request.reference.size}},
        ),
    ):
        if not holds:
            raise LabelsNotPossible(
                f"For labelled points, expected {expected}; received {received}.",
                expected=expected,
                received=received,
            )
