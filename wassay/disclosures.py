"""What disclosures add up to, and whether a ledger is whole: pure functions of its rows.

A ledger is a chain: every row is hashed together with the hash of the row before, so that nothing
in it can be changed, left out or put in between without changing every hash after it. Whoever has
kept one hash can tell later whether all that came before it is still the same.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import rfc8785
from pydantic import ValidationError

from wassay.disclosure_class import DisclosureClass
from wassay.models import CombinedDisclosure, Disclosure, DisclosureKind
from wassay.organisations import organisation_key
from wassay.strict_json import parse_json

GENESIS = "0" * 64
"""The previous hash of a ledger's first row."""

_FEW_QUESTIONS = 3
"""Times the noisiest points are named, for each coordinate of a record, that place it nearly: it
takes some five bits, and each tells of a record one, or 1.7 to who has very many points."""

_ORDERS = {"noisiest", "ranks", "seller-noisiest"}
_ANSWERS = {"distances", "scalars", "scores", "buyer-scores", *_ORDERS}


class BrokenLedger(ValueError):  # noqa: N818 - named for what it says
    """Rows that are not one whole, unchanged ledger."""


def row_hash(content: Mapping[str, Any]) -> str:
    """Hash one row: the SHA-256 of its canonical JSON, the previous hash included.

    Parameters
    ----------
    content
        The row as its JSON shows it to the ledger's owner; a hash in it is left out.
    """
    hashed = {name: value for name, value in content.items() if name != "hash"}
    return hashlib.sha256(rfc8785.dumps(hashed)).hexdigest()


def read_rows(content: bytes) -> list[Disclosure]:
    """Read rows that were kept as JSON, one a line.

    Raises
    ------
    BrokenLedger
        When a line is something else.
    """
    rows = []
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            rows.append(Disclosure.model_validate_json(rfc8785.dumps(parse_json(line))))
        except ValidationError:
            raise BrokenLedger(f"line {number} is not a row of a ledger as JSON") from None
        except (ValueError, RecursionError) as error:
            raise BrokenLedger(f"line {number} is not a row of a ledger: {error}") from error
    return rows


def verify(rows: Iterable[Disclosure], *, head: str | None = None) -> list[Disclosure]:
    """Check that rows are an account's whole ledger, unchanged; needs no service.

    Parameters
    ----------
    rows : iterable of Disclosure
        In any order.
    head : str, optional
        A hash that was kept earlier, of a receipt for instance: the ledger must still contain it.

    Returns
    -------
    list of Disclosure
        The rows in order, the oldest first.

    Raises
    ------
    BrokenLedger
        When a row was changed, left out, put in or put elsewhere, or the head is not there.
    """
    ordered = sorted(rows, key=lambda row: row.position or 0)
    if len({row.owner_id for row in ordered}) > 1:
        raise BrokenLedger("expected the ledger of one account, got rows of several")
    previous = GENESIS
    for position, row in enumerate(ordered, start=1):
        if row.position != position:
            raise BrokenLedger(
                f"expected row {position} of the ledger, got {row.position}: rows were left out or "
                "doubled"
            )
        if row.previous_hash != previous:
            raise BrokenLedger(
                f"row {position} says that the hash before it is {row.previous_hash}, but it is "
                f"{previous}: a row was left out, put in or changed"
            )
        if row.hash != row_hash(row.model_dump(mode="json")):
            raise BrokenLedger(f"row {position} does not have the hash {row.hash}: it was changed")
        previous = row.hash
    if head is not None and head not in {GENESIS, *(row.hash for row in ordered)}:
        raise BrokenLedger(
            f"the ledger no longer contains {head}: it is another one than the one you knew, or "
            "rows at its end are missing"
        )
    return ordered


def class_of(
    kind: DisclosureKind, *, sealed: bool, sweep: Sequence[float], rank: int | None, dimension: int
) -> DisclosureClass:
    """What one message tells of the points, by itself.

    Scores of the viewer's own points count as the owner's points: they are piecewise linear in the
    place of a point once its square is taken away, and the slopes are the points of the other side;
    with these, the potentials, and the points of all others on one's own side.

    Parameters
    ----------
    kind : DisclosureKind
    sealed : bool
        Whether it was moved by an isometry that its viewer does not know.
    sweep : sequence of float
        Empty when the push is not known.
    rank : int, optional
        Of a cost block: the dimension that the buyer's points span.
    dimension : int
    """
    if kind == "key":
        return DisclosureClass.NOTHING
    if kind in {"distances", "scalars"}:
        return DisclosureClass.SCALARS
    if kind in {"scores", *_ORDERS}:
        return DisclosureClass.SCORES
    if rank is not None and rank < dimension:
        return DisclosureClass.PROJECTION
    if sealed:
        return DisclosureClass.UP_TO_ISOMETRY
    return DisclosureClass.EXACT if sweep else DisclosureClass.APPROXIMATE


def combine(rows: Iterable[Disclosure]) -> list[CombinedDisclosure]:
    """What every organisation can compute from all that its accounts have seen of each dataset.

    Rows of one organisation count together, also where its name differs in case, width or blanks.
    The key of a sealed reference upgrades every row that it unlocks. Scores of d + 1 questions, or
    n·(d + 1) + 1 distances, locate all points, when the questions were chosen for that. Ranks of
    d + 1 questions nearly do; which points are the noisiest tells at most 1.7 bits of each record,
    so that 3d questions could bring every coordinate to a few per cent. Every s of every evaluation
    counts as a question, for every coalition of sellers that the data are in, and for each account
    that is told of its own points, unless it is asked again of the same contributions; answers with
    noise do not count.

    Parameters
    ----------
    rows : iterable of Disclosure
        In any order, of any datasets.

    Returns
    -------
    list of CombinedDisclosure
        The worst first.
    """
    coalitions: defaultdict[tuple[str, str | None], list[Disclosure]] = defaultdict(list)
    for row in rows:
        viewer = row.viewer_organisation
        coalitions[row.dataset, None if viewer is None else organisation_key(viewer)].append(row)
    found = [_combined(coalition) for coalition in coalitions.values()]
    order = list(DisclosureClass)
    return sorted(found, key=lambda each: (-order.index(each.disclosure_class), each.dataset))


def _combined(rows: list[Disclosure]) -> CombinedDisclosure:
    keys = {row.reference_id for row in rows if row.kind == "key"}
    locked = [row.sealed and row.reference_id not in keys for row in rows]
    reached = [
        class_of(row.kind, sealed=hidden, sweep=row.sweep, rank=row.rank, dimension=row.dimension)
        for row, hidden in zip(rows, locked, strict=True)
    ]
    answers = [row for row in rows if row.kind in _ANSWERS]
    exact_answers = [row for row in answers if row.epsilon is None]
    dimension = max(row.dimension for row in rows)
    rank = min(_located_rank(rows), dimension)
    if rank == dimension:
        hidden = all(
            hidden
            for row, hidden in zip(rows, locked, strict=True)
            if row.kind in {"cost-block", "scores"}
        )
        reached.append(DisclosureClass.UP_TO_ISOMETRY if hidden else DisclosureClass.EXACT)
    elif rank > 0:
        reached.append(DisclosureClass.PROJECTION)
    if exact_answers and _questions(exact_answers) > max(
        row.points * (row.dimension + 1) for row in exact_answers
    ):
        reached.append(DisclosureClass.EXACT)
    if _orders_locate(rows, dimension):
        reached.append(DisclosureClass.APPROXIMATE)
    worst = max(reached, key=list(DisclosureClass).index)
    return CombinedDisclosure(
        dataset=rows[0].dataset,
        viewer_organisation=rows[0].viewer_organisation,
        disclosure_class=worst,
        rank=rank if worst is DisclosureClass.PROJECTION else None,
        questions=_questions(answers),
        epsilon=None
        if exact_answers
        else sum((row.epsilon for row in answers if row.epsilon is not None), 0.0),
        disclosures=len(rows),
        first_at=min(row.created_at for row in rows),
        last_at=max(row.created_at for row in rows),
    )


def _questions(rows: Iterable[Disclosure]) -> int:
    """Count what was asked at each s, of each coalition: the same again has the same answer.

    Which of a seller's points are the noisiest is another answer for each seller.
    """
    asked: dict[tuple[str | None, str | None, float], int] = {}
    for row in rows:
        seller = row.viewer_id if row.kind == "seller-noisiest" else None
        for s in row.sweep:
            question = (row.digest, seller, s)
            asked[question] = max(asked.get(question, 0), row.coalitions or 1)
    return sum(asked.values())


def _orders_locate(rows: Sequence[Disclosure], dimension: int) -> bool:
    """Whether orders of points were told often enough to place every record nearly."""
    told = {kind: _questions(row for row in rows if row.kind == kind) for kind in _ORDERS}
    few = max(told["noisiest"], told["seller-noisiest"])
    return told["ranks"] > dimension or few >= _FEW_QUESTIONS * dimension


def _located_rank(rows: Iterable[Disclosure]) -> int:
    """How many coordinates distances to known places give: one fewer than there are places.

    A cost block has the buyer's points as places; scores at one s, a buyer measure.
    """
    scored = _questions(row for row in rows if row.kind == "scores" and row.epsilon is None)
    blocks = {row.request_id: row.rank + 1 for row in rows if row.rank is not None}
    return max(0, scored + sum(blocks.values()) - 1)
