"""Requests: what a buyer asks sellers to contribute to."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, GetJsonSchemaHandler
from pydantic_core import CoreSchema

from wassay.models.base import Listed, Model
from wassay.models.descriptions import (
    BUYER,
    COLUMNS,
    DIMENSION,
    EPSILON,
    ORDER,
    ORGANISATION,
    PROJECTED_FROM,
    RADIUS,
    SELLER,
    SWEEP,
    WEIGHTED,
)
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
    """An uploaded array, without its bytes."""

    digest: str | None = Field(
        description="The SHA-256 of the bytes. Null for sellers who may not read the array, "
        "because they could test guesses of a record against the digest."
    )
    rows: int
    columns: int = Field(description=COLUMNS)
    weighted: bool = Field(description=WEIGHTED)
    bytes: int = Field(description="The size of the uploaded file.")
    created_at: datetime
    deleted_at: datetime | None = Field(
        default=None,
        description="When the service deleted the bytes. Null: it did not.",
    )


class PartialArray(Model):
    """The progress of an array that is uploaded in parts."""

    received: int = Field(
        description="The number of bytes received, which is where the next part begins."
    )
    bytes: int = Field(description="The number of bytes of the whole array.")


class Request(Listed):
    """A buyer's request for contributions: its reference, sweep, modes and terms.

    Both sides push their points along an optimal plan to the reference points. The buyer pushes by
    a private t0, which gives the measure η_μ(t0); sellers push by each s of the sweep.

    The modes of a `labelled` request decide what labels do:

    - `measure`: costs ignore classes, and evaluations score the sellers' labels.
    - `cost-block` and `scalar` without `class_names`: the cost of two points includes the squared
      distance W_2² of their classes, taken as normal distributions: the optimal transport dataset
      distance (OTDD).
    - `cost-block` and `scalar` with `class_names`: points are compared only within their class.
    """

    id: str
    account_id: str = Field(description=BUYER)
    organisation: str = Field(description=ORGANISATION)
    state: RequestState = Field(
        description="A `draft` can be edited. An `open` request accepts contributions, until it is "
        "`closed`, `cancelled` or `expired`."
    )
    title: str = Field(description="What the buyer looks for, in a few words.")
    description: str = Field(description="What the buyer looks for, at length.")
    reference_id: str
    dimension: int = Field(description=DIMENSION)
    projected_from: int | None = Field(default=None, description=PROJECTED_FROM)
    order: Order = Field(description=ORDER)
    sweep: list[float] = Field(description=SWEEP)
    modes: list[Mode] = Field(description="The modes in which sellers may contribute.")
    audience: Audience = Field(description="Who may contribute: `invited` sellers, or `everyone`.")
    reveals_measure: bool = Field(
        description="Whether sellers who contribute in mode `cost-block` or `scalar` may download "
        "η_μ(t0). Sellers who know the reference can invert it."
    )
    reveals_scores: bool = Field(
        description="Whether sellers may read the exact scores of their own points, or only which "
        "few of their points are the noisiest. Exact scores are shown only if all other sellers of "
        "the evaluation disclose scores, too. A seller with enough points can compute η_μ(t0) from "
        "them."
    )
    interpolation: Interpolation = Field(
        default="barycentric",
        description="How both sides push a point towards a reference of several points. "
        "`barycentric`: the whole point towards the mean of its images (paper eq. 5). `exact`: a "
        "part of the point towards each image (paper eq. 4).",
    )
    labelled: bool = Field(
        default=False,
        description="Whether points have labels. η_μ(t0) then has one coordinate more than "
        "`dimension`: the number of the point's class or, in mode `measure`, a code for its name. "
        "If the reference is sealed, the service cannot read the code.",
    )
    class_names: list[str] | None = Field(
        default=None,
        description="The names of the classes, by number. If set, points are compared only with "
        "points whose class has the same name. The squared distance is then the mean of the "
        "classes' W_2², weighted by the buyer's weight of each class.",
    )
    recipe: dict[str, Any] | None = Field(
        default=None,
        description="The public part of the recipe by which rows of tables become points: the "
        "names, types, units and kinds of fields. The other part, which was fitted on the buyer's "
        "rows, is sealed to invited sellers.",
    )
    epsilon: float | None = Field(default=None, description=EPSILON)
    radius: float | None = Field(default=None, description=RADIUS)
    measure: StoredArray | None = Field(
        description="η_μ(t0): the buyer's points, pushed by t0. Null until it is uploaded."
    )
    expires_at: datetime | None = Field(
        description="When an open request stops accepting contributions. Null: never."
    )
    created_at: datetime
    updated_at: datetime


class Invitation(Listed):
    """An invitation of a seller to a request."""

    id: str
    request_id: str
    account_id: str = Field(description=SELLER)
    has_sealed_key: bool = Field(
        description="Whether the buyer has sealed the reference's key to the seller."
    )
    created_at: datetime


class SealedKey(Model):
    """The key of a request's reference, sealed to one seller."""

    request_id: str
    account_id: str = Field(description=SELLER)
    box: str = Field(
        description="The box with the key, in base64. Only this seller and the buyer can open it."
    )
