"""The key of a sealed reference: buyer and sellers share it, and the service never sees it."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wassay import models
from wassay.distributions import from_wire, to_wire
from wassay.sealed_boxes import SealingError
from wassay.transport import Isometry, Measure, RandomProjection, Reference

NONCE_BYTES = 32

Hex32 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _ProjectionDocument(BaseModel):
    """The random projection as it is written in the key's JSON."""

    model_config = ConfigDict(extra="forbid", strict=True)

    dimension: int
    key: Hex32
    derivation: int


class _Document(BaseModel):
    """The JSON of a key, in version 1 of its format."""

    model_config = ConfigDict(extra="forbid", strict=True)

    version: Literal[1]
    size: int
    dimension: int
    distribution: models.Distribution
    seed: Annotated[str, Field(pattern=r"^[0-9]{1,39}$")]
    derivation: int
    isometry_key: Hex32
    isometry_scale: float
    isometry_derivation: int
    projection: _ProjectionDocument | None
    nonce: Hex32


@dataclass(frozen=True)
class ReferenceKey:
    """The secrets that buyer and sellers share: γ with its seed, the isometry, the projection.

    Attributes
    ----------
    reference : Reference
        γ with its seed.
    isometry : Isometry
        The isometry that moves every upload.
    nonce : bytes
        32 random bytes, which keep the commitment from revealing anything about the key.
    projection : RandomProjection or None
        Projects raw points to the reference's dimension; None if points are not projected.
    """

    reference: Reference = field(repr=False)
    isometry: Isometry = field(repr=False)
    nonce: bytes = field(repr=False)
    projection: RandomProjection | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        reduced = None if self.projection is None else self.projection.reduced
        if reduced not in {None, self.reference.dimension}:
            raise SealingError(
                f"expected a projection to {self.reference.dimension} coordinates, as the "
                f"reference has, received one to {reduced}"
            )
        if self.reference.dimension != self.isometry.dimension:
            raise SealingError(
                f"expected an isometry of {self.reference.dimension} coordinates, as the reference "
                f"has, received one of {self.isometry.dimension}"
            )

    @classmethod
    def draw(
        cls, reference: Reference, scale: float, projection: RandomProjection | None = None
    ) -> ReferenceKey:
        """Make a key from a reference and a newly drawn isometry.

        Parameters
        ----------
        reference : Reference
        scale : float
            The scale of the isometry's shift; see `wassay.transport.Isometry`.
        projection : RandomProjection, optional
            A projection to the reference's dimension. By default points are not projected.

        Returns
        -------
        ReferenceKey
        """
        return cls(
            reference,
            Isometry.draw(reference.dimension, scale),
            secrets.token_bytes(NONCE_BYTES),
            projection,
        )

    @classmethod
    def from_text(cls, text: str) -> ReferenceKey:
        """Parse the text of a key.

        Parameters
        ----------
        text : str
            The property `text` of a key.

        Returns
        -------
        ReferenceKey

        Raises
        ------
        SealingError
            If `text` is not the text of a key.
        TransportError
            If a parameter of the reference, isometry or projection is out of range.
        """
        try:
            document = _Document.model_validate_json(text)
        except ValidationError as error:
            # The input is secret and would end up in logs, so leave it out of the message.
            mistakes = error.errors(include_input=False, include_url=False, include_context=False)
            where = ", ".join(sorted({".".join(map(str, mistake["loc"])) for mistake in mistakes}))
            raise SealingError(
                f"expected the key of a sealed reference in version 1, received wrong {where}"
            ) from None
        return cls(
            Reference(
                document.size,
                document.dimension,
                from_wire(document.distribution),
                int(document.seed),
                document.derivation,
            ),
            Isometry(
                document.dimension,
                bytes.fromhex(document.isometry_key),
                document.isometry_scale,
                document.isometry_derivation,
            ),
            bytes.fromhex(document.nonce),
            None
            if document.projection is None
            else RandomProjection(
                document.projection.dimension,
                document.dimension,
                bytes.fromhex(document.projection.key),
                document.projection.derivation,
            ),
        )

    @property
    def text(self) -> str:
        """The key as JSON; equal keys have equal texts."""
        document = {
            "version": 1,
            "size": self.reference.size,
            "dimension": self.reference.dimension,
            "distribution": to_wire(self.reference.distribution),
            "seed": str(self.reference.seed),
            "derivation": self.reference.derivation,
            "isometry_key": self.isometry.key.hex(),
            "isometry_scale": self.isometry.scale,
            "isometry_derivation": self.isometry.derivation,
            "projection": None
            if self.projection is None
            else {
                "dimension": self.projection.dimension,
                "key": self.projection.key.hex(),
                "derivation": self.projection.derivation,
            },
            "nonce": self.nonce.hex(),
        }
        return json.dumps(document, sort_keys=True, separators=(",", ":"))

    @property
    def commitment(self) -> str:
        """The SHA-256 of `text` in hexadecimal digits; published before anybody contributes."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def projected_from(self) -> int | None:
        """The number of coordinates of raw points; None if raw points are not projected."""
        return None if self.projection is None else self.projection.dimension

    @property
    def class_key(self) -> bytes:
        """The secret from which the codes of classes are derived: the key of the isometry."""
        return self.isometry.key

    def reduce(self, measure: Measure) -> Measure:
        """Project raw points to the reference's dimension, before they are pushed.

        Parameters
        ----------
        measure : Measure

        Returns
        -------
        Measure
            `measure` itself if the key has no projection.

        Raises
        ------
        TransportError
            If the measure has another dimension than the projection takes.
        """
        return measure if self.projection is None else self.projection.apply(measure)

    def conceal(self, measure: Measure) -> Measure:
        """Move a pushed measure by the secret isometry, before the measure is uploaded.

        Parameters
        ----------
        measure : Measure

        Returns
        -------
        Measure
        """
        return self.isometry.apply(measure)
