"""The distributions of a reference: as the wire names them, and as their points are derived."""

from wassay import models, transport

Derivable = transport.Normal | transport.Gamma | transport.Uniform | transport.Constant

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


def named(distribution: Derivable) -> dict[str, object]:
    """Write a distribution as JSON has it."""
    kind = next(name for name, known in _KINDS.items() if isinstance(distribution, known))
    return {"kind": kind, **vars(distribution)}


def derivable(distribution: models.Distribution) -> Derivable:
    """Turn a distribution on the wire into the one that numbers can be derived from."""
    return _KINDS[distribution.kind](**distribution.model_dump(exclude={"kind"}))
