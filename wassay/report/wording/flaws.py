"""Sentences on what makes the data worse: sellers, points and labels to leave out."""

from collections.abc import Sequence

from markupsafe import Markup

from wassay.report.number_format import whole
from wassay.report.wording.names import name, names, numbered


def stand_out(seller: str, numbers: Sequence[int], points: int) -> Markup:
    """Say which points of a seller stand out, by their `numbers`, and of how many (`points`)."""
    return Markup("Leave out what looks like noise: {} of {}’s {} points ({}).").format(
        whole(len(numbers)), name(seller), whole(points), numbered(numbers, "outliers")
    )


def all_labels_wrong(sellers: Sequence[str]) -> Markup:
    """Say that the labels that `sellers` sent predict 0 % of the buyer's, after rounding."""
    return Markup(
        "The labels of {} agree with 0 % of yours: classes are named differently, or all are wrong."
    ).format(names(sellers))


def wrong_labels(seller: str, numbers: Sequence[int]) -> Markup:
    """Say which labels of a seller are probably wrong, by the numbers of their points."""
    return Markup("Check the labels of {} ({}).").format(
        name(seller), numbered(numbers, "mislabelled")
    )


MORE_POINTS = Markup('The section <a href="#points">Points to leave out</a> lists more sellers.')
"""A sentence about where more points are listed."""


def only_ranks(sellers: Sequence[str]) -> Markup:
    """Say that ranks do not tell whether a point or label of these sellers is wrong."""
    return Markup(
        "Ranks do not tell which rows of {} to leave out, because they do not say whether any row "
        'is wrong. Ask these sellers to look at <a href="#points">the points named below</a>, or '
        "to show scores."
    ).format(names(sellers))


def found(findings: int) -> Markup:
    """Say how many anomalies were found, and link to them."""
    if findings == 1:
        return Markup('An anomaly was found: <a href="#findings">read it</a> before you buy.')
    return Markup(
        '{} anomalies were found: <a href="#findings">read them</a> before you buy.'
    ).format(whole(findings))


def nothing_worse(examined: bool, leaves_out: bool, scored: bool) -> Markup:
    """Say that nothing was found that makes the data worse, and what was looked at.

    If `leaves_out`, distances without a seller are known. If `scored`, a seller shows scores. If
    `examined`, anomalies were looked for.
    """
    if leaves_out and scored:
        return Markup("No seller makes all together farther, and no points stand out.")
    if leaves_out:
        return Markup("No seller makes all together farther. Sellers do not show scores of points.")
    if scored:
        return Markup("No points stand out.")
    if examined:
        return Markup("No anomaly was found. Sellers do not show scores of points.")
    return Markup("Not known: these contributions cannot be examined.")
