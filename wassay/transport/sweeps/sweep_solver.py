"""Solve coalitions along a sweep, transferring solutions from one s to others."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from numpy.typing import ArrayLike

from wassay.transport.costs.cost import Cost, Power
from wassay.transport.scoring.point_scores import Scores
from wassay.transport.scoring.scores import scores
from wassay.transport.solvers.batch import solve_batch
from wassay.transport.solvers.certify.certify_guesses import certify_batch
from wassay.transport.solvers.solution import Solution
from wassay.transport.sweeps.cost_shift import CostShift
from wassay.transport.thread_pool import SINGLE_THREADED_BLAS

Key = TypeVar("Key", bound=Hashable)


@dataclass(eq=False)
class _SolvedCoalition:
    """The solution of a coalition at one s, and the change of its costs to each other s."""

    s: float
    solution: Solution
    shifts: dict[float, CostShift] = field(default_factory=dict)
    scores: tuple[Scores, Scores] | None = None


class SweepSolver(Generic[Key]):
    """Solves coalitions along a sweep, and transfers solutions from one s to others.

    Parameters
    ----------
    p : {1, 2}
        The p of the costs; nothing is transferred for p = 1.
    """

    def __init__(self, p: Power) -> None:
        # For p = 2 and a reference of one point, C_ij(s) is a factor times C_ij at another s, plus
        # a term of the row and one of the column. So the same plan is optimal at every s.
        self._transfers = p == 2
        self._origins: dict[Key, _SolvedCoalition] = {}

    def solve(
        self,
        keys: Sequence[Key],
        s: float,
        cost_at: Callable[[float], Cost],
        weights: Sequence[tuple[ArrayLike, ArrayLike]],
        progress: Callable[[], None],
    ) -> list[Solution]:
        """Solve coalitions over the same costs at s, by transfer from another s if possible.

        Parameters
        ----------
        keys : sequence of hashable
            A key for each coalition, the same at every s.
        s : float
        cost_at : callable
            Returns the costs at an s, always with rows and columns in the same order.
        weights, progress
            See `solve_batch`.

        Returns
        -------
        list of Solution
            One for each key.
        """
        with SINGLE_THREADED_BLAS:
            return self._solve(keys, s, cost_at, weights, progress)

    def _solve(
        self,
        keys: Sequence[Key],
        s: float,
        cost_at: Callable[[float], Cost],
        weights: Sequence[tuple[ArrayLike, ArrayLike]],
        progress: Callable[[], None],
    ) -> list[Solution]:
        cost = cost_at(s)
        solutions = self._transfer(keys, s, cost_at, weights, progress) if self._transfers else {}
        # A coalition whose transferred solution is not optimal is solved anew.
        missing = [index for index, key in enumerate(keys) if key not in solutions]
        if missing:
            solved = solve_batch(cost, [weights[index] for index in missing], progress=progress)
            for index, solution in zip(missing, solved, strict=True):
                solutions[keys[index]] = solution
                self._origins[keys[index]] = _SolvedCoalition(s, solution)
        return [solutions[key] for key in keys]

    def scores(
        self, key: Key, s: float, cost_at: Callable[[float], Cost], solution: Solution
    ) -> tuple[Scores, Scores]:
        """Score the rows and the columns of a coalition that was solved at s.

        Parameters
        ----------
        key : hashable
            The coalition's key.
        s : float
        cost_at : callable
            See `solve`.
        solution : Solution
            Solution of the coalition at s.

        Returns
        -------
        tuple of Scores
            Scores of the rows and of the columns.
        """
        with SINGLE_THREADED_BLAS:
            return self._scores(key, s, cost_at, solution)

    def _scores(
        self, key: Key, s: float, cost_at: Callable[[float], Cost], solution: Solution
    ) -> tuple[Scores, Scores]:
        origin = self._origins[key]
        shift = origin.shifts.get(s)
        if origin.s != s and not (shift and shift.holds(cost_at(origin.s), cost_at(s))):
            return scores(cost_at(s), solution)
        if origin.scores is None:
            origin.scores = scores(cost_at(origin.s), origin.solution)
        return origin.scores if shift is None else shift.scores(origin.solution, *origin.scores)

    def _transfer(
        self,
        keys: Sequence[Key],
        s: float,
        cost_at: Callable[[float], Cost],
        weights: Sequence[tuple[ArrayLike, ArrayLike]],
        progress: Callable[[], None],
    ) -> dict[Key, Solution]:
        """Transfer solutions from other s, and return by key those that are certified at s."""
        shifts: dict[float, CostShift | None] = {}
        guesses, known = [], []
        for index, key in enumerate(keys):
            origin = self._origins.get(key)
            if origin is None:
                continue
            if origin.s not in shifts:
                factor = (1 - s) / (1 - origin.s)
                shifts[origin.s] = CostShift.between(cost_at(origin.s), cost_at(s), factor)
            shift = shifts[origin.s]
            if shift is not None:
                origin.shifts[s] = shift
                guesses.append(shift.solution(origin.solution))
                known.append(index)
        proven = certify_batch(
            cost_at(s), [weights[index] for index in known], guesses, progress=progress
        )
        return {
            keys[index]: solution
            for index, solution in zip(known, proven, strict=True)
            if solution is not None
        }
