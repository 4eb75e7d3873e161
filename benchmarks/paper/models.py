"""Two small models for federated averaging, with their weights in one array each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.floating[Any]]
"""Numbers in the precision of the points, single or double."""


class Model(Protocol):
    """A classifier for federated averaging."""

    def start(self, features: int, classes: int) -> Numbers:
        """Return untrained weights."""

    def scores(self, weights: Numbers, x: Numbers, classes: int) -> Numbers:
        """Return a score for each point and class, the highest for the most probable."""

    def gradient(self, weights: Numbers, x: Numbers, y: Numbers) -> Numbers:
        """Return the gradient of the cross entropy; y is one-hot."""


class Softmax:
    """Softmax regression."""

    def start(self, features: int, classes: int) -> Numbers:
        """Return untrained weights."""
        return np.zeros(features * classes)

    def scores(self, weights: Numbers, x: Numbers, classes: int) -> Numbers:
        """Return a score for each point and class."""
        found: Numbers = x @ weights.reshape(-1, classes)
        return found

    def gradient(self, weights: Numbers, x: Numbers, y: Numbers) -> Numbers:
        """Return the gradient of the cross entropy."""
        return (x.T @ _error(self.scores(weights, x, y.shape[1]), y)).ravel()


@dataclass(frozen=True)
class Network:
    """A network with one hidden layer of rectified linear units."""

    units: int = 64

    def start(self, features: int, classes: int) -> Numbers:
        """Return random weights, the same for all clients."""
        rng = np.random.default_rng(0)
        first = rng.normal(scale=np.sqrt(2 / features), size=features * self.units)
        second = rng.normal(scale=np.sqrt(1 / self.units), size=self.units * classes)
        return np.concatenate([first, second])

    def scores(self, weights: Numbers, x: Numbers, classes: int) -> Numbers:
        """Return a score for each point and class."""
        first, second = self._layers(weights, classes)
        found: Numbers = np.maximum(x @ first, 0.0) @ second
        return found

    def gradient(self, weights: Numbers, x: Numbers, y: Numbers) -> Numbers:
        """Return the gradient of the cross entropy."""
        first, second = self._layers(weights, y.shape[1])
        hidden = np.maximum(x @ first, 0.0)
        error = _error(hidden @ second, y)
        back = (error @ second.T) * (hidden > 0)
        return np.concatenate([(x.T @ back).ravel(), (hidden.T @ error).ravel()])

    def _layers(self, weights: Numbers, classes: int) -> tuple[Numbers, Numbers]:
        first, second = np.split(weights, [len(weights) - self.units * classes])
        return first.reshape(-1, self.units), second.reshape(self.units, classes)


def _error(scores: Numbers, y: Numbers) -> Numbers:
    """Return probabilities minus the truth, divided by the number of points."""
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    chances /= chances.sum(axis=1, keepdims=True)
    found: Numbers = (chances - y) / len(y)
    return found
