"""The JSON bodies that the routes of requests, invitations and sealed keys receive."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StringConstraints

from wassay.models import MAX_BOX, Audience, Interpolation, Request, SealedKey
from wassay.models.sweep import MAX_SWEEP, MIN_STEP, MIN_SWEEP, SweepValue, sorted_and_apart
from wassay.readable_text import Line, Text

from ..accounts.schemas import FutureTime
from ..http.request_models import PatchModel, RequestModel, meaning
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
    Field(
        min_length=MIN_SWEEP,
        max_length=MAX_SWEEP,
        description=f"{MIN_SWEEP} to {MAX_SWEEP} values of s in (0, 1), at least {MIN_STEP} apart.",
    ),
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

    title: Line = Field(description=meaning(Request, "title"))
    description: Text = Field(default="", description=meaning(Request, "description"))
    reference_id: Id
    order: Annotated[Literal[1, 2], BeforeValidator(_not_bool)] = Field(
        default=2, description=meaning(Request, "order")
    )
    sweep: Sweep = Field(default=list(DEFAULT_SWEEP))
    modes: Modes = Field(default=["measure"])
    audience: Audience = Field(default="invited", description=meaning(Request, "audience"))
    reveals_measure: StrictBool = Field(
        default=False, description=meaning(Request, "reveals_measure")
    )
    reveals_scores: StrictBool = Field(
        default=False, description=meaning(Request, "reveals_scores")
    )
    interpolation: Interpolation = Field(
        default="barycentric",
        description=f"{meaning(Request, 'interpolation')} Of n points, k reference points make up "
        "to n + k − 1 parts.",
    )
    labelled: StrictBool = Field(
        default=False,
        description=f"{meaning(Request, 'labelled')} `Request` says what is then "
        "compared. Needs a reference of one point and no `epsilon`; in the modes `cost-block` and "
        "`scalar`, order 2.",
    )
    class_names: ClassNames | None = Field(
        default=None,
        description=f"{meaning(Request, 'class_names')} Only with `labelled`.",
    )
    recipe: PublicRecipe | None = Field(
        default=None,
        description=f"{meaning(Request, 'recipe')} At most {MOST_PUBLIC_BYTES:,} bytes. Needs a "
        "sealed reference for raw points of the recipe's dimension.",
    )
    epsilon: Epsilon | None = Field(
        default=None,
        description=f"{meaning(Request, 'epsilon')} Needs `radius`, order 2, a reference of one "
        "point, and only the mode `measure`.",
    )
    radius: Radius | None = Field(default=None, description=meaning(Request, "radius"))
    expires_at: FutureTime | None = Field(default=None, description=meaning(Request, "expires_at"))


class RequestEdit(PatchModel):
    """Changes to a draft."""

    example: ClassVar[dict[str, Any]] = {"title": "Customers of 2026 like ours"}

    title: Line = Field(default="", description=meaning(Request, "title"))
    description: Text = Field(default="", description=meaning(Request, "description"))
    sweep: Sweep = Field(default=list(DEFAULT_SWEEP))
    modes: Modes = Field(default=["measure"])
    audience: Audience = Field(default="invited", description=meaning(Request, "audience"))
    reveals_measure: StrictBool = Field(
        default=False, description=meaning(Request, "reveals_measure")
    )
    reveals_scores: StrictBool = Field(
        default=False, description=meaning(Request, "reveals_scores")
    )
    epsilon: Epsilon | None = Field(default=None, description=meaning(Request, "epsilon"))
    radius: Radius | None = Field(default=None, description=meaning(Request, "radius"))
    expires_at: FutureTime | None = Field(default=None, description=meaning(Request, "expires_at"))


class NewInvitation(RequestModel):
    """A seller to invite."""

    example: ClassVar[dict[str, Any]] = {"account_id": "acc_…"}

    account_id: Id = Field(description="The account of the seller.")


class NewSealedKey(RequestModel):
    """The key of a sealed reference, encrypted to the seller who gets it."""

    example: ClassVar[dict[str, Any]] = {"box": "AAAA"}

    box: Annotated[
        str,
        StringConstraints(
            max_length=MAX_BOX,
            pattern=r"^([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
        ),
    ] = Field(description=meaning(SealedKey, "box"))
