"""Two small models that clients train together, their weights in one array each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.floating[Any]]
"""Of single or of double precision, as the points are."""


class Model(Protocol):
    """What federated averaging needs of a classifier."""

    def start(self, features: int, classes: int) -> Numbers:
        """Weights before any training."""

    def scores(self, weights: Numbers, x: Numbers, classes: int) -> Numbers:
        """One number for each point and class, the highest for the likeliest."""

    def gradient(self, weights: Numbers, x: Numbers, y: Numbers) -> Numbers:
        """Of the cross entropy, y one-hot."""


class Softmax:
    """Softmax regression."""

    def start(self, features: int, classes: int) -> Numbers:
        """Weights before any training."""
        return np.zeros(features * classes)

    def scores(self, weights: Numbers, x: Numbers, classes: int) -> Numbers:
        """One number for each point and class."""
        found: Numbers = x @ weights.reshape(-1, classes)
        return found

    def gradient(self, weights: Numbers, x: Numbers, y: Numbers) -> Numbers:
        """Of the cross entropy."""
        return (x.T @ _error(self.scores(weights, x, y.shape[1]), y)).ravel()


@dataclass(frozen=True)
class Network:
    """One hidden layer of rectified units."""

    units: int = 64

    def start(self, features: int, classes: int) -> Numbers:
        """Random weights, the same for everybody."""
        rng = np.random.default_rng(0)
        first = rng.normal(scale=np.sqrt(2 / features), size=features * self.units)
        second = rng.normal(scale=np.sqrt(1 / self.units), size=self.units * classes)
        return np.concatenate([first, second])

    def scores(self, weights: Numbers, x: Numbers, classes: int) -> Numbers:
        """One number for each point and class."""
        first, second = self._layers(weights, classes)
        found: Numbers = np.maximum(x @ first, 0.0) @ second
        return found

    def gradient(self, weights: Numbers, x: Numbers, y: Numbers) -> Numbers:
        """Of the cross entropy."""
        first, second = self._layers(weights, y.shape[1])
        hidden = np.maximum(x @ first, 0.0)
        error = _error(hidden @ second, y)
        back = (error @ second.T) * (hidden > 0)
        return np.concatenate([(x.T @ back).ravel(), (hidden.T @ error).ravel()])

    def _layers(self, weights: Numbers, classes: int) -> tuple[Numbers, Numbers]:
        first, second = np.split(weights, [len(weights) - self.units * classes])
        return first.reshape(-1, self.units), second.reshape(self.units, classes)


def _error(scores: Numbers, y: Numbers) -> Numbers:
    """Chances less the truth, a share for each point."""
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    found: Numbers = (chances - y) / len(y)
    return found
