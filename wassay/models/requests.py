"""Requests: what a buyer asks sellers to contribute to."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, GetJsonSchemaHandler
from pydantic_core import CoreSchema

from wassay.models.base import Listed, Model
from wassay.modes import MODES

RequestState = Literal["draft", "open", "closed", "cancelled", "expired"]
DEFAULT_MOST_POINTS = 100_000
"""The largest number of points of a measure, unless the service's operator sets another limit."""

Audience = Literal["invited", "everyone"]
Order = Literal[1, 2]
Interpolation = Literal["barycentric", "exact"]

MAX_BOX = 3 * 2**18
"""The largest number of characters of a box with a sealed key.

Such a box fits into a JSON body of the service, and has room for what a recipe of about 120 columns
of numbers learned."""


class _ListsModes:
    """Adds the names of the known modes to the JSON schema of `Mode`."""

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {**handler(schema), "enum": list(MODES)}


Mode = Annotated[str, _ListsModes()]
"""A name in `wassay.modes.MODES`, or of a mode that a newer service adds."""


class StoredArray(Model):
    """An uploaded array, without its bytes.

    If `weighted` is true, the array also has a last column of weights, which `columns` does not
    count.
    """

    digest: str | None = Field(
        description="The SHA-256 of the bytes; null for sellers who may not read the array, "
        "because they could test guesses of a record against the digest."
    )
    rows: int
    columns: int
    weighted: bool
    bytes: int
    created_at: datetime
    deleted_at: datetime | None = Field(
        default=None,
        description="When the bytes were deleted from the service; null if they were not deleted.",
    )


class PartialArray(Model):
    """The progress of an array that is uploaded in parts."""

    received: int = Field(
        description="The number of bytes received, which is where the next part begins."
    )
    bytes: int = Field(description="The number of bytes of the whole array.")


class Request(Listed):
    """A buyer's request for contributions: its reference, sweep, modes and audience.

    `measure` is η_μ(t0): the buyer's points, pushed by a private t0. If `reveals_measure` is true,
    sellers in the modes `cost-block` and `scalar` may download it. A seller who knows the reference
    can then compute the raw points.

    If `reveals_scores` is true, sellers may read the exact scores of their own points. All other
    sellers of the evaluation must disclose scores, too. With enough points, a seller can compute
    η_μ(t0) from the scores. If it is false, sellers read only which of their points are the
    noisiest.

    Both sides push their points along an optimal plan from the points to the reference points. If
    `interpolation` is `barycentric`, each point is pushed as a whole, towards the mean of the
    reference points that the plan assigns to it (paper eq. 5). If it is `exact`, each point is
    split, and each part is pushed towards one reference point (eq. 4).

    If `labelled` is true, η_μ(t0) has one coordinate more than `dimension`: the number of the
    point's class. In the modes `cost-block` and `scalar`, the cost of two points is ‖x − x'‖² plus
    the W_2² of their classes, taken as normal distributions (OTDD). In mode `measure`, costs ignore
    classes, and evaluations score the sellers' labels. Both sides then upload codes of the classes,
    which the service cannot read if the reference is sealed.

    `class_names` has the names of the classes, in the order of class numbers. If it is set, points
    are compared only within their class. The squared distance is then the mean of the classes'
    W_2², weighted by the classes' shares of the buyer's weight.

    If `projected_from` is set, raw points have that many coordinates. Parties project them to
    `dimension` coordinates by a random projection that the service does not know. Distances are
    then lower bounds of the distances of the raw points.

    If `recipe` is set, a recipe makes points of the rows of a table. `recipe` is its public part:
    the names, types, units and kinds of fields. The other part was learned from the buyer's rows,
    and is sealed to invited sellers.

    If `epsilon` is set, distances have noise, and ε bounds what an evaluation discloses about any
    single record. Sellers' pushed points are then clipped to the ball of `radius` around the mean
    of the buyer's measure.
    """

    id: str
    account_id: str
    organisation: str
    state: RequestState
    title: str
    description: str
    reference_id: str
    dimension: int
    projected_from: int | None = None
    order: Order
    sweep: list[float]
    modes: list[Mode]
    audience: Audience
    reveals_measure: bool
    reveals_scores: bool
    interpolation: Interpolation = "barycentric"
    labelled: bool = False
    class_names: list[str] | None = None
    recipe: dict[str, Any] | None = None
    epsilon: float | None = None
    radius: float | None = None
    measure: StoredArray | None
    expires_at: datetime | None
    created_at: datetime
    updated_at: datetime


class Invitation(Listed):
    """An invitation of a seller to a request.

    `has_sealed_key` tells whether the buyer has sealed the reference's key to the seller.
    """

    id: str
    request_id: str
    account_id: str
    has_sealed_key: bool
    created_at: datetime


class SealedKey(Model):
    """The box, in base64, in which the buyer sealed the reference's key to one seller.

    Only this seller and the buyer can open it.
    """

    request_id: str
    account_id: str
    box: str
