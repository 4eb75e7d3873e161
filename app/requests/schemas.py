"""The JSON bodies that the routes of requests, invitations and sealed keys receive."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StringConstraints

from wassay.models import MAX_BOX, Audience, Interpolation
from wassay.models.sweep import MAX_SWEEP, MIN_SWEEP, SweepValue, sorted_and_apart
from wassay.readable_text import Line, Text

from ..accounts.schemas import FutureTime
from ..http.request_models import PatchModel, RequestModel
from .labels import ClassNames
from .modes import Modes
from .noise import Epsilon, Radius
from .recipes import MOST_PUBLIC_BYTES, PublicRecipe

DEFAULT_SWEEP = (0.25, 0.5, 0.75)


def _not_bool(order: object) -> object:
    if order is True:  # because True == 1 in Python
        raise ValueError("expected the number 1 or 2")
    return order


Sweep = Annotated[
    list[Annotated[SweepValue, Field(strict=True)]],
    Field(min_length=MIN_SWEEP, max_length=MAX_SWEEP),
    AfterValidator(sorted_and_apart),
]
Id = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[!-~]+$")]


class NewRequest(RequestModel):
    """A request to create as a draft."""

    example: ClassVar[dict[str, Any]] = {
        "title": "Customers like ours",
        "reference_id": "ref_…",
        "sweep": [0.25, 0.5, 0.75],
        "modes": ["measure"],
        "audience": "everyone",
    }

    title: Line
    description: Text = ""
    reference_id: Id
    order: Annotated[Literal[1, 2], BeforeValidator(_not_bool)] = Field(
        default=2, description="The order p of the Wasserstein distance W_p."
    )
    sweep: Sweep = Field(
        default=list(DEFAULT_SWEEP),
        description="3 to 32 values of s in (0, 1), at least 0.001 apart.",
    )
    modes: Modes = Field(
        default=["measure"],
        description="The modes in which sellers may contribute. `cost-block` and `scalar` need "
        "`reveals_measure`.",
    )
    audience: Audience = "invited"
    reveals_measure: StrictBool = Field(
        default=False,
        description="Whether sellers who contribute in mode `cost-block` or `scalar` may download "
        "η_μ(t0). Sellers who know the reference can invert it.",
    )
    reveals_scores: StrictBool = Field(
        default=False,
        description="Whether sellers may read the exact scores of their own points, if all other "
        "sellers of the evaluation disclose scores, too. With enough points, a seller can compute "
        "η_μ(t0) from the scores. Otherwise sellers read only which few of their points are the "
        "noisiest.",
    )
    interpolation: Interpolation = Field(
        default="barycentric",
        description="How both sides push a point towards a reference of several points: the whole "
        "point towards the mean of its images or, with `exact`, a part of the point towards each "
        "image. Of n points, k reference points make up to n + k − 1 parts.",
    )
    labelled: StrictBool = Field(
        default=False,
        description="Whether points have labels: the last coordinate of η_μ(t0) is then the class "
        "number. In the modes `cost-block` and `scalar`, the costs are those of OTDD, and the "
        "order must be 2. In mode `measure`, sellers also upload class numbers, which distances "
        "ignore, and the evaluation scores the sellers' labels. Needs a reference of one point, "
        "and no epsilon.",
    )
    class_names: ClassNames | None = Field(
        default=None,
        description="The names of the classes, by number; only with `labelled`. Points are then "
        "compared only with points whose class has the same name, instead of by OTDD.",
    )
    recipe: PublicRecipe | None = Field(
        default=None,
        description="The public part of the recipe by which rows of tables become points, at most "
        f"{MOST_PUBLIC_BYTES:,} bytes. Needs a sealed reference for raw points of the recipe's "
        "dimension. Seal the other part, which was fitted on your rows, together with the "
        "reference's key.",
    )
    epsilon: Epsilon | None = Field(
        default=None,
        description="The ε of differential privacy that each evaluation spends for each record of "
        "a seller. Needs `radius`, order 2, a reference of one point, and only the mode `measure`.",
    )
    radius: Radius | None = Field(
        default=None,
        description="The radius of the ball around the mean of η_μ(t0) to which points are "
        "clipped. Needs `epsilon`.",
    )
    expires_at: FutureTime | None = None


class RequestEdit(PatchModel):
    """Changes to a draft."""

    example: ClassVar[dict[str, Any]] = {"title": "Customers of 2026 like ours"}

    title: Line = ""
    description: Text = ""
    sweep: Sweep = Field(default=list(DEFAULT_SWEEP))
    modes: Modes = Field(default=["measure"])
    audience: Audience = "invited"
    reveals_measure: StrictBool = False
    reveals_scores: StrictBool = False
    epsilon: Epsilon | None = Field(default=None, description="`null`: no noise.")
    radius: Radius | None = None
    expires_at: FutureTime | None = Field(default=None, description="`null`: never.")


class NewInvitation(RequestModel):
    """A seller to invite."""

    example: ClassVar[dict[str, Any]] = {"account_id": "acc_…"}

    account_id: Id


class NewSealedKey(RequestModel):
    """An encrypted key to relay to a seller."""

    example: ClassVar[dict[str, Any]] = {"box": "AAAA"}

    box: Annotated[
        str,
        StringConstraints(
            max_length=MAX_BOX,
            pattern=r"^([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
        ),
    ] = Field(description="Ciphertext in base64, which the service cannot decrypt.")
