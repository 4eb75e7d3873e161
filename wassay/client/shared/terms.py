"""The terms of a request. The buyer seals them, so sellers notice if the service shows others."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Self, TypedDict, Unpack

from pydantic import BaseModel, ConfigDict

from wassay.models import Interpolation, Mode, Order, Request
from wassay.sealed_boxes import SealingError


class StatedTerms(TypedDict):
    """The arguments of a new request that make up its `Terms`."""

    order: Order
    sweep: Sequence[float]
    modes: Sequence[Mode]
    reveals_measure: bool
    reveals_scores: bool
    interpolation: Interpolation
    labelled: bool
    class_names: Sequence[str] | None
    epsilon: float | None
    radius: float | None


class Terms(BaseModel):
    """The terms of a request: what sellers compute from their points, and who sees which results.

    Attributes
    ----------
    class_names : str or None
        The SHA-256 of the list of class names; None without class names.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    order: Order
    sweep: tuple[float, ...]
    modes: tuple[Mode, ...]
    reveals_measure: bool
    reveals_scores: bool
    interpolation: Interpolation
    labelled: bool
    class_names: str | None
    epsilon: float | None
    radius: float | None

    @classmethod
    def stated(cls, **terms: Unpack[StatedTerms]) -> Self:
        """Build the terms of a request from its arguments; sort the sweep and the modes."""
        names = terms["class_names"]
        digest = None
        if names is not None:
            digest = hashlib.sha256(json.dumps(list(names)).encode()).hexdigest()
        return cls.model_validate(
            {
                **terms,
                "sweep": sorted(terms["sweep"]),
                "modes": sorted(terms["modes"]),
                "class_names": digest,
            }
        )

    @classmethod
    def shown(cls, request: Request) -> Self:
        """Return the terms that the service shows for a request."""
        return cls.stated(
            order=request.order,
            sweep=request.sweep,
            modes=request.modes,
            reveals_measure=request.reveals_measure,
            reveals_scores=request.reveals_scores,
            interpolation=request.interpolation,
            labelled=request.labelled,
            class_names=request.class_names,
            epsilon=request.epsilon,
            radius=request.radius,
        )

    def require_shown(self, request: Request) -> None:
        """Raise unless the service shows a request with these terms.

        Raises
        ------
        SealingError
            If the service shows other terms; the message names them.
        """
        shown = Terms.shown(request)
        others = [
            f"{name} {getattr(shown, name)!r} instead of {value!r}"
            for name, value in self
            if getattr(shown, name) != value
        ]
        if others:
            raise SealingError(
                f"request {request.id} is shown with {', '.join(others)}: expected the terms that "
                "its buyer sealed. The service may want other numbers of your points than the "
                "buyer: upload nothing, and ask the buyer."
            )
