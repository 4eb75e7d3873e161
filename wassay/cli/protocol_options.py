"""Options of `wassay ask` that set the sweep and the reference."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wassay.models import MAX_SWEEP, MIN_SWEEP

if TYPE_CHECKING:
    from wassay import Normals
    from wassay.client.buyer.reference_law import ReferenceLaw

Sweep = Annotated[
    str,
    typer.Option(
        metavar="N|S,S,…",
        help="The values of s to which sellers push: a number N of evenly spaced values, or a list "
        "such as 0.2,0.4,0.6. W1 curves have kinks, so give many values, such as 32.",
    ),
]
LawOfReference = Annotated[
    str | None,
    typer.Option(
        metavar="K,LAW,…",
        help="Draw a reference of K points from a law: K,normal,MEAN,STD; K,gamma,SHAPE,SCALE; "
        "K,uniform,LOW,HIGH; or K,normals,FILE, where the .npy file has two rows, the mean and the "
        "standard deviation of each coordinate. Sellers can read these parameters. By default one "
        "point at the scale of your points; with more points, distances have wide intervals.",
    ),
]

PARAMETERS = 2
"""The number of parameters of each of the laws normal, gamma and uniform."""


def swept(given: str) -> tuple[float, ...]:
    """Parse `--sweep`: a list of values, or a whole number N for 1/(N + 1), …, N/(N + 1)."""
    if given.isdecimal():
        count = int(given)
        if not MIN_SWEEP <= count <= MAX_SWEEP:
            raise typer.BadParameter(
                f"expected {MIN_SWEEP} to {MAX_SWEEP} values of s, received {count}",
                param_hint="--sweep",
            )
        return tuple(place / (count + 1) for place in range(1, count + 1))
    return _numbers(given.split(","), "--sweep")


def law_of(given: str | None) -> ReferenceLaw | None:
    """Parse `--reference`: a number of points, a law and its parameters; None if not given."""
    if given is None:
        return None
    # Imported here, because it loads numpy, which other commands do not need.
    from wassay import Gamma, Normal, ReferenceLaw, Uniform

    size, law_name, file = (*given.split(",", 2), "", "")[:3]
    if size.isdecimal() and law_name == "normals" and file:
        return ReferenceLaw(int(size), _normals(Path(file)))
    laws = {"normal": Normal, "gamma": Gamma, "uniform": Uniform}
    size, *rest = given.split(",")
    if not (size.isdecimal() and rest and rest[0] in laws and len(rest) == 1 + PARAMETERS):
        raise typer.BadParameter(
            f"expected K,LAW,PARAMETER,PARAMETER with a law among {', '.join(laws)}, such as "
            f"100,normal,0,5, or K,normals,FILE; received {given!r}",
            param_hint="--reference",
        )
    law = laws[rest[0]]
    return ReferenceLaw(int(size), law(*_numbers(rest[1:], "--reference")))


def _normals(file: Path) -> Normals:
    """Read a law from a file with the mean and the standard deviation of each coordinate."""
    # Imported here, because it loads numpy, which other commands do not need.
    from wassay import Normals
    from wassay.cli.point_files import read_points

    rows = read_points(file)
    if len(rows) != 2:
        raise typer.BadParameter(
            f"expected two rows in {file}, the mean and the standard deviation of each coordinate; "
            f"received {len(rows)}",
            param_hint="--reference",
        )
    return Normals(*rows)


def _numbers(given: list[str], option: str) -> tuple[float, ...]:
    try:
        return tuple(float(each) for each in given)
    except ValueError:
        raise typer.BadParameter(
            f"expected numbers separated by commas, received {','.join(given)!r}", param_hint=option
        ) from None
