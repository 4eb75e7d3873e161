"""The share of the buyer's points that lie near points of a seller, or of a group of sellers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from wassay import models
from wassay.control_characters import escape_line
from wassay.tabular import Columns, Tabular

MOST_LISTED = 12
"""The largest number of sellers that `str` of a `Coverage` lists."""


@dataclass(frozen=True, repr=False)
class Coverage(Tabular):
    """The share of the buyer's points that lie near sellers' points; prints as sentences.

    A seller covers a buyer's point if at least three of the seller's points lie in the ball around
    it. The ball just contains the ten nearest other points of the buyer.

    Attributes
    ----------
    labels : mapping of contribution id to str
        The label of each compared seller, in the order of `wassay.models.Result.sellers`.
    shares : mapping of frozenset of contribution ids to float
        The share of the buyer's points that each examined group of sellers covers.
    expected : mapping of frozenset of contribution ids to float
        By examined group, the average share if its sellers' points were samples of the buyer's own
        population.

    Notes
    -----
    A group of sellers covers a point if at least one of its sellers does. Every single seller and
    the group of all sellers are examined. With up to twenty sellers, every pair is examined too.
    With up to five, every group is examined.
    """

    labels: Mapping[str, str]
    shares: Mapping[frozenset[str], float]
    expected: Mapping[frozenset[str], float]

    def of(self, *contribution_ids: str) -> float:
        """Return the share of the buyer's points that a group of sellers covers.

        Parameters
        ----------
        *contribution_ids : str

        Returns
        -------
        float

        Raises
        ------
        KeyError
            If this group was not examined.
        """
        return self.shares[frozenset(contribution_ids)]

    def expected_of(self, *contribution_ids: str) -> float:
        """Return the expected share of the buyer's points that a group of sellers covers.

        This is the average share if the sellers' points were samples of the buyer's own population.

        Parameters
        ----------
        *contribution_ids : str

        Returns
        -------
        float

        Raises
        ------
        KeyError
            If this group was not examined.
        """
        return self.expected[frozenset(contribution_ids)]

    @property
    def order(self) -> tuple[str, ...]:
        """The contribution ids in greedy order: each adds most coverage to those before it.

        If the service examined none of the remaining sellers with those before, the one that covers
        most alone is next.
        """
        chosen: list[str] = []
        left = list(self.labels)
        while left:
            known = [each for each in left if frozenset({*chosen, each}) in self.shares]
            if known:
                best = max(known, key=lambda each: self.of(*chosen, each))
            else:
                best = max(left, key=lambda each: self.of(each))
            chosen.append(best)
            left.remove(best)
        return tuple(chosen)

    def added(self, contribution_id: str) -> float | None:
        """Return the share that a seller adds to the sellers before it in `order`.

        Parameters
        ----------
        contribution_id : str

        Returns
        -------
        float or None
            None unless the service examined the earlier sellers both with this seller and without.
        """
        before = self.order[: self.order.index(contribution_id)]
        together = self.shares.get(frozenset({*before, contribution_id}))
        without = self.shares.get(frozenset(before)) if before else 0.0
        return None if together is None or without is None else together - without

    def to_dict(self) -> Columns:
        """Return columns with one row for each examined group, smaller groups first.

        Returns
        -------
        dict of str to list
        """
        place = {name: index for index, name in enumerate(self.order)}
        groups = sorted(
            (sorted(group, key=place.__getitem__) for group in self.shares),
            key=lambda group: (len(group), [place[name] for name in group]),
        )
        return {
            "contribution_ids": [", ".join(group) for group in groups],
            "sellers": [", ".join(self.labels[name] for name in group) for group in groups],
            "share": [self.of(*group) for group in groups],
            "expected": [self.expected_of(*group) for group in groups],
        }

    def notes(self) -> tuple[str, ...]:
        """Return the coverage in sentences.

        Returns
        -------
        tuple of str
            One text with all sentences.
        """
        return (str(self),)

    def __str__(self) -> str:
        first, *others = self.order
        said = [
            f"Coverage: {self._label(first)} has points near {_percent(self.of(first))} of yours "
            f"(as many rows of your own population would: {_percent(self.expected_of(first))})."
        ]
        for each in others[: MOST_LISTED - 1]:
            added = self.added(each)
            share = _percent(self.of(each))
            if added is None:
                said.append(f"{self._label(each)}: {share}.")
            else:
                said.append(f"{self._label(each)} adds {_percent(added)} (alone {share}).")
        if others:
            said.append(f"All together: {_percent(self.of(*self.labels))}.")
        return " ".join(said)

    def _label(self, contribution_id: str) -> str:
        return escape_line(self.labels[contribution_id])


def coverage_at(result: models.Result, t0: float, labels: Mapping[str, str]) -> Coverage | None:
    """Interpolate the coverage at s = t0, where buyer and sellers push equally far.

    Parameters
    ----------
    result : wassay.models.Result
    t0 : float
    labels : mapping of contribution id to str
        The label of each contribution of the result.

    Returns
    -------
    Coverage or None
        None if no seller's points could be compared.
    """
    if result.coverage is None:
        return None
    # At s = t0, pushed points cover each other as raw points do. Interpolate linearly in ln(1 − s).
    sizes = -np.log1p(-np.array(result.coverage.sweep))
    groups = {frozenset(each.contribution_ids): each for each in result.coverage.groups}
    shares = {
        group: float(np.interp(-np.log1p(-t0), sizes, each.shares))
        for group, each in groups.items()
    }
    compared = set[str]().union(*groups)
    return Coverage(
        {name: label for name, label in labels.items() if name in compared},
        shares,
        {group: each.expected for group, each in groups.items()},
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
