"""Options that draw a sample of the rows of a file."""

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
        help="Draw N rows of the file. The file is read in batches, so a long file fits into "
        "memory.",
    ),
]
SampleSeed = Annotated[
    int | None,
    typer.Option(
        metavar="SEED",
        help="With --sample: the seed of the draw; by default random. The same seed draws the same "
        "rows.",
    ),
]
SampleBy = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN",
        help="With --sample: keep the shares of the classes of this column; by default those of "
        "the labels, if there are labels.",
    ),
]


def sample_of(rows: int | None, seed: int | None, by: str | None) -> Sample | None:
    """Return the sample that the options ask for; None for all rows, if `rows` is None."""
    # Imported here, because it loads numpy, which other commands do not need.
    from wassay.sampling import CannotSample, Sample

    if rows is None:
        if seed is not None or by is not None:
            raise typer.BadParameter(
                "expected --sample N with --sample-seed or --sample-by, received none: say how "
                "many rows to draw"
            )
        return None
    try:
        return Sample(rows, by=by) if seed is None else Sample(rows, seed, by)
    except CannotSample as error:
        raise typer.BadParameter(str(error)) from None
