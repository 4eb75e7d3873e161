"""References: γ by its parameters."""

from typing import Any

from wassay import transport
from wassay.client.connection import Connection
from wassay.client.pages import Pages
from wassay.distributions import named
from wassay.models import Reference


class References:
    """`/v1/references`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(self, reference: transport.Reference) -> Reference:
        """Publish γ with its seed (buyer): an open reference."""
        body = {**_parameters(reference), "disclosure": "open", "seed": str(reference.seed)}
        return self._connection.create("references", model=Reference, body=body)

    def create_sealed(self, reference: transport.Reference, commitment: str) -> Reference:
        """Publish γ without its seed, and a commitment to the key that holds it (buyer)."""
        body = {**_parameters(reference), "disclosure": "sealed", "commitment": commitment}
        return self._connection.create("references", model=Reference, body=body)

    def list(self) -> Pages[Reference]:
        """One's own references."""
        return self._connection.list("references", model=Reference)

    def get(self, reference_id: str) -> Reference:
        """A reference: one's own, or that of a request one may see."""
        return self._connection.get("references", reference_id, model=Reference)


def _parameters(reference: transport.Reference) -> dict[str, Any]:
    return {
        "size": reference.size,
        "dimension": reference.dimension,
        "distribution": named(reference.distribution),
    }
