"""Count the bytes of arrays that accounts and organisations have stored."""

from sqlalchemy import case, func, select, union_all
from sqlalchemy.orm import Session

from ..accounts.models import Account
from ..accounts.storage_quota import StoredBytes
from ..contributions.models import Contribution, ContributionArray
from ..requests.models import BuyerMeasure, Request


def count_stored_bytes(session: Session, account_id: str, organisation_key: str) -> StoredBytes:
    """Return the bytes that an account and its organisation store, without deleted arrays."""
    organisation = select(Account.id).where(Account.organisation_key == organisation_key)
    stored = union_all(
        select(BuyerMeasure.bytes, Request.account_id)
        .join(Request, Request.id == BuyerMeasure.request_id)
        .where(BuyerMeasure.deleted_at.is_(None), Request.account_id.in_(organisation)),
        select(ContributionArray.bytes, Contribution.account_id)
        .join(Contribution, Contribution.id == ContributionArray.contribution_id)
        .where(ContributionArray.deleted_at.is_(None), Contribution.account_id.in_(organisation)),
    ).subquery()
    of_account, of_organisation = session.execute(
        select(
            func.sum(case((stored.c.account_id == account_id, stored.c.bytes))),
            func.sum(stored.c.bytes),
        )
    ).one()
    return StoredBytes(int(of_account or 0), int(of_organisation or 0))
