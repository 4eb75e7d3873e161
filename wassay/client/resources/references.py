"""References: γ by its parameters."""

from wassay import transport
from wassay.client.connection import Connection
from wassay.client.pages import Pages
from wassay.models import Reference

_KINDS: dict[
    str,
    type[transport.Normal]
    | type[transport.Gamma]
    | type[transport.Uniform]
    | type[transport.Constant],
] = {
    "normal": transport.Normal,
    "gamma": transport.Gamma,
    "uniform": transport.Uniform,
    "constant": transport.Constant,
}


class References:
    """`/v1/references`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def create(self, reference: transport.Reference) -> Reference:
        """Publish the parameters of γ (buyer)."""
        distribution = reference.distribution
        kind = next(name for name, known in _KINDS.items() if isinstance(distribution, known))
        body = {
            "size": reference.size,
            "dimension": reference.dimension,
            "distribution": {"kind": kind, **vars(distribution)},
            "seed": str(reference.seed),
        }
        return self._connection.create("references", model=Reference, body=body)

    def list(self) -> Pages[Reference]:
        """One's own references."""
        return self._connection.list("references", model=Reference)

    def get(self, reference_id: str) -> Reference:
        """A reference: one's own, or that of a request one may see."""
        return self._connection.get("references", reference_id, model=Reference)


def derivable(reference: Reference) -> transport.Reference:
    """Turn a reference on the wire into the one whose points can be derived."""
    parameters = reference.distribution.model_dump(exclude={"kind"})
    return transport.Reference(
        size=reference.size,
        dimension=reference.dimension,
        distribution=_KINDS[reference.distribution.kind](**parameters),
        seed=int(reference.seed),
        derivation=reference.derivation,
    )
