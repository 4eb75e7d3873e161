"""Store the arrays of a contribution, one for each s of the sweep."""

from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.principal import Principal
from ..accounts.storage_quota import StorageQuota
from ..arrays.deletion import lock_digest, schedule_deletion
from ..arrays.problems import WrongShape
from ..arrays.store import ArrayStore
from ..arrays.uploaded_array import UploadedArray
from ..http.numbers import parse_number
from .access import own_contribution
from .disclosures import record_array_upload
from .models import Contribution, ContributionArray
from .modes.array_mode import ArrayMode
from .presentation import swept_array_to_wire
from .problems import UnknownSweepValue
from .service import require_uploadable


def admit_array(
    session: Session,
    caller: Principal,
    contribution_id: str,
    mode: ArrayMode,
    s: str,
    quota: StorageQuota,
    announced_bytes: int,
) -> None:
    """Raise if the array at an s may not be uploaded; called before the body is read.

    `announced_bytes` is the size of the body that the caller announces, or 0.

    Raises
    ------
    NotFound
        If the caller has no such contribution.
    ContributionNotDraft, RequestNotOpen
        If the contribution is not a draft, or its request is not open.
    WrongMode
        If the contribution is in another mode.
    UnknownSweepValue
        If the sweep does not contain s.
    StorageQuotaExceeded
        If the body exceeds what the caller may still store.
    """
    contribution = own_contribution(session, caller, contribution_id)
    require_uploadable(contribution, mode)
    value = _sweep_value(contribution, s)
    replaced = sum(row.stored_bytes for row in contribution.arrays if row.s == value)
    quota.require_room(session, announced_bytes - replaced)


def store_array(
    session: Session,
    store: ArrayStore,
    caller: Principal,
    contribution_id: str,
    mode: ArrayMode,
    s: str,
    array: UploadedArray,
    quota: StorageQuota,
) -> tuple[wire.SweptArray, bool]:
    """Store the array at an s, in place of an earlier one.

    Returns
    -------
    stored, is_first
        The stored array, and whether it is the first at this s.

    Raises
    ------
    NotFound, ContributionNotDraft, RequestNotOpen, WrongMode, UnknownSweepValue,
    StorageQuotaExceeded
        If the contribution no longer accepts the array, or the array exceeds what the caller may
        still store.
    WrongShape
        If the array has the wrong number of columns for its mode, or not as many rows as the
        contribution's other arrays.
    """
    quota.lock(session)
    # Check again, because the contribution may have changed during the upload.
    contribution = own_contribution(session, caller, contribution_id, lock=True)
    require_uploadable(contribution, mode)
    value = _sweep_value(contribution, s)
    mode.check_shape(contribution.request, array)
    others = [row for row in contribution.arrays if row.s != value]
    _check_rows(others, array)
    row = next((row for row in contribution.arrays if row.s == value), None)
    is_first = row is None
    if row is not None and row.digest != array.digest:
        schedule_deletion(session, row.digest)
    if row is None:
        row = ContributionArray(s=value)
        contribution.arrays.append(row)
    if row.assign(array):
        row.weights_digest = array.weights.digest
        row.effective_rows = array.weights.effective_rows
        session.flush()
        quota.require_room(session)
        record_array_upload(session, contribution, mode, row)
    lock_digest(session, array.digest)
    # Store the file even if the digest is unchanged, because the stored file may have been lost.
    store.put(array.file, array.digest)
    return swept_array_to_wire(row), is_first


def _sweep_value(contribution: Contribution, s: str) -> float:
    sweep = contribution.request.sweep
    try:
        value = parse_number(s)
    except ValueError:
        value = None
    if value not in sweep:
        raise UnknownSweepValue(
            f"Expected an s in the sweep of request {contribution.request_id}, "
            f"{', '.join(map(str, sweep))}; received {s}.",
            expected=sweep,
            received=s,
        )
    return value


def _check_rows(others: list[ContributionArray], array: UploadedArray) -> None:
    if others and array.rows != others[0].rows:
        raise WrongShape(
            f"Expected {others[0].rows} rows, as in the array at s = {others[0].s}, because the "
            f"points are the same at every s; received {array.rows}. To contribute other points, "
            "withdraw this contribution and create another.",
            expected=others[0].rows,
            received=array.rows,
        )
