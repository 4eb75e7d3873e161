"""The rules of the ledger: what is disclosed is written down in the transaction that discloses it.

What somebody may read from now on counts as disclosed: nobody can tell whether they have read it.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal

from sqlalchemy.orm import Session

from app.accounts.authentication import Principal
from app.database import now
from app.kit.ids import new_id
from app.kit.pages import PageQuery, page
from app.ledger import repository
from app.ledger.models import Disclosure
from app.ledger.presentation import disclosure_to_wire
from wassay import disclosures
from wassay import models as wire
from wassay.disclosure_class import DisclosureClass
from wassay.disclosures import GENESIS

Role = Literal["owner", "viewer"]


@dataclass(frozen=True, kw_only=True)
class Sight:
    """What somebody comes to see; the fields are those of `wassay.models.Disclosure`."""

    owner_id: str
    dataset: str
    viewer_id: str | None
    request_id: str
    kind: wire.DisclosureKind
    reference_id: str
    sealed: bool
    points: int
    dimension: int
    sweep: list[float] = field(default_factory=list)
    rank: int | None = None
    groups: int | None = None
    epsilon: float | None = None
    digest: str | None = None

    @property
    def disclosure_class(self) -> DisclosureClass:
        """What it tells by itself."""
        return disclosures.class_of(
            self.kind,
            sealed=self.sealed,
            sweep=self.sweep,
            rank=self.rank,
            dimension=self.dimension,
        )


def hold(session: Session, owner_ids: Collection[str]) -> None:
    """Keep everybody else from adding to some accounts' ledgers until the transaction ends."""
    repository.lock(session, owner_ids)


def record(session: Session, sights: Collection[Sight]) -> None:
    """Write down what is disclosed; what a ledger says already is not said again.

    Holds the owners' ledgers until the transaction ends, so it comes last of what locks.
    """
    by_owner: defaultdict[str, list[Sight]] = defaultdict(list)
    for sight in sights:
        by_owner[sight.owner_id].append(sight)
    hold(session, by_owner)
    viewers = {sight.viewer_id for sight in sights if sight.viewer_id is not None}
    organisations = repository.organisations(session, viewers)
    for owner_id, seen in by_owner.items():
        known = repository.said_of(session, owner_id, {sight.request_id for sight in seen})
        said = {_what_it_says(row) for row in known}
        last = repository.last_of(session, owner_id)
        for sight in seen:
            row = Disclosure(
                **asdict(sight),
                disclosure_class=sight.disclosure_class.value,
                viewer_organisation=(
                    None if sight.viewer_id is None else organisations[sight.viewer_id]
                ),
            )
            if _what_it_says(row) not in said:
                said.add(_what_it_says(row))
                _append(session, row, last)
                last = row
    session.flush()


def head(session: Session, owner_id: str) -> str:
    """Return the hash of the newest row of an account's ledger; zeros when there is none."""
    last = repository.last_of(session, owner_id)
    return GENESIS if last is None else last.hash


def list_disclosures(
    session: Session,
    caller: Principal,
    query: PageQuery,
    *,
    role: Role,
    request_id: str | None = None,
) -> wire.Page[wire.Disclosure]:
    """Return a page of the caller's own ledger, or of what they were shown of others' data."""
    rows = (
        repository.owned_by(caller.account_id)
        if role == "owner"
        else repository.shown_to(caller.account_id)
    )
    if request_id is not None:
        rows = rows.where(Disclosure.request_id == request_id)
    return page(
        session, rows, Disclosure, query, lambda row: disclosure_to_wire(row, caller.account_id)
    )


def disclosures_of_request(
    session: Session, caller: Principal, request_id: str
) -> list[wire.Disclosure]:
    """Return what a request disclosed of the caller's data, and to the caller, oldest first."""
    rows = repository.of_request(session, caller.account_id, request_id)
    return [disclosure_to_wire(row, caller.account_id) for row in rows]


def combine(session: Session, caller: Principal) -> wire.CombinedDisclosures:
    """Return what every organisation can compute from all it has seen of the caller's data."""
    rows: Sequence[Disclosure] = repository.all_of(session, caller.account_id)
    shown = [disclosure_to_wire(row, caller.account_id) for row in rows]
    return wire.CombinedDisclosures(items=disclosures.combine(shown))


def _what_it_says(row: Disclosure) -> tuple[object, ...]:
    return (row.request_id, row.dataset, row.kind, row.viewer_id, row.digest, *row.sweep)


def _append(session: Session, row: Disclosure, last: Disclosure | None) -> None:
    row.id = new_id("dsc")
    row.created_at = now()
    row.position = 1 if last is None else last.position + 1
    row.previous_hash = GENESIS if last is None else last.hash
    row.hash = ""
    content = disclosure_to_wire(row, row.owner_id).model_dump(mode="json")
    row.hash = disclosures.row_hash(content)
    session.add(row)
