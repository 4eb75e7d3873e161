"""Federated averaging, and published Shapley values of its clients."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from benchmarks.paper.inputs import Points
from benchmarks.paper.models import Model, Numbers, Softmax

LOCAL_STEPS = 5


@dataclass(frozen=True, eq=False)
class Federation:
    """Clients with labelled points, a test set, and a model that they train together.

    Attributes
    ----------
    clients : sequence of (ndarray, ndarray)
        Points, and their classes one-hot.
    test : (ndarray, ndarray)
        Points, and the numbers of their classes.
    model : Model
    averagings : int
        Rounds of federated averaging, each of a few steps of every client.
    rate : float
        Step size.
    """

    clients: Sequence[tuple[Numbers, Numbers]]
    test: tuple[Numbers, NDArray[np.int64]]
    model: Model = field(default_factory=Softmax)
    averagings: int = 5
    rate: float = 0.5

    @property
    def everyone(self) -> tuple[int, ...]:
        """The grand coalition."""
        return tuple(range(len(self.clients)))

    def start(self) -> Numbers:
        """Weights of the untrained model."""
        x, y = self.clients[0]
        return self.model.start(x.shape[1], y.shape[1]).astype(x.dtype)

    def accuracy(self, weights: Numbers) -> float:
        """Return a model's accuracy on the test set."""
        x, truth = self.test
        scores = self.model.scores(weights, x, self.clients[0][1].shape[1])
        return float((scores.argmax(axis=1) == truth).mean())

    def update(self, weights: Numbers, client: int) -> Numbers:
        """Return a client's update in one round."""
        x, y = self.clients[client]
        own = weights
        for _ in range(LOCAL_STEPS):
            own = own - self.rate * self.model.gradient(own, x, y)
        return own - weights

    def averaged(self, updates: dict[int, Numbers], members: Iterable[int]) -> Numbers:
        """Average the members' updates, every point counting the same."""
        sizes = {member: len(self.clients[member][0]) for member in members}
        total = sum(sizes.values())
        mean: Numbers = sum(
            (updates[member] * (size / total) for member, size in sizes.items()),
            np.zeros_like(next(iter(updates.values()))),
        )
        return mean

    def trained(self, members: Iterable[int]) -> float:
        """Return the accuracy of the model that a coalition trains alone."""
        coalition = tuple(members)
        weights = self.start()
        for _ in range(self.averagings if coalition else 0):
            updates = {member: self.update(weights, member) for member in coalition}
            weights = weights + self.averaged(updates, coalition)
        return self.accuracy(weights)

    @cached_property
    def rounds(self) -> list[tuple[Numbers, dict[int, Numbers]]]:
        """Return the model before each round of the grand coalition's training, and all updates."""
        weights, seen = self.start(), []
        for _ in range(self.averagings):
            updates = {client: self.update(weights, client) for client in self.everyone}
            seen.append((weights, updates))
            weights = weights + self.averaged(updates, self.everyone)
        return seen


def exact(federation: Federation) -> Points:
    """Compute Shapley values over models retrained for every coalition of clients."""
    return _shapley(len(federation.clients), federation.trained)


def one_round(federation: Federation) -> Points:
    """OR (Song et al. 2019): models of coalitions rebuilt once from all updates of all rounds."""

    def worth(members: tuple[int, ...]) -> float:
        if not members:
            return federation.accuracy(federation.start())
        moves = (federation.averaged(updates, members) for _, updates in federation.rounds)
        return federation.accuracy(sum(moves, federation.start()))

    return _shapley(len(federation.clients), worth)


def many_rounds(federation: Federation) -> Points:
    """MR (Song et al. 2019): models of coalitions rebuilt in every round, values summed."""
    values = [
        _shapley(len(federation.clients), _worth_in(federation, weights, updates))
        for weights, updates in federation.rounds
    ]
    return np.asarray(np.sum(values, axis=0), dtype=np.float64)


def guided(federation: Federation, *, threshold: float = 1e-3, seed: int = 0) -> Points:
    """GTG-Shapley (Liu et al. 2022): rounds without gain are skipped, permutations truncated."""
    rng = np.random.default_rng(seed)
    count = len(federation.clients)
    values = np.zeros(count)
    for weights, updates in federation.rounds:
        worth = _worth_in(federation, weights, updates)
        before, after = worth(()), worth(federation.everyone)
        if abs(after - before) < threshold:
            continue
        values += _permuted(count, worth, before, after, threshold, rng, guide=True)
    return values


def truncated(federation: Federation, *, threshold: float = 1e-2, seed: int = 0) -> Points:
    """TMC-Shapley (Ghorbani & Zou 2019) over clients, with retrained models."""
    worth = _remembered(federation.trained)
    ends = worth(()), worth(federation.everyone)
    rng = np.random.default_rng(seed)
    count = len(federation.clients)
    return _permuted(count, worth, *ends, threshold, rng, guide=False)


def _permuted(
    count: int,
    worth: Callable[[tuple[int, ...]], float],
    before: float,
    after: float,
    threshold: float,
    rng: np.random.Generator,
    *,
    guide: bool,
) -> Points:
    """Average marginals over 5 N permutations, truncated near the grand coalition's value."""
    permutations = 5 * count
    values = np.zeros(count)
    for turn in range(permutations):
        permutation = rng.permutation(count)
        if guide:  # every client is first equally often
            first = int(np.flatnonzero(permutation == turn % count)[0])
            permutation = np.roll(permutation, -first)
        last = before
        for index in range(count):
            if abs(after - last) < threshold:
                break
            value = worth(tuple(sorted(permutation[: index + 1].tolist())))
            values[permutation[index]] += (value - last) / permutations
            last = value
    return values


def _worth_in(
    federation: Federation, weights: Numbers, updates: dict[int, Numbers]
) -> Callable[[tuple[int, ...]], float]:
    def worth(members: tuple[int, ...]) -> float:
        move = federation.averaged(updates, members) if members else 0.0
        return federation.accuracy(weights + move)

    return _remembered(worth)


def _remembered(
    worth: Callable[[tuple[int, ...]], float],
) -> Callable[[tuple[int, ...]], float]:
    known: dict[tuple[int, ...], float] = {}

    def remembered(members: tuple[int, ...]) -> float:
        if members not in known:
            known[members] = worth(members)
        return known[members]

    return remembered


def _shapley(count: int, worth: Callable[[tuple[int, ...]], float]) -> Points:
    """Compute Shapley values over all coalitions, with the value of the empty coalition given."""
    coalitions = [
        coalition for size in range(count + 1) for coalition in combinations(range(count), size)
    ]
    known = {coalition: worth(coalition) for coalition in coalitions}
    values = np.zeros(count)
    for coalition in coalitions:
        for client in set(range(count)) - set(coalition):
            joined = tuple(sorted((*coalition, client)))
            share = math.factorial(len(coalition)) * math.factorial(count - len(coalition) - 1)
            values[client] += share / math.factorial(count) * (known[joined] - known[coalition])
    return values
