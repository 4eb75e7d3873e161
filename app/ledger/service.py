"""Append entries to the ledger, and read it.

The transaction that lets a viewer read data also appends the entry, even if the viewer never reads.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Literal

from sqlalchemy.orm import Session

from wassay import disclosures
from wassay import models as wire
from wassay.disclosure_class import DisclosureClass
from wassay.ledger import GENESIS, row_hash

from ..accounts.principal import Principal
from ..database import database_time
from ..http.ids import new_id
from ..http.pagination import PageQuery, page
from . import repository
from .models import Disclosure
from .presentation import disclosure_to_wire

Role = Literal["owner", "viewer"]

EMPTY_HEAD = (0, GENESIS)
"""The position and the hash that stand for the newest row of an empty ledger."""


@dataclass(frozen=True, kw_only=True)
class LedgerEntry:
    """A disclosure to append, with the fields of `wassay.models.Disclosure`."""

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
    coalitions: int | None = None
    epsilon: float | None = None
    digest: str | None = None

    @property
    def identity(self) -> tuple[object, ...]:
        """The fields that identify a disclosure. Entries with equal identities are duplicates."""
        who = self.owner_id, self.request_id, self.dataset
        return (*who, self.kind, self.viewer_id, self.digest, *self.sweep)

    @property
    def disclosure_class(self) -> DisclosureClass:
        """How much a viewer can infer about the data from this disclosure alone."""
        return disclosures.class_of(
            self.kind,
            sealed=self.sealed,
            sweep=self.sweep,
            rank=self.rank,
            dimension=self.dimension,
        )


def lock_ledgers(session: Session, owner_ids: Collection[str]) -> None:
    """Lock ledgers until this transaction ends, so that no other appends to them."""
    repository.lock(session, owner_ids)


def append_entries(session: Session, entries: Collection[LedgerEntry]) -> None:
    """Append entries to their owners' ledgers, except duplicates of existing rows.

    The ledgers stay locked until the transaction ends, so take all other locks first.
    """
    owners = {entry.owner_id for entry in entries}
    lock_ledgers(session, owners)
    recorded = repository.identities(session, owners, {entry.request_id for entry in entries})
    new_entries = []
    for entry in entries:
        if entry.identity not in recorded:
            recorded.add(entry.identity)
            new_entries.append(entry)
    if not new_entries:
        return
    viewers = {entry.viewer_id for entry in new_entries if entry.viewer_id is not None}
    organisations = repository.organisations(session, viewers)
    heads = repository.heads(session, owners)
    moment = database_time(session)
    for entry in new_entries:
        row = _row_after(moment, *heads.get(entry.owner_id, EMPTY_HEAD), entry, organisations)
        heads[entry.owner_id] = row.position, row.hash
        session.add(row)


def head_hashes(session: Session, owner_ids: Collection[str]) -> dict[str, str]:
    """Return the hash of the newest row of each owner's ledger; zeros if the ledger is empty."""
    heads = repository.heads(session, owner_ids)
    return {owner_id: heads.get(owner_id, EMPTY_HEAD)[1] for owner_id in owner_ids}


def list_disclosures(
    session: Session,
    caller: Principal,
    query: PageQuery,
    *,
    role: Role,
    request_id: str | None = None,
) -> wire.Page[wire.Disclosure]:
    """Return a page of disclosures that name the caller as the owner or the viewer of the data.

    If `request_id` is given, return only disclosures under this request.
    """
    rows = (
        repository.owned_by(caller.account_id)
        if role == "owner"
        else repository.disclosed_to(caller.account_id)
    )
    if request_id is not None:
        rows = rows.where(Disclosure.request_id == request_id)
    return page(
        session, rows, Disclosure, query, lambda row: disclosure_to_wire(row, caller.account_id)
    )


def disclosures_of_request(
    session: Session, caller: Principal, request_id: str
) -> list[wire.Disclosure]:
    """Return a request's disclosures that name the caller as owner or viewer, oldest first."""
    rows = repository.of_request(session, caller.account_id, request_id)
    return [disclosure_to_wire(row, caller.account_id) for row in rows]


def combine(session: Session, caller: Principal) -> wire.CombinedDisclosures:
    """Return what each viewer can infer of the caller's data from all disclosures to it.

    A viewer is an organisation or the service.
    """
    rows: Sequence[Disclosure] = repository.all_of(session, caller.account_id)
    ledger = [disclosure_to_wire(row, caller.account_id) for row in rows]
    return wire.CombinedDisclosures(items=disclosures.combine(ledger))


def _row_after(
    moment: datetime,
    position: int,
    previous_hash: str,
    entry: LedgerEntry,
    organisations: Mapping[str, str],
) -> Disclosure:
    row = Disclosure(
        **asdict(entry),
        id=new_id("dsc"),
        created_at=moment,
        position=position + 1,
        previous_hash=previous_hash,
        hash="",
        disclosure_class=entry.disclosure_class.value,
        viewer_organisation=None if entry.viewer_id is None else organisations[entry.viewer_id],
    )
    row.hash = row_hash(disclosure_to_wire(row, row.owner_id).model_dump(mode="json"))
    return row
