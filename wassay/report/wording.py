"""The sentences of the report that depend on the result. Fixed prose is in the templates.

Every sentence is `Markup`, which escapes the values put into it, because other parties choose their
labels.
"""

from collections.abc import Sequence
from typing import Literal

from markupsafe import Markup

from wassay import models
from wassay.report.number_format import whole
from wassay.transport import Verdict

MOST_NAMES = 4
"""The largest number of sellers to name in a sentence."""
MOST_POINTS = 20
"""The largest number of points to list in a sentence."""

Topic = Literal["first", "adds", "worse", "sure"]

TOPICS: dict[Topic, str] = {
    "first": "Whom to buy from first",
    "adds": "What the others add",
    "worse": "What makes it worse",
    "sure": "How sure this is",
}

DISCLOSED: dict[models.DisclosureKind, str] = {
    "measure": "pushed points",
    "cost-block": "costs between the points",
    "scalars": "lines of the distance curve",
    "key": "the reference’s key, in a sealed box",
    "recipe": "quantiles, categories, classes and covariance, by the recipe",
    "distances": "distances",
    "resampled": "mean distances between random parts",
    "coverage": "how many of the buyer’s points are covered",
    "findings": "anomalies that the data are in",
    "noisiest": "which points are the noisiest",
    "ranks": "ranks of the scores of points",
    "scores": "scores of points",
    "buyer-scores": "scores of the buyer’s points",
    "seller-noisiest": "which points of a seller are the noisiest",
    "seller-scores": "scores of a seller’s points",
    "label-ranks": "ranks of the labels of points",
    "label-scores": "scores of the labels of points",
    "seller-label-noisiest": "which labels of a seller are the worst",
    "seller-label-scores": "scores of a seller’s labels",
}
"""Words for what each kind of disclosure discloses."""

LESS_THAN_SCORES: dict[models.ScoresShown, str] = {
    "ranks": "These sellers show only ranks:",
    "noisiest": "These sellers show only which points are the noisiest:",
    "none": "These sellers show no scores. Ask them to answer with ranks, which name the noisiest "
    "points:",
    "scores": "These sellers show scores, which are not plotted here:",
}
"""For sellers whose scores are not plotted, the words that introduce what the buyer may read."""


SCORES_COST = Markup(
    "If every seller shows scores, you see how far points stand out. That has a price: whoever has "
    "enough points of their own can compute the <strong>raw records</strong> from exact scores. So "
    'each seller must answer with <code>scores="scores"</code> and '
    '<code>max_disclosure="exact"</code> (<code>--scores scores --max-disclosure exact</code>), '
    "and sellers have reason to decline."
)
"""Sentences on what it costs sellers to show scores, and so why they may decline."""


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

    If there are more, the text also names the command that lists all: ``wassay points`` with
    `option`.
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


# The headline.


def begin_with(labels: Sequence[str], verdict: Verdict | None) -> Markup:
    """Say which sellers to buy from first; `verdict` is the verdict on all of them."""
    reserve = ", if with anybody" if verdict == "different" else ""
    return Markup("Begin with {}{}.").format(names(labels, last="or"), reserve)


def only_seller(label: str, verdict: Verdict | None, distance: str) -> Markup:
    """Say how near the only seller is: by the verdict or, without one, by the distance."""
    match verdict:
        case "as-near-as-own":
            return Markup("{}’s data are as near to yours as your own.").format(name(label))
        case "different":
            return Markup("{}’s data are different from yours.").format(name(label))
        case "cannot-tell":
            return Markup(
                "Whether {}’s data are like yours cannot be told from these rows."
            ).format(name(label))
        case None:
            return Markup("{} is at a distance of {}.").format(name(label), distance)


# Whom to buy from first.


def nearest(label: str, sellers: int, distance: str, verdict: Verdict | None) -> Markup:
    """Give the distance and the verdict of the nearest of `sellers` sellers, or of the only one."""
    text = {
        "as-near-as-own": "They are as near to yours as your own data are to themselves.",
        "different": "But they are different from yours, by more than chance gives.",
        "cannot-tell": "There are too few rows to tell whether they are like yours.",
        None: "",
    }[verdict]
    if sellers == 1:
        return Markup("{}’s data are at a distance of {}. {}").format(name(label), distance, text)
    return Markup("Of {} sellers, {}’s data are the nearest, at a distance of {}. {}").format(
        whole(sellers), name(label), distance, text
    )


def nearest_as_own(label: str, distance: str, nearer: str, nearer_distance: str) -> Markup:
    """Say that a seller is as near as the buyer's own data, although another's distance is less.

    `nearer` and `nearer_distance` are the other seller's label and distance.
    """
    return Markup(
        "{}’s data are as near to yours as your own data are to themselves, at a distance of {}. "
        "{}’s are at {}, but not as near by the verdict, which takes chance into account."
    ).format(name(label), distance, name(nearer), nearer_distance)


def perhaps_as_near(labels: Sequence[str]) -> Markup:
    """Say which sellers may be as near as the first, but have too few rows to be judged."""
    return Markup("{} may be as near: too few rows to tell.").format(names(labels))


def different(apart: Sequence[tuple[str, str]]) -> Markup:
    """Say which sellers' data are different from the buyer's, and by how much.

    `apart` has each seller's label, and the difference that is left without chance.
    """
    listed = [Markup("{} ({} apart)").format(name(label), far) for label, far in apart[:MOST_NAMES]]
    more = len(apart) - MOST_NAMES
    rest = Markup("") if more <= 0 else Markup(" and {} more").format(whole(more))
    return Markup("Different from your data: {}{}.").format(Markup(", ").join(listed), rest)


def tied(labels: Sequence[str], by_chance: bool) -> Markup:
    """Say that it is not known which of these sellers is nearer.

    If `by_chance`, the distances differ, but chance may explain the difference.
    """
    if by_chance:
        return Markup("Which of {} is nearer may be chance: compare their prices.").format(
            names(labels)
        )
    return Markup("Which of {} is nearer cannot be told: compare their prices.").format(
        names(labels)
    )


# What the others add.

SIZES = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}
"""The sizes of groups in words."""

COMPARE_GROUPS = Markup(
    " To compare them, run <code>evaluation.buy(…)</code> (<code>wassay buy</code>)."
)
"""A sentence about how to compare more groups."""


def best_group(alone: str, distance: str, group: Markup, nearer: str, share: float) -> Markup:
    """Say which group of sellers is the nearest, and how much nearer than the first seller alone.

    `alone` and `distance` are the first seller and their distance, `group` and `nearer` those of
    the group. `share` is how much nearer the group is, as a share of `distance`.
    """
    percent = f"{100 * share:.0f} %" if share >= 0.01 else "less than 1 %"
    return Markup(
        "{} alone: {}. {}: {}, which is {} nearer. A part of that can come from more rows alone."
    ).format(name(alone), distance, group, nearer, percent)


def group_of(members: Sequence[str], others: Sequence[str]) -> Markup:
    """Name a group of sellers by its members or, if these are fewer, by the sellers outside it."""
    if not others:
        if len(members) == 2:
            return Markup("Both together")
        return Markup("All {} together").format(whole(len(members)))
    if len(others) < len(members):
        return Markup("All but {}").format(names(others))
    return Markup("With {}").format(names(members))


def nothing_added(label: str, groups: int) -> Markup:
    """Say that none of the compared groups is nearer than one seller alone.

    `label` is that seller's, and `groups` is the number of compared groups.
    """
    text = "the group that was" if groups == 1 else f"none of the {whole(groups)} groups that were"
    verb = "is not nearer" if groups == 1 else "is nearer"
    return Markup("Nothing: {} compared {} than {} alone.").format(text, verb, name(label))


def adds_unknown(groups: int, left_out: str, is_noised: bool) -> Markup:
    """Say that no compared group is nearer, and which groups were not compared.

    `groups` is the number of compared groups, and `left_out` has the words of the function
    `left_out`. If results have noise, no command is named that compares more groups.
    """
    compared = "the group that was" if groups == 1 else f"the {whole(groups)} groups that were"
    text = Markup("Not known: {} compared {} no nearer, but {} compared.").format(
        compared, "is" if groups == 1 else "are", left_out
    )
    return text if is_noised else text + COMPARE_GROUPS


def perhaps_nearer_still(left_out: str, is_noised: bool) -> Markup:
    """Say that groups that were not compared may be nearer than the nearest compared group.

    See `adds_unknown` for the parameters.
    """
    text = Markup("Another group may be nearer still: {} compared.").format(left_out)
    return text if is_noised else text + COMPARE_GROUPS


def left_out(sizes: Sequence[int], is_any_compared: bool) -> str:
    """Say which sizes of groups were not all compared; the caller adds the word "compared".

    `is_any_compared` says whether a group of one of these sizes was compared.
    """
    ends = [SIZES.get(size, whole(size)) for size in (sizes[0], sizes[-1])]
    span = ends[0] if len(sizes) == 1 else " to ".join(ends)
    return f"not all groups of {span} were" if is_any_compared else f"groups of {span} were not"


def missed_most(missed: Sequence[tuple[str, str]]) -> Markup:
    """Say how much the distance of all sellers together grows without each of these sellers.

    `missed` has the label and the growth for each seller.
    """
    return Markup("Without {}, all the others together are {} farther.").format(
        *_each(missed[0])
    ) + Markup("").join(Markup(" Without {}: {}.").format(*_each(one)) for one in missed[1:])


def no_groups(is_by_scalars: bool) -> Markup:
    """Say why no group was compared: `is_by_scalars` tells whether sellers sent scalars."""
    if is_by_scalars:
        return Markup("Not known: sellers who send scalars cannot be combined.")
    return Markup("Not computed: no group of sellers was compared.")


# What makes it worse.


def better_without(worse: Sequence[tuple[str, str]]) -> Markup:
    """Say how much the distance of all sellers together shrinks without each of these sellers.

    `worse` has the label and the decrease for each seller.
    """
    return Markup("Without {}, all the others together are {} nearer.").format(
        *_each(worse[0])
    ) + Markup("").join(Markup(" Without {}: {}.").format(*_each(one)) for one in worse[1:])


def stand_out(label: str, numbers: Sequence[int], points: int) -> Markup:
    """Say which points of a seller stand out from the seller's other points.

    `numbers` are the numbers of these points. `points` is how many points the seller has in all.
    """
    return Markup("Leave out what looks like noise: {} of {}’s {} points ({}).").format(
        whole(len(numbers)), name(label), whole(points), numbered(numbers, "outliers")
    )


def all_labels_wrong(labels: Sequence[str]) -> Markup:
    """Say that the labels of these sellers agree with 0 % of the buyer's, after rounding."""
    return Markup(
        "The labels of {} agree with 0 % of yours: classes are named differently, or all are wrong."
    ).format(names(labels))


def wrong_labels(label: str, numbers: Sequence[int]) -> Markup:
    """Say which labels of a seller are probably wrong."""
    return Markup("Check the labels of {} ({}).").format(
        name(label), numbered(numbers, "mislabelled")
    )


MORE_POINTS = Markup('The section <a href="#points">Points to leave out</a> lists more sellers.')
"""A sentence about where more points are listed."""


def only_ranks(labels: Sequence[str]) -> Markup:
    """Say that the ranks of these sellers do not tell whether any point or label is wrong."""
    return Markup(
        "Ranks do not tell which rows of {} to leave out, because they do not say whether any row "
        'is wrong. Ask these sellers to look at <a href="#points">the points named below</a>, or '
        "to show scores."
    ).format(names(labels))


def found(findings: int) -> Markup:
    """Say how many anomalies were found, and link to them."""
    if findings == 1:
        return Markup('An anomaly was found: <a href="#findings">read it</a> before you buy.')
    return Markup(
        '{} anomalies were found: <a href="#findings">read them</a> before you buy.'
    ).format(whole(findings))


def nothing_worse(examined: bool, leaves_out: bool, scored: bool) -> Markup:
    """Say that nothing was found that makes the data worse, and what was looked at.

    `examined` says whether all contributions were examined for anomalies, `leaves_out` whether the
    distance without a seller was computed, and `scored` whether a seller shows scores.
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


# How sure that is.


def chance(label: str, distance: str, low: str, high: str, floor: str, part_points: int) -> Markup:
    """Say how far random parts of a seller's and of the buyer's rows are from each other.

    `low` and `high` are the ends of the interval of `distance`. `floor` is how far random parts of
    the buyer's own rows are from each other. A part has `part_points` rows.
    """
    return Markup(
        "Other rows would give other numbers. Random parts of {} rows of {}’s data are {} from "
        "parts of yours (90 % interval {} to {}); parts of your own are {} from each other."
    ).format(whole(part_points), name(label), distance, low, high, floor)


def rule(verdict: Verdict, noticeable: str) -> Markup:
    """Say how sure a verdict is: how rarely chance gives it, or which difference would show.

    `noticeable` is the least difference that would probably have shown.
    """
    match verdict:
        case "different":
            return Markup("Chance gives so large a difference in at most about 1 of 100 cases.")
        case "as-near-as-own":
            return Markup("A difference of {} would probably have shown.").format(noticeable)
        case "cannot-tell":
            return Markup(
                "Only a difference of {} would probably have shown: compare more rows."
            ).format(noticeable)


def verdicts(near: int, different: int, unknown: int) -> Markup:
    """Say how many sellers have each verdict."""
    counts = [
        (near, "as near as your own data"),
        (different, "different"),
        (unknown, "with too few rows to tell"),
    ]
    text = ", ".join(f"{whole(count)} {words}" for count, words in counts if count)
    return Markup("Of all sellers: {}.").format(text)


LABELS_APART = Markup("These verdicts compare points, and do not take labels into account.")
"""A sentence that says that verdicts leave out labels."""

WITHOUT_T0 = Markup(
    "The service made this page and does not know your t<sub>0</sub>. So it compares the points as "
    "they were uploaded, and cannot say how much of a distance is chance. Your own machine can: "
    "<code>wassay report</code>, or <code>Evaluation.report</code>."
)

UNVERIFIED = Markup(
    "<strong>Unverified.</strong> The sellers computed these numbers; they cannot be checked."
)


def with_noise(epsilon: float, confidence: float, low: str, high: str) -> Markup:
    """Say between which values the nearest seller's distance lies without noise."""
    return Markup(
        "The distances have noise (ε = {:g}). Without noise, the nearest seller’s distance is "
        "between {} and {}, with a probability of {:.0f} %."
    ).format(epsilon, low, high, 100 * confidence)


def lower_bounds(coordinates: int, dimension: int) -> Markup:
    """Say that distances are lower bounds, because points were projected at random.

    Points had `coordinates` coordinates before, and `dimension` after.
    """
    return Markup(
        "Points were projected at random from {} to {} coordinates, so distances are certified "
        "lower bounds."
    ).format(whole(coordinates), whole(dimension))


def not_judged(reason: str) -> Markup:
    """Return the reason why there is no verdict on a seller, escaped."""
    return Markup("{}").format(reason)


def _each(pair: tuple[str, str]) -> tuple[Markup, str]:
    label, amount = pair
    return name(label), amount
