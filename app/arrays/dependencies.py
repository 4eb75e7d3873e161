"""Dependencies of routes that receive or send arrays."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Literal

from fastapi import Depends, Header, Query, Request

from ..http.dependencies import SettingsDependency
from .entry_validation import POINTS, Contents
from .parts import read_part
from .store import ArrayStore
from .upload import ArrayUpload

WeightsQuery = Annotated[
    Literal["uniform", "last_column"],
    Query(
        description="Where the weights of an .npy body are: in its `last_column`, or nowhere if "
        "they are `uniform`. A JSON body has the member `weights` instead."
    ),
]
ContentDigestHeader = Annotated[
    str | None,
    Header(
        description="The digest of the body as `sha-256=:<base64>:` (RFC 9530), which the service "
        "verifies."
    ),
]
ContentRangeHeader = Annotated[
    str | None,
    Header(
        description="Which bytes of a large .npy body this request sends, as in `bytes "
        "0-1023/4096`. Without a body, `bytes */4096` asks how many bytes are stored. Needs "
        "`Repr-Digest`."
    ),
]
ReprDigestHeader = Annotated[
    str | None,
    Header(
        description="The digest of the whole body as `sha-256=:<base64>:` (RFC 9530), required "
        "with `Content-Range`: it identifies the parts that belong together."
    ),
]
AcceptHeader = Annotated[
    str | None,
    Header(
        description="`application/x-npy` (the default) or, for small arrays, `application/json`."
    ),
]


async def _store(request: Request) -> ArrayStore:
    store: ArrayStore = request.app.state.array_store
    return store


StoreDependency = Annotated[ArrayStore, Depends(_store)]


def upload_of(contents: Contents) -> Callable[..., Awaitable[ArrayUpload]]:
    """Return a dependency that builds an upload of points or costs, without reading the body."""

    async def upload(
        request: Request,
        store: StoreDependency,
        settings: SettingsDependency,
        weights: WeightsQuery = "uniform",
        content_digest: ContentDigestHeader = None,
        content_range: ContentRangeHeader = None,
        repr_digest: ReprDigestHeader = None,
    ) -> ArrayUpload:
        return ArrayUpload(
            request,
            store,
            settings,
            contents,
            content_digest,
            None if content_range is None else read_part(content_range, repr_digest),
            weighted=weights == "last_column",
        )

    return upload


PointsUpload = Annotated[ArrayUpload, Depends(upload_of(POINTS))]
