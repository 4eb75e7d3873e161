"""The buyer's measure of a request: uploaded while it is a draft, read by whom it is meant for."""

from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.authentication import Principal
from ..arrays.problems import WrongShape
from ..arrays.store import ArrayStore
from ..arrays.uploaded_array import UploadedArray
from ..kit.problems import NotFound
from . import repository
from .access import own_request, visible_request
from .disclosures import record_measure_upload
from .fingerprint import Fingerprint
from .models import BuyerMeasure
from .presentation import array_to_wire
from .service import require_draft


def admit_measure(session: Session, caller: Principal, request_id: str) -> None:
    """Let a measure come before its bytes do.

    Raises
    ------
    NotFound
        If the caller has no such request.
    RequestNotDraft
        If it is not a draft.
    """
    require_draft(own_request(session, caller, request_id))


def store_measure(
    session: Session,
    store: ArrayStore,
    caller: Principal,
    request_id: str,
    array: UploadedArray,
    seen: Fingerprint,
) -> tuple[wire.StoredArray, bool]:
    """Keep a measure that came, in place of the one before.

    Returns
    -------
    stored, is_first
        What is kept, and whether there was none before.

    Raises
    ------
    NotFound, RequestNotDraft
        As `admit_measure`: things may have changed while the bytes came.
    WrongShape
        If its points have not the dimension of the request's reference, and a class where they
        are labelled.
    """
    request = own_request(session, caller, request_id, lock=True)
    require_draft(request)
    dimension = request.reference.dimension
    if array.columns != dimension + request.labelled:
        label = ", and the number of each one's class" if request.labelled else ""
        raise WrongShape(
            f"Expected points in {dimension} dimensions{label}, as those of reference "
            f"{request.reference_id}; {array.columns} columns came.",
            expected=dimension + request.labelled,
            received=array.columns,
        )
    is_first = request.measure is None
    measure = request.measure = request.measure or BuyerMeasure(request_id=request.id)
    if measure.assign(array):
        measure.effective_support, measure.uniform, measure.radii = (
            seen.effective_support,
            seen.uniform,
            seen.radii,
        )
        session.flush()
        record_measure_upload(session, request, measure)
    store.put(array.file, array.digest)  # also where it is held already: the file may be lost
    return array_to_wire(measure), is_first


def readable_measure(session: Session, caller: Principal, request_id: str) -> BuyerMeasure:
    """Return the measure of a request to its buyer, or to a seller who answers by cost block.

    Raises
    ------
    NotFound
        If there is none, or it is not for the caller.
    """
    request = visible_request(session, caller, request_id)
    read = repository.measures_read_by(session, caller.account_id, [request_id])
    if request.measure is None or not read:
        raise NotFound(
            f"Request {request_id} has no measure for you: its buyer reads it, and a seller while "
            "answering by cost-block or scalar.",
            received=request_id,
        )
    return request.measure
