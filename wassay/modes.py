"""The modes of contribution: what buyer, seller and service agree on when they pick one.

`MODES` is the registry: of each name there is a module in `wassay.client.seller.modes`, for what a
seller audits and uploads, and one in `app.contributions.modes`, for what the service does with it.
"""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class ModeTerms:
    """The terms of a mode: what it asks of the parties, and what it allows them.

    Attributes
    ----------
    name : str
        As the HTTP API, the SDK and the command line spell it.
    summary : str
        What leaves the seller's machine.
    reveals_measure : bool
        Whether sellers compute with η_μ(t0), so that the buyer has to let them download it.
    takes_labels : bool
        Whether costs may include distances of classes, which the seller computes.
    scores_labels : bool
        Whether labels may be scored: the service receives the class of every pushed point.
    sends_points : bool
        Whether the service receives pushed points: it can compare sellers with each other, and clip
        points to a ball to bound the noise.
    is_verified : bool
        Whether the service solves the transport problems. Where the seller does, nobody can verify
        the curve, and neither coalitions nor scores of points can be computed.
    orders : frozenset of int
        The p of W_p that contributions can be for.
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
    """Tell whether labels are scored in all of the modes, and so do not change any cost."""
    return all(mode in MODES and MODES[mode].scores_labels for mode in modes)


def is_revealing(mode: str) -> bool:
    """Tell whether sellers in a mode download η_μ(t0); True for a mode that is unknown here."""
    return mode not in MODES or MODES[mode].reveals_measure


def revealing(modes: Iterable[str]) -> list[str]:
    """Return the modes, sorted, in which sellers download the buyer's measure."""
    return sorted(mode for mode in modes if mode in MODES and MODES[mode].reveals_measure)
