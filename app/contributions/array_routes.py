"""HTTP of the arrays of a contribution."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from wassay import models as wire

from ..accounts.authentication import Principal, Seller
from ..arrays.contents import COSTS, POINTS
from ..arrays.dependencies import CostsUpload, PointsUpload, StoreDependency
from ..arrays.documentation import ANY_SIZE, UPLOAD_PROBLEMS, array_body
from ..arrays.received import ReceivedArray
from ..arrays.store import ArrayStore
from ..arrays.upload import ArrayUpload, kept_response
from ..database import Database
from ..kit.dependencies import DatabaseDependency
from ..kit.documentation import problems
from ..kit.ids import PathId
from ..kit.problems import NotFound
from ..requests.problems import RequestNotOpen
from . import swept_arrays
from .problems import ContributionNotDraft, UnknownSweepValue, WrongMode

router = APIRouter(prefix="/v1/contributions/{contribution_id}", tags=["contributions"])

S = Annotated[
    str,
    Path(max_length=64, pattern=r"^[!-~]+$", description="An s of the sweep.", examples=["0.25"]),
]
RESPONSES = {
    200: {"model": wire.SweptArray, "description": "Replaced, or held already."},
    202: {"model": wire.PartialArray, "description": "A part came; the rest is to come."},
    **problems(
        NotFound,
        UnknownSweepValue,
        ContributionNotDraft,
        RequestNotOpen,
        WrongMode,
        *UPLOAD_PROBLEMS,
    ),
}


@router.put(
    "/measures/{s}",
    status_code=201,
    response_model=wire.SweptArray,
    responses=RESPONSES,
    openapi_extra=array_body(POINTS),
    max_body_size=ANY_SIZE,
)
async def upload_measure(
    contribution_id: PathId,
    s: S,
    caller: Seller,
    database: DatabaseDependency,
    store: StoreDependency,
    upload: PointsUpload,
) -> Response:
    """Upload η_ν(s), the seller's measure at one s of the sweep."""
    return await _receive(database, store, upload, caller, contribution_id, "measure", s)


@router.put(
    "/cost-blocks/{s}",
    status_code=201,
    response_model=wire.SweptArray,
    responses=RESPONSES,
    openapi_extra=array_body(COSTS),
    max_body_size=ANY_SIZE,
)
async def upload_cost_block(
    contribution_id: PathId,
    s: S,
    caller: Seller,
    database: DatabaseDependency,
    store: StoreDependency,
    upload: CostsUpload,
) -> Response:
    """Upload C(s): the costs from the seller's points to the buyer's, at one s of the sweep."""
    return await _receive(database, store, upload, caller, contribution_id, "cost-block", s)


async def _receive(
    database: Database,
    store: ArrayStore,
    upload: ArrayUpload,
    caller: Principal,
    contribution_id: str,
    mode: wire.Mode,
    s: str,
) -> Response:
    def admit() -> None:
        with database.snapshot() as session:
            swept_arrays.admit_array(session, caller, contribution_id, mode, s)

    def keep(array: ReceivedArray) -> Response:
        with database.transaction() as session:
            return kept_response(
                *swept_arrays.keep_array(session, store, caller, contribution_id, mode, s, array)
            )

    return await upload.receive(caller.account_id, admit=admit, keep=keep)
