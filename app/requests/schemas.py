"""What clients send about requests."""

from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StringConstraints

from wassay.models import Audience, Mode, SweepValue
from wassay.modes import MODES

from ..accounts.schemas import FutureTime
from ..kit.request_models import PatchModel, RequestModel
from ..kit.strings import Line, Text

DEFAULT_SWEEP = (0.25, 0.5, 0.75)
LEAST_STEP = 0.001


def _sorted_and_apart(sweep: list[float]) -> list[float]:
    values = sorted(sweep)
    if any(later - earlier < LEAST_STEP for earlier, later in pairwise(values)):
        raise ValueError(
            f"expected values of s at least {LEAST_STEP} apart: a curve through nearer ones says "
            "nothing about any other s"
        )
    return values


def _known(mode: str) -> str:
    if mode not in MODES:
        raise ValueError(f"expected one of {', '.join(MODES)}")
    return mode


def _distinct(modes: list[str]) -> list[str]:
    if len(set(modes)) < len(modes):
        raise ValueError("expected distinct modes")
    return modes


def _distinct_names(names: list[str]) -> list[str]:
    if len(set(names)) < len(names):
        raise ValueError("expected distinct names of classes")
    return names


def _a_number(order: object) -> object:
    if order is True:  # which Python takes for 1
        raise ValueError("expected the number 1 or 2")
    return order


Sweep = Annotated[
    list[Annotated[SweepValue, Field(strict=True)]],
    Field(min_length=3, max_length=32),
    AfterValidator(_sorted_and_apart),
]
KnownMode = Annotated[Mode, AfterValidator(_known)]
Modes = Annotated[
    list[KnownMode], Field(min_length=1, max_length=len(MODES)), AfterValidator(_distinct)
]
ClassNames = Annotated[
    list[Line], Field(min_length=1, max_length=1000), AfterValidator(_distinct_names)
]
Epsilon = Annotated[float, Field(ge=1e-6, le=100, strict=True)]
Radius = Annotated[float, Field(ge=1e-75, le=1e75, strict=True)]
Id = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[!-~]+$")]


class NewRequest(RequestModel):
    """A request to make; it starts as a draft."""

    example: ClassVar[dict[str, Any]] = {
        "title": "Digits like ours",
        "reference_id": "ref_…",
        "sweep": [0.25, 0.5, 0.75],
        "modes": ["measure"],
        "audience": "everyone",
    }

    title: Line
    description: Text = ""
    reference_id: Id
    order: Annotated[Literal[1, 2], BeforeValidator(_a_number)] = Field(
        default=2, description="p of W_p."
    )
    sweep: Sweep = Field(
        default=list(DEFAULT_SWEEP),
        description="3 to 32 values of s in (0, 1), at least 0.001 apart.",
    )
    modes: Modes = Field(
        default=["measure"],
        description="How sellers may answer; `cost-block` and `scalar` need `reveals_measure`.",
    )
    audience: Audience = "invited"
    reveals_measure: StrictBool = Field(
        default=False,
        description="Sellers who answer by `cost-block` or `scalar` may download η_μ(t0); who "
        "knows the reference can invert it.",
    )
    reveals_scores: StrictBool = Field(
        default=False,
        description="Sellers may read the exact scores of their own points, where every other "
        "seller of the evaluation shows scores; who has enough points can compute η_μ(t0) from "
        "them. Otherwise they read which few of their points are the noisiest.",
    )
    labelled: StrictBool = Field(
        default=False,
        description="The points have labels: η_μ(t0) has one more coordinate, the number of the "
        "class, and costs are those of OTDD. Needs order 2, a reference of one point, and the "
        "modes `cost-block` or `scalar`.",
    )
    class_names: ClassNames | None = Field(
        default=None,
        description="With `labelled`: what the classes are called, by number. Points are then "
        "compared with those of the class of their own name only, in place of OTDD.",
    )
    epsilon: Epsilon | None = Field(
        default=None,
        description="What an evaluation may tell of any one record of a seller; needs `radius`, "
        "order 2, a reference of one point, and the mode `measure` alone.",
    )
    radius: Radius | None = Field(
        default=None,
        description="With `epsilon`: points are pulled into this ball around the mean of η_μ(t0).",
    )
    expires_at: FutureTime | None = None


class RequestEdit(PatchModel):
    """What changes of a draft."""

    example: ClassVar[dict[str, Any]] = {"title": "Digits 0–4 like ours"}

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
    """A box to relay to one seller."""

    example: ClassVar[dict[str, Any]] = {"box": "AAAA"}

    box: Annotated[
        str,
        StringConstraints(
            max_length=4096, pattern=r"^([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
        ),
    ] = Field(description="Ciphertext in base64, which the service cannot open.")
