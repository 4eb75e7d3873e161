"""References: the parameters of γ, the measure towards which all parties push."""

from typing import Any

from wassay import transport
from wassay.client.connection.connection import Resource
from wassay.client.connection.flows import Flow, R, operation
from wassay.client.connection.pagination import Pages
from wassay.distributions import to_wire
from wassay.models import Reference


class References(Resource[R]):
    """The routes below `/v1/references`."""

    @operation
    def create(self, reference: transport.Reference) -> Flow[Reference]:
        """Create an open reference: the service gets the seed of γ.

        The API key needs the scope `buyer`.
        """
        body = {**_parameters(reference), "disclosure": "open", "seed": str(reference.seed)}
        return self._connection.create("references", model=Reference, body=body)

    @operation
    def create_sealed(
        self,
        reference: transport.Reference,
        commitment: str,
        *,
        projected_from: int | None = None,
    ) -> Flow[Reference]:
        """Create a sealed reference: the service gets a commitment to the key of γ, and no seed.

        The API key needs the scope `buyer`.

        Parameters
        ----------
        reference : wassay.transport.Reference
        commitment : str
            The `commitment` of the `ReferenceKey`.
        projected_from : int, optional
            The number of coordinates of raw points; None if points are not projected at random.
        """
        body = {
            **_parameters(reference),
            "disclosure": "sealed",
            "commitment": commitment,
            "projected_from": projected_from,
        }
        return self._connection.create("references", model=Reference, body=body)

    def list(self) -> Pages[Reference, R]:
        """List the caller's references."""
        return self._pages("references", model=Reference)

    @operation
    def get(self, reference_id: str) -> Flow[Reference]:
        """Return a reference of the caller, or of a request that the caller may read."""
        return self._connection.get("references", reference_id, model=Reference)


def _parameters(reference: transport.Reference) -> dict[str, Any]:
    return {
        "size": reference.size,
        "dimension": reference.dimension,
        "distribution": to_wire(reference.distribution),
    }
