"""Requests: a buyer's question."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, GetJsonSchemaHandler
from pydantic_core import CoreSchema

from wassay.models.base import Model
from wassay.modes import MODES

RequestState = Literal["draft", "open", "closed", "cancelled", "expired"]
Audience = Literal["invited", "everyone"]
Order = Literal[1, 2]


class _ListsModes:
    """Lists the modes that there are in the JSON schema of a name."""

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {**handler(schema), "enum": list(MODES)}


Mode = Annotated[str, _ListsModes()]
"""A name in `wassay.modes.MODES`; an older SDK reads the modes of a newer service too."""


class StoredArray(Model):
    """An array that the service holds: what came, and the digest that names its bytes."""

    digest: str | None = Field(
        description="SHA-256 of the bytes; empty for sellers who may not read them, for with it "
        "they could try what a record is."
    )
    rows: int
    columns: int
    weighted: bool
    bytes: int
    created_at: datetime


class PartialArray(Model):
    """How much is here of an array that comes in parts."""

    received: int = Field(description="Bytes, from the first; the next part begins behind them.")
    bytes: int = Field(description="How many the whole has.")


class Request(Model):
    """A buyer's question: which reference, which s, in which modes, to whom.

    `reveals_measure` says that accepted sellers may download η_μ(t0); it is required for the
    modes `cost-block` and `scalar`, and a seller who knows the reference can invert what is
    downloaded.

    `reveals_scores` says that sellers may read the exact scores of their own points, which can
    give η_μ(t0) to one who has enough points; otherwise they read which few are the noisiest.

    With `labelled`, points have labels: η_μ(t0) has one coordinate more than `dimension`, which
    numbers the point's class, and costs are ‖x − x'‖² + W_2² of two classes as normal laws (OTDD).
    Where there are `class_names`, by number, points are compared with those of the class of their
    own name only, and a seller's classes weigh what the buyer's do: Σ p_c W_2² of class c.

    With `epsilon`, answers carry noise: it bounds what an evaluation tells of any one record, once
    points are pulled into the ball of `radius` around the mean of the buyer's measure.
    """

    id: str
    account_id: str
    organisation: str
    state: RequestState
    title: str
    description: str
    reference_id: str
    dimension: int
    order: Order
    sweep: list[float]
    modes: list[Mode]
    audience: Audience
    reveals_measure: bool
    reveals_scores: bool
    labelled: bool = False
    class_names: list[str] | None = None
    epsilon: float | None = None
    radius: float | None = None
    measure: StoredArray | None
    expires_at: datetime | None
    created_at: datetime
    updated_at: datetime


class Invitation(Model):
    """A seller who may answer a request.

    `has_sealed_key` says whether the key of the request's sealed reference was sealed to them.
    """

    id: str
    request_id: str
    account_id: str
    has_sealed_key: bool
    created_at: datetime


class SealedKey(Model):
    """The key of a request's sealed reference, in a box (base64) that only one seller can open."""

    request_id: str
    account_id: str
    box: str
