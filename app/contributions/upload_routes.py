"""Routes of uploads to a contribution, one for each mode."""

from collections.abc import Callable
from functools import partial
from typing import Annotated

from fastapi import Depends, Path, Response

from wassay import models as wire

from ..accounts.authentication import AuthenticatedRoute, Seller
from ..accounts.dependencies import StorageQuotaDependency
from ..accounts.storage_quota import StorageQuotaExceeded
from ..arrays.dependencies import StoreDependency, upload_of
from ..arrays.documentation import ANY_SIZE, UPLOAD_PROBLEMS, array_body
from ..arrays.upload import ArrayUpload, stored_response
from ..arrays.uploaded_array import UploadedArray
from ..http.dependencies import DatabaseDependency
from ..http.documentation import problems
from ..http.parameters import PathId
from ..http.problems import NotFound
from ..http.resource_router import ResourceRouter
from ..requests.problems import RequestNotOpen
from . import scalars, swept_arrays
from .modes.array_mode import ArrayMode
from .modes.registry import array_modes, stated_modes
from .modes.stated_mode import StatedMode
from .problems import ContributionNotDraft, OtherSweep, UnknownSweepValue, WrongMode

S = Annotated[
    str,
    Path(
        max_length=64,
        pattern=r"^[!-~]+$",
        description="A value of s in the sweep.",
        examples=["0.25"],
    ),
]
ARRAY_RESPONSES = {
    200: {
        "model": wire.SweptArray,
        "description": "The stored array was replaced, or the new array is equal to it.",
    },
    202: {
        "model": wire.PartialArray,
        "description": "The part was stored. Other parts are still missing.",
    },
    **problems(
        NotFound,
        UnknownSweepValue,
        ContributionNotDraft,
        RequestNotOpen,
        WrongMode,
        StorageQuotaExceeded,
        *UPLOAD_PROBLEMS,
    ),
}


DOCUMENT_RESPONSES = problems(NotFound, OtherSweep, ContributionNotDraft, RequestNotOpen, WrongMode)


def upload_router() -> ResourceRouter:
    """Build the upload routes of all registered modes."""
    router = ResourceRouter(
        route_class=AuthenticatedRoute,
        prefix="/v1/contributions/{contribution_id}",
        tags=["contributions"],
    )
    for array_mode in array_modes().values():
        _add_array_route(router, array_mode)
    for stated_mode in stated_modes().values():
        _add_document_route(router, stated_mode)
    return router


def _add_array_route(router: ResourceRouter, mode: ArrayMode) -> None:
    receive = upload_of(mode.contents)

    async def upload_array(
        contribution_id: PathId,
        s: S,
        caller: Seller,
        database: DatabaseDependency,
        store: StoreDependency,
        upload: Annotated[ArrayUpload, Depends(receive)],
        quota: StorageQuotaDependency,
    ) -> Response:
        def admit() -> None:
            with database.snapshot() as session:
                swept_arrays.admit_array(
                    session, caller, contribution_id, mode, s, quota, upload.announced_bytes
                )

        def store_array(array: UploadedArray) -> Response:
            with database.transaction() as session:
                return stored_response(
                    *swept_arrays.store_array(
                        session, store, caller, contribution_id, mode, s, array, quota
                    )
                )

        async def prepare(array: UploadedArray) -> Callable[[], Response]:
            return partial(store_array, array)

        return await upload.receive(caller.account_id, admit=admit, prepare=prepare)

    router.put(
        f"/{mode.path}/{{s}}",
        name=f"upload_{mode.name.replace('-', '_')}",
        description=mode.description,
        status_code=201,
        response_model=wire.SweptArray,
        responses=ARRAY_RESPONSES,
        openapi_extra=array_body(mode.contents, mode.example),
        max_body_size=ANY_SIZE,
    )(upload_array)


def _add_document_route(router: ResourceRouter, mode: StatedMode) -> None:
    body_model = mode.body

    def upload_document(
        contribution_id: PathId,
        body: body_model,  # type: ignore[valid-type]
        caller: Seller,
        database: DatabaseDependency,
    ) -> wire.Contribution:
        with database.transaction() as session:
            return scalars.store_scalars(session, caller, contribution_id, mode, body)

    router.put(
        f"/{mode.path}",
        name=f"upload_{mode.path.replace('-', '_')}",
        description=mode.description,
        responses=DOCUMENT_RESPONSES,
    )(upload_document)
