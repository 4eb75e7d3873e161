"""Store the buyer's measure in a draft, and find the measure that a caller may read."""

from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.principal import Principal
from ..accounts.storage_quota import StorageQuota
from ..arrays.deletion import lock_digest, schedule_deletion
from ..arrays.problems import WrongShape
from ..arrays.store import ArrayStore
from ..arrays.uploaded_array import UploadedArray
from ..http.problems import NotFound
from . import repository
from .access import own_request, visible_request
from .disclosures import record_measure_upload
from .fingerprint import Fingerprint
from .models import BuyerMeasure
from .presentation import array_to_wire
from .states import require_draft


def admit_measure(
    session: Session, caller: Principal, request_id: str, quota: StorageQuota, announced_bytes: int
) -> None:
    """Raise if a measure may not be uploaded; called before the body is read.

    `announced_bytes` is the size of the body that the caller announces; 0 if none is announced.

    Raises
    ------
    NotFound
        If the caller has no such request.
    RequestNotDraft
        If the request is not a draft.
    StorageQuotaExceeded
        If the measure would exceed what the caller may store.
    """
    request = own_request(session, caller, request_id)
    require_draft(request)
    replaced = 0 if request.measure is None else request.measure.stored_bytes
    quota.require_room(session, announced_bytes - replaced)


def store_measure(
    session: Session,
    store: ArrayStore,
    caller: Principal,
    request_id: str,
    array: UploadedArray,
    fingerprint: Fingerprint,
    quota: StorageQuota,
) -> tuple[wire.StoredArray, bool]:
    """Store an uploaded measure and its fingerprint, in place of an earlier measure.

    Returns
    -------
    stored, is_first
        The stored array, and whether it is the draft's first measure.

    Raises
    ------
    NotFound, RequestNotDraft, StorageQuotaExceeded
        If the caller has no such request, the request is not a draft, or the measure exceeds what
        the caller may still store.
    WrongShape
        If the array does not have one column for each dimension of the request's reference and, for
        labelled points, one for the class.
    """
    quota.lock(session)
    request = own_request(session, caller, request_id, lock=True)
    require_draft(request)
    dimension = request.reference.dimension
    if array.columns != dimension + request.labelled:
        label = " and a column of class numbers" if request.labelled else ""
        raise WrongShape(
            f"Expected points in {dimension} dimensions{label}, as in reference "
            f"{request.reference_id}; received {array.columns} columns.",
            expected=dimension + request.labelled,
            received=array.columns,
        )
    is_first = request.measure is None
    if request.measure is not None and request.measure.digest != array.digest:
        schedule_deletion(session, request.measure.digest)
    measure = request.measure = request.measure or BuyerMeasure(request_id=request.id)
    if measure.assign(array):
        measure.effective_support, measure.uniform, measure.radii = (
            fingerprint.effective_support,
            fingerprint.uniform,
            fingerprint.radii,
        )
        session.flush()
        quota.require_room(session)
        record_measure_upload(session, request, measure)
    lock_digest(session, array.digest)
    # Store the file even if the digest is unchanged, because the stored file may have been lost.
    store.put(array.file, array.digest)
    return array_to_wire(measure), is_first


def readable_measure(session: Session, caller: Principal, request_id: str) -> BuyerMeasure:
    """Return a request's measure, to its buyer or to a seller whose contribution's mode needs it.

    Raises
    ------
    NotFound
        If there is no measure that the caller may read, or it was deleted.
    """
    request = visible_request(session, caller, request_id)
    readable = repository.requests_with_readable_measure(
        session, caller.as_buyer, caller.as_seller, [request]
    )
    if request.measure is not None and readable and request.measure.deleted_at is not None:
        raise NotFound(
            f"The measure of request {request_id} was deleted at "
            f"{request.measure.deleted_at.isoformat()}, so it cannot be read any more.",
            received=request_id,
        )
    if request.measure is None or not readable:
        raise NotFound(
            f"Request {request_id} has no measure that you may read. Only its buyer may, and "
            "sellers with a contribution in mode cost-block or scalar.",
            received=request_id,
        )
    return request.measure
