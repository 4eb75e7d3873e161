"""Requests: what a buyer asks sellers to contribute to."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, GetJsonSchemaHandler
from pydantic_core import CoreSchema

from wassay.models.base import Listed, Model
from wassay.modes import MODES

RequestState = Literal["draft", "open", "closed", "cancelled", "expired"]
DEFAULT_MOST_POINTS = 100_000
"""The most points of a measure that a service takes, unless its operator sets another limit."""

Audience = Literal["invited", "everyone"]
Order = Literal[1, 2]
Interpolation = Literal["barycentric", "exact"]

MAX_BOX = 3 * 2**18
"""Characters of a sealed key. It fits into a JSON body of the service, and holds what a recipe of
about 120 columns of numbers has learned."""


class _ListsModes:
    """Adds the known modes to the JSON schema of a mode."""

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {**handler(schema), "enum": list(MODES)}


Mode = Annotated[str, _ListsModes()]
"""A name in `wassay.modes.MODES`; an older SDK reads the modes of a newer service too."""


class StoredArray(Model):
    """An uploaded array, without its bytes."""

    digest: str | None = Field(
        description="SHA-256 of the bytes; null for sellers who may not read them, since they "
        "could test guesses of a record against it."
    )
    rows: int
    columns: int
    weighted: bool
    bytes: int
    created_at: datetime
    deleted_at: datetime | None = Field(
        default=None,
        description="When the bytes were deleted from the service; null: they are there.",
    )


class PartialArray(Model):
    """The progress of an array that is uploaded in parts."""

    received: int = Field(description="Number of bytes received; the next part begins there.")
    bytes: int = Field(description="Number of bytes of the whole array.")


class Request(Listed):
    """A buyer's request for contributions: its reference, sweep, modes and audience.

    `reveals_measure` lets accepted sellers download η_μ(t0), which the modes `cost-block` and
    `scalar` need. A seller who knows the reference can compute the raw points from it.

    `reveals_scores` lets sellers read the exact scores of their own points, from which a seller
    with enough points can compute η_μ(t0). Otherwise they read only which points are the noisiest.

    With `interpolation` ``exact``, both sides push every pair of their plan to the reference: up to
    n + k − 1 parts of n points for k reference points (paper eq. 4). Otherwise each point moves
    towards the mean of its images (eq. 5), and there are n.

    With `labelled`, the last coordinate of η_μ(t0), beyond `dimension`, is the number of the
    point's class. In the modes `cost-block` and `scalar`, costs are ‖x − x'‖² + W_2² of the two
    classes as normal distributions (OTDD). In mode `measure`, sellers upload class numbers in the
    same way, costs ignore them, and evaluations score the sellers' labels; the numbers are codes of
    the names of classes, made with the reference's key.
    With `class_names`, by class number, points are compared only within classes of the same name,
    and the seller's classes get the buyer's shares: Σ p_c W_2² of class c.

    With `projected_from` d, everybody's raw points have d coordinates, and a secret random
    projection to `dimension` of them is compared: distances are lower bounds of those of the raw
    points.

    With `recipe`, points are rows of a table, made comparable by a recipe. This is its public part:
    names, types, units and kinds of the fields. What the recipe learned from the buyer's rows is
    sealed to invited sellers with the reference's key, and carries the SHA-256 of this part.

    With `epsilon`, distances have noise, and ε bounds what an evaluation discloses of any one
    record; points are clipped to the ball of `radius` around the mean of the buyer's measure.
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

    `has_sealed_key` tells whether the reference's key was sealed to them.
    """

    id: str
    request_id: str
    account_id: str
    has_sealed_key: bool
    created_at: datetime


class SealedKey(Model):
    """The key of a sealed reference, in a box (base64) that only one seller can open."""

    request_id: str
    account_id: str
    box: str
