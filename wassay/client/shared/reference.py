"""What the buyer and the sellers of one request share: γ, and what conceals what they upload."""

from dataclasses import dataclass
from typing import Protocol

from wassay.distributions import derivable
from wassay.models import Reference as PublishedReference
from wassay.reference_key import ReferenceKey
from wassay.sealing import SealingError
from wassay.transport import Measure, Reference

SEED_BITS = 128
"""Of a reference's seed that is drawn here."""


class SharedReference(Protocol):
    """γ with its seed, whoever else knows it."""

    @property
    def reference(self) -> Reference:
        """γ."""

    def conceal(self, measure: Measure) -> Measure:
        """Turn a pushed measure into what is uploaded of it."""


@dataclass(frozen=True)
class OpenReference:
    """γ with a seed that the service knows too, so that there is nothing to conceal from it."""

    reference: Reference

    def conceal(self, measure: Measure) -> Measure:
        """Nothing: a pushed measure is uploaded as it is."""
        return measure


def open_reference(published: PublishedReference) -> OpenReference:
    """Derive an open reference from what the service shows.

    Raises
    ------
    SealingError
        When it shows no seed.
    """
    if published.seed is None:
        raise SealingError(f"reference {published.id} is {published.disclosure} and has no seed")
    return OpenReference(
        Reference(
            size=published.size,
            dimension=published.dimension,
            distribution=derivable(published.distribution),
            seed=int(published.seed),
            derivation=published.derivation,
        )
    )


def require_published(key: ReferenceKey, published: PublishedReference) -> None:
    """Let a key pass only when it is the one that was committed to in public.

    Raises
    ------
    SealingError
        When the service shows another commitment, or other parameters of γ.
    """
    ours = key.reference
    same = (ours.size, ours.dimension, ours.distribution, ours.derivation) == (
        published.size,
        published.dimension,
        derivable(published.distribution),
        published.derivation,
    )
    if key.commitment != published.commitment or not same:
        raise SealingError(
            f"the key that the buyer sealed is not the one that reference {published.id} commits "
            f"to: expected the SHA-256 {published.commitment}, received {key.commitment}. Somebody "
            "shows different sellers different references: upload nothing, and ask the buyer."
        )
