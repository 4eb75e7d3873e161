"""`wassay requests`, `check`, `answer`, `decline`, `withdraw`, `noisiest`: the seller's side."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

import wassay
from wassay.cli.arguments_as_options import with_options
from wassay.cli.disclosure_limit import MaxDisclosure, print_audit
from wassay.cli.errors import explained
from wassay.cli.options import (
    ClassColumn,
    KeepOrder,
    PointsFile,
    RequestId,
    Weights,
    mode_option,
)
from wassay.cli.recipe_options import Accept, Factor, Rename, multiplied, renamed
from wassay.cli.sample_options import SampleBy, SampleRows, SampleSeed, sample_of
from wassay.control_characters import escape_control_characters
from wassay.models import FieldType, ScorePolicy
from wassay.modes import MODES
from wassay.table import fixed, table


@explained()
def requests(
    text: Annotated[
        str | None, typer.Argument(help="Words that the request or its fields contain.")
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD", help="Only requests whose recipe reads it. Repeatable."),
    ] = None,
    type_: Annotated[
        FieldType | None, typer.Option("--type", help="The type of these fields, or of any.")
    ] = None,
    unit: Annotated[str | None, typer.Option(help="Their unit.")] = None,
) -> None:
    """List the open requests of buyers that you may answer."""
    with wassay.Client() as client:
        found = wassay.Seller(client).open_requests(field or (), text=text, type=type_, unit=unit)
        for request in found:
            modes = " or ".join(request.modes)
            coordinates = f"{request.dimension} coordinates"
            if request.projected_from is not None:
                coordinates = f"{request.projected_from} projected to {coordinates}"
            noise = "" if request.epsilon is None else f"; with noise, ε = {request.epsilon:g}"
            typer.echo(
                escape_control_characters(
                    f"{request.id}  {request.title}  "
                    f"({request.organisation}; {coordinates}; {modes}{noise})"
                )
            )


@explained()
def check(
    request: RequestId,
    file: PointsFile,
    rename: Rename = None,
    factor: Factor = None,
    sample: SampleRows = None,
    sample_seed: SampleSeed = None,
    sample_by: SampleBy = None,
    timeout: Annotated[
        float, typer.Option(min=0, help="Seconds to wait for the buyer to send you the recipe.")
    ] = 60.0,
) -> None:
    """Compare a table with what a buyer's request expects, before you answer.

    Sends nothing of the table; the buyer does not notice. Prints a line for each difference, and
    exits with status 1 if `wassay answer` would refuse one.
    """
    # Imports numpy, which other commands do not need.
    from wassay.cli.point_files import offered_rows
    from wassay.client.errors import name_of

    with wassay.Client() as client:
        rows, _ = offered_rows(
            client,
            request,
            file,
            rename=renamed(rename),
            sample=sample_of(sample, sample_seed, sample_by),
            limited=False,
        )
        found = wassay.Seller(client).check(
            request,
            rows,
            rename=renamed(rename),
            factors=multiplied(factor),
            timeout=timeout,
        )
    for each in found:
        name = each.kind if each.harmless else name_of(each)
        typer.echo(escape_control_characters(f"{name}: {with_options(str(each))}"))
    if not all(each.harmless for each in found):
        raise typer.Exit(1)


@explained()
def answer(
    request: RequestId,
    file: PointsFile,
    rename: Rename = None,
    factor: Factor = None,
    accept: Accept = None,
    buyer: Annotated[
        str | None,
        typer.Option(help="The buyer you expect, by account or key fingerprint; refuse any other."),
    ] = None,
    mode: Annotated[str, mode_option("What to send.")] = "measure",
    classes: Annotated[
        Path | None,
        typer.Option(
            help="A .npy file with the class of each point, if the request compares labelled data."
        ),
    ] = None,
    class_column: ClassColumn = None,
    weights: Weights = None,
    sample: SampleRows = None,
    sample_seed: SampleSeed = None,
    sample_by: SampleBy = None,
    scores: Annotated[
        ScorePolicy,
        typer.Option(
            help="How much of your points' scores to show the buyer. `scores` can reveal your "
            "records."
        ),
    ] = "none",
    compared: Annotated[
        bool,
        typer.Option(
            "--compared",
            help="Let the buyer read the distances between your points and those of other sellers "
            "who allow it too.",
        ),
    ] = False,
    keep_order: KeepOrder = False,
    label: Annotated[
        str | None,
        typer.Option(help="Your name in the buyer's tables; your account's name by default."),
    ] = None,
    listing: Annotated[
        str | None,
        typer.Option(
            help="Your listing that describes the points. Its caps apply instead of your account's."
        ),
    ] = None,
    timeout: Annotated[
        float,
        typer.Option(min=0, help="Seconds to wait for the buyer to send you the reference's key."),
    ] = 60.0,
    open_reference: Annotated[
        bool,
        typer.Option(
            "--open-reference",
            help="Answer an open reference, too. Ask the buyer whether theirs is open.",
        ),
    ] = False,
    max_disclosure: MaxDisclosure = None,
) -> None:
    """Contribute your points to a buyer's request.

    Prints to standard error what each receiver could compute about your points, then the
    contribution's id.
    """
    # Imports numpy, which other commands do not need.
    from wassay.cli.point_files import offered_rows

    with wassay.Client() as client:
        rows, labels = offered_rows(
            client,
            request,
            file,
            rename=renamed(rename),
            classes=classes,
            class_column=class_column,
            weights=weights,
            sample=sample_of(sample, sample_seed, sample_by),
            limited=MODES[mode].is_verified,
        )
        contribution = wassay.Seller(client).answer(
            request,
            rows,
            rename=renamed(rename),
            factors=multiplied(factor),
            accept_differences=accept or (),
            labels=labels,
            buyer=buyer,
            mode=mode,
            label=label,
            listing_id=listing,
            privacy=wassay.SellerPrivacy(
                scores=scores,
                compared=compared,
                keeps_order=keep_order,
                open_reference=open_reference,
                max_disclosure=max_disclosure,
            ),
            timeout=timeout,
            on_audit=print_audit,
        )
    typer.echo(contribution.id)


@explained()
def decline(
    request: RequestId,
    reason: Annotated[str, typer.Argument(help="A reason for the buyer.")],
) -> None:
    """Decline a buyer's request, with a reason."""
    with wassay.Client() as client:
        wassay.Seller(client).decline(request, reason=reason)


@explained()
def withdraw(
    contribution: Annotated[
        str, typer.Argument(help="The contribution's id, which `wassay answer` prints.")
    ],
) -> None:
    """Withdraw your contribution, and delete its arrays from the service.

    If an evaluation has used it, wait until the request has ended.
    """
    with wassay.Client() as client:
        client.contributions.withdraw(contribution)


@explained()
def noisiest(
    request: RequestId,
    labels: Annotated[
        bool,
        typer.Option(
            "--labels",
            help="Print instead which of your labels are probably wrong, for labelled requests; "
            "with their scores where the buyer reveals these.",
        ),
    ] = False,
) -> None:
    """Print which of your points look like noise to the buyer.

    Reads the request's newest evaluation. Prints row numbers of your file, from 0, in no order:
    look at them before you discard any. With --labels, where the buyer's request reveals scores,
    prints the score of every label, the worst first. Prints to standard error the evaluation's id,
    for `wassay receipt`.
    """
    with wassay.Client() as client:
        evaluations = (
            each
            for each in client.evaluations.list(request)
            if each.state == "succeeded" and each.extends is None
        )
        evaluation = next(evaluations, None)
        if evaluation is None:
            raise wassay.WassayError(f"your contribution to {request} has not been evaluated yet")
        typer.echo(f"evaluation {evaluation.id}", err=True)
        seller = wassay.Seller(client)
        rows: Sequence[int]
        if labels:
            scored = seller.label_scores(evaluation.id)
            rows = scored.worst
            if scored.values is not None:
                places = scored.highest(len(scored.values))
                scores = sorted(scored.values.tolist(), reverse=True)
                lines = [
                    (str(row), fixed(score)) for row, score in zip(places, scores, strict=True)
                ]
                typer.echo(table(("row", "score"), lines))
                return
        else:
            rows = seller.scores(evaluation.id).noisiest
    typer.echo(table(("rows",), [(", ".join(map(str, rows)),)]))
