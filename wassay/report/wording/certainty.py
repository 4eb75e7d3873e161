"""Sentences on how sure the numbers are."""

from markupsafe import Markup

from wassay.report.number_format import whole
from wassay.report.wording.names import name
from wassay.transport import Verdict


def chance(seller: str, distance: str, low: str, high: str, floor: str, part_points: int) -> Markup:
    """Say how far random parts of a seller's rows are from random parts of the buyer's rows.

    Each part has `part_points` rows, and `low` and `high` are the interval of `distance`. `floor`
    is the distance between random parts of the buyer's own rows.
    """
    return Markup(
        "Other rows would give other numbers. Random parts of {} rows of {}’s data are {} from "
        "parts of yours (90 % interval {} to {}); parts of your own are {} from each other."
    ).format(whole(part_points), name(seller), distance, low, high, floor)


def rule(verdict: Verdict, noticeable: str) -> Markup:
    """Say how sure the verdict on a seller is.

    `noticeable` is the least difference that would probably have been noticed.
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
    """Say how many sellers are near, how many different, and how many have too few rows to tell."""
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
    """Say that the nearest seller's distance without noise is probably between `low` and `high`.

    `confidence` is the probability, and `epsilon` the ε of the noise.
    """
    return Markup(
        "The distances have noise (ε = {:g}). Without noise, the nearest seller’s distance is "
        "between {} and {}, with a probability of {:.0f} %."
    ).format(epsilon, low, high, 100 * confidence)


def lower_bounds(coordinates: int, dimension: int) -> Markup:
    """Say that distances are lower bounds, because points were projected at random.

    The points had `coordinates` coordinates before, and have `dimension` after.
    """
    return Markup(
        "Points were projected at random from {} to {} coordinates, so distances are certified "
        "lower bounds."
    ).format(whole(coordinates), whole(dimension))


def not_judged(reason: str) -> Markup:
    """Return the reason why there is no verdict on a seller, as escaped text."""
    return Markup("{}").format(reason)
