"""Convert a reference's distribution between its wire format and `wassay.transport`."""

from wassay import models, transport

Derivable = (
    transport.Normal | transport.Normals | transport.Gamma | transport.Uniform | transport.Constant
)

_KINDS: dict[
    str,
    type[transport.Normal]
    | type[transport.Normals]
    | type[transport.Gamma]
    | type[transport.Uniform]
    | type[transport.Constant],
] = {
    "normal": transport.Normal,
    "normals": transport.Normals,
    "gamma": transport.Gamma,
    "uniform": transport.Uniform,
    "constant": transport.Constant,
}


def to_wire(distribution: Derivable) -> dict[str, object]:
    """Convert a distribution to its wire format."""
    kind = next(name for name, known in _KINDS.items() if isinstance(distribution, known))
    parameters = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in vars(distribution).items()
    }
    return {"kind": kind, **parameters}


def from_wire(distribution: models.Distribution) -> Derivable:
    """Convert a distribution from its wire format."""
    return _KINDS[distribution.kind](**distribution.model_dump(exclude={"kind"}))
