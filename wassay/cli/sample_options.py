"""Options by which a sample of a long table's rows is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from wassay.sampling import Sample

SampleRows = Annotated[
    int | None,
    typer.Option(
        "--sample",
        metavar="N",
        help="Draw N rows of the file, and read it in batches, so that a long one fits into "
        "memory.",
    ),
]
SampleSeed = Annotated[
    int | None,
    typer.Option(
        metavar="SEED", help="With --sample: the same seed draws the same rows. Drawn by default."
    ),
]
SampleBy = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="With --sample: keep the shares of this column's classes. By default those of the "
        "labels, if there are any.",
    ),
]


def sample_of(rows: int | None, seed: int | None, by: str | None) -> Sample | None:
    """Return the sample that the options ask for, or None for all rows."""
    # Imports numpy, which other commands do not need.
    from wassay.sampling import CannotSample, Sample

    if rows is None:
        if seed is not None or by is not None:
            raise typer.BadParameter("expected --sample N too, received only how to draw it")
        return None
    try:
        return Sample(rows, by=by) if seed is None else Sample(rows, seed, by)
    except CannotSample as error:
        raise typer.BadParameter(str(error)) from None
