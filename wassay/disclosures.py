"""Classify what disclosures of a dataset reveal, each by itself and all together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from wassay.disclosure_class import DisclosureClass
from wassay.models import CombinedDisclosure, Disclosure, DisclosureKind
from wassay.organisations import organisation_key
from wassay.readable_projections import projections_read

# Locating a coordinate takes some five bits. Each question gives one bit about a record, or up to
# 1.7 bits if the receiver has very many points.
_FEW_QUESTIONS = 3
"""How many questions for noisiest points, per coordinate, locate a record approximately."""

# Scores of labels order the owner's points by distance, as ranks do.
_LABEL_SCORES: set[DisclosureKind] = {"label-ranks", "label-scores"}
"""The kinds of disclosure that tell scores of labels."""

_POINTS_RANKED: set[DisclosureKind] = {"noisiest", "ranks", "seller-noisiest"}
_RANKED = {"seller-label-worst", *_LABEL_SCORES, *_POINTS_RANKED}
_COUNTED = {"distances", "resampled", "scalars", "scores", "buyer-scores", *_POINTS_RANKED}


def class_of(
    kind: DisclosureKind, *, sealed: bool, sweep: Sequence[float], rank: int | None, dimension: int
) -> DisclosureClass:
    """Classify what a single disclosure reveals about the owner's points.

    Parameters
    ----------
    kind : DisclosureKind
        What is disclosed.
    sealed : bool
        Whether the points were moved by an isometry that the viewer does not know.
    sweep : sequence of float
        The values of s at which the points were pushed; empty if the push is private.
    rank : int or None
        The number of directions along which the disclosure tells coordinates; None for kinds that
        have no such number.
    dimension : int
        The number of coordinates of the points.

    Returns
    -------
    DisclosureClass

    Notes
    -----
    For a cost block, `rank` is the number of the buyer's points minus 1, but at most `dimension`.
    For randomly projected points, it is the dimension after the projection. For distances without
    noise, it is what `projections_read` returns.
    """
    if kind == "key":
        return DisclosureClass.NOTHING
    if kind in {"coverage", "findings", "recipe", "resampled", "scalars"}:
        return DisclosureClass.SCALARS
    if kind == "distances":
        return DisclosureClass.PROJECTION if rank else DisclosureClass.SCALARS
    if kind in {"scores", *_RANKED}:
        return DisclosureClass.SCORES
    # Exact scores of the viewer's own points reveal as much as the owner's points. The score of a
    # viewer's point x, minus ‖x‖², is a piecewise linear function of x, whose slopes give the
    # points of the other side: the buyer's or the sellers'. From the buyer's points, a seller can
    # compute the buyer's potentials, which give the other sellers' points.
    if rank is not None and rank < dimension:
        return DisclosureClass.PROJECTION
    if sealed:
        return DisclosureClass.UP_TO_ISOMETRY
    return DisclosureClass.EXACT if sweep else DisclosureClass.APPROXIMATE


def combine(rows: Iterable[Disclosure]) -> list[CombinedDisclosure]:
    """Combine the rows of ledgers into what each organisation can compute of each dataset.

    Names that differ only in case, width or blanks mean one organisation. If a viewer has the key
    of a sealed reference, data under this reference count as not sealed.

    Parameters
    ----------
    rows : iterable of Disclosure
        In any order, of any datasets.

    Returns
    -------
    list of CombinedDisclosure
        One for each pair of a dataset and a viewer (an organisation or the service), the most
        revealing first.

    Notes
    -----
    Each s of an evaluation counts as one question for each coalition that includes the owner of the
    data. It counts once more for each seller who reads which of the seller's own points are the
    noisiest. The same question on the same contributions counts once.
    """
    coalitions: defaultdict[tuple[str, str | None], list[Disclosure]] = defaultdict(list)
    for row in rows:
        viewer = row.viewer_organisation
        coalitions[row.dataset, None if viewer is None else organisation_key(viewer)].append(row)
    found = [_combined(coalition) for coalition in coalitions.values()]
    classes = list(DisclosureClass)
    return sorted(found, key=lambda each: (-classes.index(each.disclosure_class), each.dataset))


def _combined(rows: list[Disclosure]) -> CombinedDisclosure:
    keys = {row.reference_id for row in rows if row.kind == "key"}
    locked = [row.sealed and row.reference_id not in keys for row in rows]
    reached = [
        class_of(row.kind, sealed=hidden, sweep=row.sweep, rank=row.rank, dimension=row.dimension)
        for row, hidden in zip(rows, locked, strict=True)
    ]
    counted = [row for row in rows if row.kind in _COUNTED]
    exact = [row for row in counted if row.epsilon is None]
    dimension = max(row.dimension for row in rows)
    rank = min(_located_rank(rows), dimension)
    if rank == dimension:
        hidden = all(
            hidden
            for row, hidden in zip(rows, locked, strict=True)
            if row.kind in {"cost-block", "measure", "scores"}
        )
        reached.append(DisclosureClass.UP_TO_ISOMETRY if hidden else DisclosureClass.EXACT)
    read = min(rank + _projections_of(exact), dimension)
    if read > 0:
        reached.append(DisclosureClass.PROJECTION)
    # For n points of d coordinates, n·(d + 1) + 1 distances locate all points.
    if exact and _questions(exact) > max(row.points * (row.dimension + 1) for row in exact):
        reached.append(DisclosureClass.EXACT)
    if _ranks_locate(rows, dimension):
        reached.append(DisclosureClass.APPROXIMATE)
    worst = max(reached, key=list(DisclosureClass).index)
    return CombinedDisclosure(
        dataset=rows[0].dataset,
        viewer_organisation=rows[0].viewer_organisation,
        disclosure_class=worst,
        rank=read if worst is DisclosureClass.PROJECTION else None,
        questions=_questions(counted),
        epsilon=None
        if exact
        else sum((row.epsilon for row in counted if row.epsilon is not None), 0.0),
        disclosures=len(rows),
        first_at=min(row.created_at for row in rows),
        last_at=max(row.created_at for row in rows),
    )


def _questions(rows: Iterable[Disclosure]) -> int:
    """Count distinct questions: one for each s, coalition and set of contributions."""
    asked: dict[tuple[str | None, str | None, bool, float], int] = {}
    for row in rows:
        # A list of a seller's own noisiest points or labels counts once for each seller who reads
        # one. Distances between random parts count apart from those between whole contributions.
        own = {"seller-noisiest", "seller-label-worst"}
        seller = row.viewer_id if row.kind in own else None
        for s in row.sweep:
            question = (row.digest, seller, row.kind == "resampled", s)
            asked[question] = max(asked.get(question, 0), row.coalitions or 1)
    return sum(asked.values())


def _projections_of(exact: Sequence[Disclosure]) -> int:
    """Return the number of directions along which distances disclose all records' coordinates.

    `exact` has the rows whose results had no noise.
    """
    distances = [row for row in exact if row.kind == "distances"]
    if not distances:
        return 0
    points = max(row.points for row in distances)
    dimension = max(row.dimension for row in distances)
    together = projections_read(_questions(distances), points, dimension)
    return max(together, *(row.rank or 0 for row in distances))


def _ranks_locate(rows: Sequence[Disclosure], dimension: int) -> bool:
    """Tell whether ranks of scores, or lists of noisiest points, locate records approximately.

    `dimension` is the number of the records' coordinates.
    """
    questions = {kind: _questions(row for row in rows if row.kind == kind) for kind in _RANKED}
    own = questions["seller-noisiest"] + questions["seller-label-worst"]
    few = max(questions["noisiest"], own)
    ranked = questions["ranks"] + sum(questions[kind] for kind in _LABEL_SCORES)
    # The ranks of d + 1 well-chosen questions locate all points approximately, and so do the
    # noisiest points of 3d questions.
    return ranked > dimension or few >= _FEW_QUESTIONS * dimension


def _located_rank(rows: Iterable[Disclosure]) -> int:
    """Return how many coordinates of each record the rows disclose together.

    The number may exceed the dimension.
    """
    rows = list(rows)
    scored = _questions(row for row in rows if row.kind == "scores" and row.epsilon is None)
    ranked = {
        row.request_id: (row.kind, row.rank)
        for row in rows
        if row.rank is not None and row.kind != "distances"
    }
    # m anchor points locate m − 1 coordinates. If the buyer's points in a cost block span r
    # dimensions, they are r + 1 anchors. A question answered with exact scores is one anchor.
    blocks = [rank + 1 for kind, rank in ranked.values() if kind == "cost-block"]
    projections = [rank for kind, rank in ranked.values() if kind != "cost-block"]
    return max(0, scored + sum(blocks) - 1) + sum(projections)
