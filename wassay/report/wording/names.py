"""Name sellers, points and rows in sentences."""

from collections.abc import Sequence

from markupsafe import Markup

from wassay.report.number_format import whole

MOST_NAMES = 4
"""The largest number of sellers to name in a sentence."""
MOST_POINTS = 20
"""The largest number of points to list in a sentence."""


def name(label: str) -> Markup:
    """Return a seller's label as escaped HTML.

    If the label is written from right to left, the sentence around it is not affected.
    """
    return Markup("<bdi>{}</bdi>").format(label)


def names(labels: Sequence[str], *, last: str = "and") -> Markup:
    """Join sellers' labels as in a sentence, with the word `last` before the last label.

    Of more than `MOST_NAMES` labels, only the first few are written.
    """
    named = [name(label) for label in labels]
    if len(named) > MOST_NAMES:
        rest = Markup("{} more").format(whole(len(named) - MOST_NAMES + 1))
        named = [*named[: MOST_NAMES - 1], rest]
    if len(named) == 1:
        return named[0]
    return Markup("{} {} {}").format(Markup(", ").join(named[:-1]), last, named[-1])


def numbered(numbers: Sequence[int], option: str = "noisy") -> str:
    """Return a text with the numbers of the first `MOST_POINTS` points, in ascending order.

    If there are more points, the text counts them, and names the command that lists all: ``wassay
    points`` with the option `option`.
    """
    listed = ", ".join(map(str, sorted(numbers[:MOST_POINTS])))
    more = len(numbers) - MOST_POINTS
    head = f"point{'s' if len(numbers) > 1 else ''} {listed}"
    if more <= 0:
        return head
    return f"{head} and {whole(more)} more, which wassay points --{option} lists"


def rows_command(contribution_id: str, numbers: Sequence[int]) -> str:
    """Return the command that tells the seller which of its rows became these points.

    The command has the numbers of at most the first `MOST_POINTS` points.
    """
    listed = " ".join(map(str, sorted(numbers[:MOST_POINTS])))
    return f"wassay rows {contribution_id} {listed}"
