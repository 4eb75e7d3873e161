"""Routes of the buyer's measure."""

from collections.abc import Callable
from functools import partial

from anyio import to_thread
from fastapi import Response

from wassay import models as wire

from ..accounts.authentication import AuthenticatedRoute, Buyer, Caller
from ..accounts.dependencies import StorageQuotaDependency
from ..accounts.storage_quota import StorageQuotaExceeded
from ..arrays.dependencies import AcceptHeader, PointsUpload, StoreDependency
from ..arrays.documentation import (
    ANY_SIZE,
    UPLOAD_PROBLEMS,
    array_body,
    array_content,
)
from ..arrays.download import array_response
from ..arrays.entry_validation import POINTS
from ..arrays.problems import NotAcceptable
from ..arrays.upload import stored_response
from ..arrays.uploaded_array import UploadedArray
from ..http.dependencies import DatabaseDependency, HeavyWorkDependency, SettingsDependency
from ..http.documentation import problems
from ..http.entity_tags import IfNoneMatch
from ..http.parameters import PathId
from ..http.problems import NotFound
from ..http.resource_router import ResourceRouter
from . import measures
from .access import own_request
from .fingerprint import Fingerprint, fingerprint
from .problems import RequestNotDraft

router = ResourceRouter(
    prefix="/v1/requests/{request_id}/measure",
    tags=["requests"],
    route_class=AuthenticatedRoute,
)


@router.put(
    "",
    status_code=201,
    response_model=wire.StoredArray,
    responses={
        200: {
            "model": wire.StoredArray,
            "description": "The stored array was replaced, or the new array is equal to it.",
        },
        202: {
            "model": wire.PartialArray,
            "description": "The part was stored. Other parts are still missing.",
        },
        **problems(NotFound, RequestNotDraft, StorageQuotaExceeded, *UPLOAD_PROBLEMS),
    },
    openapi_extra=array_body(POINTS),
    max_body_size=ANY_SIZE,
)
async def upload_request_measure(
    request_id: PathId,
    caller: Buyer,
    database: DatabaseDependency,
    store: StoreDependency,
    upload: PointsUpload,
    quota: StorageQuotaDependency,
    heavy_work: HeavyWorkDependency,
) -> Response:
    """Upload the buyer's measure η_μ(t0) to a draft."""

    def admit() -> None:
        with database.snapshot() as session:
            measures.admit_measure(session, caller, request_id, quota, upload.announced_bytes)

    def is_labelled() -> bool:
        with database.snapshot() as session:
            return own_request(session, caller, request_id).labelled

    def store_array(array: UploadedArray, seen: Fingerprint) -> Response:
        with database.transaction() as session:
            return stored_response(
                *measures.store_measure(session, store, caller, request_id, array, seen, quota)
            )

    async def prepare(array: UploadedArray) -> Callable[[], Response]:
        labelled = await to_thread.run_sync(is_labelled)
        seen = await heavy_work.run(
            caller.account_id,
            array.bytes,
            partial(fingerprint, array.file, weighted=array.weighted, labelled=labelled),
        )
        return partial(store_array, array, seen)

    return await upload.receive(caller.account_id, admit=admit, prepare=prepare)


@router.get(
    "",
    response_class=Response,
    responses={
        200: {
            "content": array_content(POINTS),
            "description": "The measure, byte for byte as it was uploaded, or as JSON.",
        },
        304: {"description": "The caller already has the measure."},
        **problems(NotFound, NotAcceptable),
    },
)
def download_request_measure(
    request_id: PathId,
    caller: Caller,
    database: DatabaseDependency,
    settings: SettingsDependency,
    store: StoreDependency,
    accept: AcceptHeader = None,
    if_none_match: IfNoneMatch = None,
) -> Response:
    """Download the buyer's measure, as the buyer or as a seller whose contribution needs it."""
    with database.snapshot() as session:
        measure = measures.readable_measure(session, caller, request_id)
    return array_response(
        measure,
        POINTS,
        store,
        accept=accept,
        if_none_match=if_none_match,
        max_json_bytes=settings.max_json_bytes,
    )
