"""The labels of a request's points: their names, and the other terms that they require."""

from typing import Annotated

from pydantic import AfterValidator, Field

from wassay.modes import MODES, scores_labels
from wassay.readable_text import Line

from .models import Request
from .problems import LabelsNotPossible


def _distinct(names: list[str]) -> list[str]:
    if len(set(names)) < len(names):
        raise ValueError("expected each class name at most once")
    return names


ClassNames = Annotated[list[Line], Field(min_length=1, max_length=1000), AfterValidator(_distinct)]


def check_labels(request: Request) -> None:
    """Raise if the terms of a request do not allow its labels or its class names.

    Raises
    ------
    LabelsNotPossible
        If the terms do not allow labels, or there are class names without labels.
    """
    if request.class_names is not None and not request.labelled:
        raise LabelsNotPossible(
            "Expected labelled to be true, because there are class_names; received false. Set "
            "labelled, or leave class_names out.",
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
            f"either only the modes {compared}, whose distances include distances between "
            f"classes, or only the mode {scored}, in which labels are scored",
            {"modes": request.modes},
        ),
        (is_scored or request.order == 2, "order 2", {"order": request.order}),
        (
            not is_scored or request.class_names is None,
            f"no class_names in mode {scored}, in which class numbers are codes of the classes' "
            "names",
            {"class_names": request.class_names},
        ),
        (request.epsilon is None, "no epsilon", {"epsilon": request.epsilon}),
        (
            # With several points, a push does not change all distances by one factor. Scores of
            # labels and distances between classes would then not be those of the raw points.
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
