"""Solving coalition after coalition at one s after another: with one reference point, once for all
s.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from numpy.typing import ArrayLike

from wassay.transport.costs.cost import Cost, Power
from wassay.transport.scoring.point_scores import Scores
from wassay.transport.scoring.scores import scores
from wassay.transport.solvers.batch import solve_batch
from wassay.transport.solvers.certify.certify import certify_batch
from wassay.transport.solvers.solution import Solution
from wassay.transport.sweeps.cost_shift import Shift

Key = TypeVar("Key", bound=Hashable)


@dataclass(eq=False)
class _Origin:
    """Where a coalition was solved, and how its costs change from there to other s."""

    s: float
    solution: Solution
    shifts: dict[float, Shift] = field(default_factory=dict)
    scores: tuple[Scores, Scores] | None = None


class SweepSolver(Generic[Key]):
    """Solves coalitions, and carries what it knows of each from the s where it was solved to
    others.

    With p = 2 and a reference of one point, the optimal plan is the same at every s, and potentials
    follow (see `Shift`). Nobody is believed that this is so: what is carried is proven on all
    pairs, and solved where the proof fails; scores are carried where all pairs change as they
    should.

    Parameters
    ----------
    p : {1, 2}
        Of the costs; for p = 1 nothing is carried.
    """

    def __init__(self, p: Power) -> None:
        self._carries = p == 2
        self._origins: dict[Key, _Origin] = {}

    def solve(
        self,
        keys: Sequence[Key],
        s: float,
        cost_at: Callable[[float], Cost],
        weights: Sequence[tuple[ArrayLike, ArrayLike]],
        progress: Callable[[], None],
    ) -> list[Solution]:
        """Solve coalitions over the same costs.

        Parameters
        ----------
        keys : sequence of hashable
            That name the coalitions at every s.
        s : float
        cost_at : callable
            The costs at an s, rows and columns in one order.
        weights, progress
            See `solve_batch`.
        """
        cost = cost_at(s)
        found = self._carried(keys, s, cost_at, weights, progress) if self._carries else {}
        missing = [place for place, key in enumerate(keys) if key not in found]
        if missing:
            solved = solve_batch(cost, [weights[place] for place in missing], progress=progress)
            for place, solution in zip(missing, solved, strict=True):
                found[keys[place]] = solution
                self._origins[keys[place]] = _Origin(s, solution)
        return [found[key] for key in keys]

    def scores(
        self, key: Key, s: float, cost_at: Callable[[float], Cost], solution: Solution
    ) -> tuple[Scores, Scores]:
        """Score the rows and the columns of a coalition that was solved at s before."""
        origin = self._origins[key]
        shift = origin.shifts.get(s)
        if origin.s != s and not (shift and shift.holds(cost_at(origin.s), cost_at(s))):
            return scores(cost_at(s), solution)
        if origin.scores is None:
            origin.scores = scores(cost_at(origin.s), origin.solution)
        return origin.scores if shift is None else shift.scores(origin.solution, *origin.scores)

    def _carried(
        self,
        keys: Sequence[Key],
        s: float,
        cost_at: Callable[[float], Cost],
        weights: Sequence[tuple[ArrayLike, ArrayLike]],
        progress: Callable[[], None],
    ) -> dict[Key, Solution]:
        """Those that are proven at s from what is known of another s."""
        shifts: dict[float, Shift | None] = {}
        guesses, known = [], []
        for place, key in enumerate(keys):
            origin = self._origins.get(key)
            if origin is None:
                continue
            if origin.s not in shifts:
                factor = (1 - s) / (1 - origin.s)
                shifts[origin.s] = Shift.between(cost_at(origin.s), cost_at(s), factor)
            shift = shifts[origin.s]
            if shift is not None:
                origin.shifts[s] = shift
                guesses.append(shift.solution(origin.solution))
                known.append(place)
        proven = certify_batch(
            cost_at(s), [weights[place] for place in known], guesses, progress=progress
        )
        return {
            keys[place]: solution
            for place, solution in zip(known, proven, strict=True)
            if solution is not None
        }
