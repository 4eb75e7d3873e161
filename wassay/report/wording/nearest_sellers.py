"""Sentences on whom to buy from first."""

from collections.abc import Sequence

from markupsafe import Markup

from wassay.report.number_format import whole
from wassay.report.wording.names import MOST_NAMES, name, names
from wassay.transport import Verdict


def begin_with(sellers: Sequence[str], verdict: Verdict | None) -> Markup:
    """Say which sellers to buy from first; they have the same verdict, or no verdict."""
    reserve = ", if with anybody" if verdict == "different" else ""
    return Markup("Begin with {}{}.").format(names(sellers, last="or"), reserve)


def only_seller(seller: str, verdict: Verdict | None, distance: str) -> Markup:
    """Say how near the only seller is: by the verdict or, without one, by the distance."""
    match verdict:
        case "as-near-as-own":
            return Markup("{}’s data are as near to yours as your own.").format(name(seller))
        case "different":
            return Markup("{}’s data are different from yours.").format(name(seller))
        case "cannot-tell":
            return Markup(
                "Whether {}’s data are like yours cannot be told from these rows."
            ).format(name(seller))
        case None:
            return Markup("{} is at a distance of {}.").format(name(seller), distance)


def nearest(seller: str, count: int, distance: str, verdict: Verdict | None) -> Markup:
    """Give the distance and the verdict of the nearest seller.

    `count` is the number of sellers.
    """
    text = {
        "as-near-as-own": "They are as near to yours as your own data are to themselves.",
        "different": "But they are different from yours, by more than chance gives.",
        "cannot-tell": "There are too few rows to tell whether they are like yours.",
        None: "",
    }[verdict]
    if count == 1:
        return Markup("{}’s data are at a distance of {}. {}").format(name(seller), distance, text)
    return Markup("Of {} sellers, {}’s data are the nearest, at a distance of {}. {}").format(
        whole(count), name(seller), distance, text
    )


def nearest_as_own(seller: str, distance: str, nearer: str, nearer_distance: str) -> Markup:
    """Say that a seller is as near as the buyer's own data, although another seller is nearer.

    `nearer` and `nearer_distance` are that other seller's label and distance.
    """
    return Markup(
        "{}’s data are as near to yours as your own data are to themselves, at a distance of {}. "
        "{}’s are at {}, but not as near by the verdict, which takes chance into account."
    ).format(name(seller), distance, name(nearer), nearer_distance)


def perhaps_as_near(sellers: Sequence[str]) -> Markup:
    """Say which sellers may be as near as the first, but have too few rows to tell."""
    return Markup("{} may be as near: too few rows to tell.").format(names(sellers))


def different(apart: Sequence[tuple[str, str]]) -> Markup:
    """Say which sellers' data are different from the buyer's, and by how much.

    `apart` has each seller's label, and the difference that chance does not explain.
    """
    listed = [
        Markup("{} ({} apart)").format(name(seller), far) for seller, far in apart[:MOST_NAMES]
    ]
    more = len(apart) - MOST_NAMES
    rest = Markup("") if more <= 0 else Markup(" and {} more").format(whole(more))
    return Markup("Different from your data: {}{}.").format(Markup(", ").join(listed), rest)


def tied(sellers: Sequence[str], by_chance: bool) -> Markup:
    """Say that it is unknown which of several sellers is nearer.

    If `by_chance`, the distances differ, but chance may explain the difference.
    """
    if by_chance:
        return Markup("Which of {} is nearer may be chance: compare their prices.").format(
            names(sellers)
        )
    return Markup("Which of {} is nearer cannot be told: compare their prices.").format(
        names(sellers)
    )
