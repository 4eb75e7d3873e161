"""The modes of contribution: what buyer, seller and service agree on when they pick a mode.

Each mode has a module in `wassay.client.seller.modes`, and one in `app.contributions.modes`.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class ModeTerms:
    """The terms of a mode: what the mode requires of the parties, and what it allows.

    Attributes
    ----------
    name : str
        The name in the HTTP API, the SDK and the command line.
    summary : str
        What leaves the seller's machine.
    reveals_measure : bool
        Whether sellers must download the buyer's measure.
    takes_labels : bool
        Whether sellers' costs may include distances between labels, the classes of points.
    scores_labels : bool
        Whether the service can score the labels of sellers' points. If it does,
        costs ignore labels.
    sends_points : bool
        Whether the service receives pushed points, and so can compare sellers and bound noise.
    is_verified : bool
        Whether the service, rather than the seller, solves the transport problems. Only then can it
        verify distances, and compute coalitions and scores.
    orders : frozenset of int
        The values of p for which contributions can be made.
    """

    name: str
    summary: str
    reveals_measure: bool = False
    takes_labels: bool = False
    scores_labels: bool = False
    sends_points: bool = False
    is_verified: bool = True
    orders: frozenset[int] = frozenset({1, 2})


MODES: dict[str, ModeTerms] = {
    terms.name: terms
    for terms in (
        ModeTerms("measure", "the pushed points η_ν(s)", scores_labels=True, sends_points=True),
        ModeTerms(
            "cost-block",
            "the costs C(s) to the buyer's pushed points",
            reveals_measure=True,
            takes_labels=True,
        ),
        ModeTerms(
            "scalar",
            "a few numbers for each s, of a curve that the seller solved",
            reveals_measure=True,
            takes_labels=True,
            is_verified=False,
            orders=frozenset({2}),
        ),
    )
}


def scores_labels(modes: Iterable[str]) -> bool:
    """Tell whether labels can be scored in all given modes; False if a mode is unknown."""
    return all(mode in MODES and MODES[mode].scores_labels for mode in modes)


def is_revealing(mode: str) -> bool:
    """Tell whether sellers in a mode download the buyer's measure; True for an unknown mode."""
    return mode not in MODES or MODES[mode].reveals_measure


def revealing(modes: Iterable[str]) -> list[str]:
    """Return the modes in which sellers download the buyer's measure, sorted.

    This leaves out unknown modes.
    """
    return sorted(mode for mode in modes if mode in MODES and MODES[mode].reveals_measure)
