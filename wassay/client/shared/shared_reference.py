"""The reference that buyer and sellers share; if it is sealed, an isometry conceals uploads."""

from dataclasses import dataclass
from typing import Protocol

from wassay.distributions import from_wire
from wassay.models import Reference as PublishedReference
from wassay.reference_key import ReferenceKey
from wassay.sealed_boxes import SealingError
from wassay.transport import Measure, Reference

SEED_BITS = 128
"""The number of bits of a drawn reference's seed."""


class SharedReference(Protocol):
    """A reference γ whose seed is known: an `OpenReference`, or a `ReferenceKey` if sealed."""

    @property
    def reference(self) -> Reference:
        """The parameters of γ."""

    @property
    def class_key(self) -> bytes:
        """The key from which codes of classes are derived; empty for an open reference."""

    def reduce(self, measure: Measure) -> Measure:
        """Return the points to push: the raw points, or their random projection if there is one."""

    def conceal(self, measure: Measure) -> Measure:
        """Move a pushed measure by the secret isometry, if there is one, before the upload."""


@dataclass(frozen=True)
class OpenReference:
    """γ with a seed that the service knows. Uploads are not concealed."""

    reference: Reference

    @property
    def class_key(self) -> bytes:
        """The empty key, so anyone can compute codes of classes from guessed names."""
        return b""

    def reduce(self, measure: Measure) -> Measure:
        """Return the raw points: with an open reference, points are never projected."""
        return measure

    def conceal(self, measure: Measure) -> Measure:
        """Return the pushed measure unchanged."""
        return measure


def open_reference(published: PublishedReference) -> OpenReference:
    """Derive an open reference from its published parameters.

    Raises
    ------
    SealingError
        If the seed is not published.
    """
    if published.seed is None:
        raise SealingError(
            f"reference {published.id} is {published.disclosure}, so no seed is "
            "published: the buyer has to send you its key"
        )
    return OpenReference(
        Reference(
            size=published.size,
            dimension=published.dimension,
            distribution=from_wire(published.distribution),
            seed=int(published.seed),
            derivation=published.derivation,
        )
    )


def require_published(key: ReferenceKey, published: PublishedReference) -> None:
    """Raise unless a key belongs to the published reference.

    Raises
    ------
    SealingError
        If the key has another commitment, other parameters of γ, or another dimension of the
        projection than the service published.
    """
    ours = key.reference
    same = (
        *(ours.size, ours.dimension, ours.distribution, ours.derivation),
        key.projected_from,
    ) == (
        *(published.size, published.dimension, from_wire(published.distribution)),
        *(published.derivation, published.projected_from),
    )
    if key.commitment != published.commitment or not same:
        raise SealingError(
            f"the key that the buyer sealed is not the one that reference {published.id} commits "
            f"to: expected the SHA-256 {published.commitment}, received {key.commitment}. Sellers "
            "may have been shown different references: upload nothing, and ask the buyer."
        )
