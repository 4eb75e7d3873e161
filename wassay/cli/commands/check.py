"""`wassay check`: compare a table with what a request expects."""

from typing import Annotated

import typer

import wassay
from wassay.cli.arguments_as_options import with_options
from wassay.cli.errors import explained
from wassay.cli.options import (
    ClassColumn,
    Classes,
    PointsFile,
    RequestId,
)
from wassay.cli.recipe_options import Factor, Rename, multiplied, renamed
from wassay.cli.sample_options import SampleBy, SampleRows, SampleSeed, sample_of
from wassay.control_characters import escape_control_characters


@explained()
def check(
    request: RequestId,
    file: PointsFile,
    rename: Rename = None,
    factor: Factor = None,
    classes: Classes = None,
    class_column: ClassColumn = None,
    sample: SampleRows = None,
    sample_seed: SampleSeed = None,
    sample_by: SampleBy = None,
    timeout: Annotated[
        float, typer.Option(min=0, help="Seconds to wait for the buyer to send you the recipe.")
    ] = 60.0,
) -> None:
    """Compare a table with what a buyer's request expects, and print each difference.

    Sends nothing of the table. Exits with status 1 if `wassay answer` without --accept refuses a
    difference.
    """
    # Imported here, because it loads numpy, which other commands do not need.
    from wassay.cli.point_files import offered_rows

    with wassay.Client() as client:
        rows, labels = offered_rows(
            client,
            request,
            file,
            rename=renamed(rename),
            classes=classes,
            class_column=class_column,
            sample=sample_of(sample, sample_seed, sample_by),
            limited=False,
        )
        found = wassay.Seller(client).check(
            request,
            rows,
            rename=renamed(rename),
            factors=multiplied(factor),
            labels=labels,
            timeout=timeout,
        )
    if not found:
        typer.echo(f"{file}: nothing differs from what the request expects", err=True)
    for each in found:
        name = each.kind if each.harmless else each.name
        typer.echo(escape_control_characters(f"{name}: {with_options(str(each))}"))
    if not all(each.harmless for each in found):
        raise typer.Exit(1)
