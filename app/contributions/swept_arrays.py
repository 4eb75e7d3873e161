"""The arrays of a contribution: one measure η_ν(s), or one cost block C(s), for each s."""

from sqlalchemy.orm import Session

from wassay import models as wire

from ..accounts.authentication import Principal
from ..arrays.problems import WrongShape
from ..arrays.store import ArrayStore
from ..arrays.uploaded_array import UploadedArray
from ..kit.numbers import parse_number
from .access import own_contribution
from .disclosures import record_array_upload
from .models import Contribution, ContributionArray
from .modes.array_mode import ArrayMode
from .presentation import swept_array_to_wire
from .problems import UnknownSweepValue
from .service import require_uploadable


def admit_array(
    session: Session, caller: Principal, contribution_id: str, mode: ArrayMode, s: str
) -> None:
    """Let the array of one s come before its bytes do.

    Raises
    ------
    NotFound
        If the caller has no such contribution.
    ContributionNotDraft, RequestNotOpen
        If it, or its request, takes no changes.
    WrongMode
        If the contribution answers in another mode.
    UnknownSweepValue
        If the sweep has no such s.
    """
    contribution = own_contribution(session, caller, contribution_id)
    require_uploadable(contribution, mode)
    _sweep_value(contribution, s)


def store_array(
    session: Session,
    store: ArrayStore,
    caller: Principal,
    contribution_id: str,
    mode: ArrayMode,
    s: str,
    array: UploadedArray,
) -> tuple[wire.SweptArray, bool]:
    """Keep the array of one s, in place of the one before.

    Returns
    -------
    stored, is_first
        What is kept, and whether there was none before.

    Raises
    ------
    NotFound, ContributionNotDraft, RequestNotOpen, WrongMode, UnknownSweepValue
        As `admit_array`: things may have changed while the bytes came.
    WrongShape
        If its columns are not the reference's dimensions, or the buyer's points; or its rows not
        as many as for the other s.
    """
    contribution = own_contribution(session, caller, contribution_id, lock=True)
    require_uploadable(contribution, mode)
    value = _sweep_value(contribution, s)
    mode.check_shape(contribution.request, array)
    others = [held for held in contribution.arrays if held.s != value]
    _check_rows(others, array)
    held = next((held for held in contribution.arrays if held.s == value), None)
    is_first = held is None
    if held is None:
        held = ContributionArray(s=value)
        contribution.arrays.append(held)
    if held.assign(array):
        held.weights_digest = array.weights.digest
        held.effective_rows = array.weights.effective_rows
        session.flush()
        record_array_upload(session, contribution, mode, held)
    store.put(array.file, array.digest)  # even if unchanged: the stored file may be lost
    return swept_array_to_wire(held), is_first


def _sweep_value(contribution: Contribution, s: str) -> float:
    sweep = contribution.request.sweep
    try:
        value = parse_number(s)
    except ValueError:
        value = None
    if value not in sweep:
        raise UnknownSweepValue(
            f"The sweep of request {contribution.request_id} has no s = {s}; it has "
            f"{', '.join(map(str, sweep))}.",
            expected=sweep,
            received=s,
        )
    return value


def _check_rows(others: list[ContributionArray], array: UploadedArray) -> None:
    if others and array.rows != others[0].rows:
        raise WrongShape(
            f"Expected {others[0].rows} rows, as for s = {others[0].s}: the points are the same "
            f"at every s; received {array.rows}. To answer with other points, withdraw this "
            "contribution and begin another.",
            expected=others[0].rows,
            received=array.rows,
        )
