"""Name sellers, points and rows in sentences."""

from collections.abc import Sequence

from markupsafe import Markup

from wassay.report.number_format import whole

MOST_NAMES = 4
"""The largest number of sellers to name in a sentence."""
MOST_POINTS = 20
"""The largest number of points to list in a sentence."""


def name(label: str) -> Markup:
    """Return a seller's label, isolated so that right-to-left text leaves the sentence intact."""
    return Markup("<bdi>{}</bdi>").format(label)


def names(labels: Sequence[str], *, last: str = "and") -> Markup:
    """Join labels as in a sentence, with the word `last` before the last label.

    Of many labels, the first few are written, and the others counted.
    """
    named = [name(label) for label in labels]
    if len(named) > MOST_NAMES:
        rest = Markup("{} more").format(whole(len(named) - MOST_NAMES + 1))
        named = [*named[: MOST_NAMES - 1], rest]
    if len(named) == 1:
        return named[0]
    return Markup("{} {} {}").format(Markup(", ").join(named[:-1]), last, named[-1])


def numbered(numbers: Sequence[int], option: str = "noisy") -> str:
    """List the numbers of points: the first `MOST_POINTS`, sorted, and how many more there are.

    If there are more, the text also names the command that lists all, ``wassay points --OPTION``;
    `option` is its option, without the dashes.
    """
    listed = ", ".join(map(str, sorted(numbers[:MOST_POINTS])))
    more = len(numbers) - MOST_POINTS
    head = f"point{'s' if len(numbers) > 1 else ''} {listed}"
    if more <= 0:
        return head
    return f"{head} and {whole(more)} more, which wassay points --{option} lists"


def rows_command(contribution_id: str, numbers: Sequence[int]) -> str:
    """Return the command that tells the seller to which rows of the table points belong.

    `numbers` are the points' numbers; the command has at most the first `MOST_POINTS` of them.
    """
    listed = " ".join(map(str, sorted(numbers[:MOST_POINTS])))
    return f"wassay rows {contribution_id} {listed}"
