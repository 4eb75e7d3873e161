"""`wassay requests`, `check`, `answer`, `decline`, `withdraw` and `noisiest`: for sellers."""

from collections.abc import Sequence
from typing import Annotated

import typer

import wassay
from wassay.cli.arguments_as_options import with_options
from wassay.cli.disclosure_limit import MaxDisclosure, print_audit
from wassay.cli.errors import explained
from wassay.cli.options import (
    ClassColumn,
    Classes,
    KeepOrder,
    PointsFile,
    RequestId,
    Weights,
    mode_option,
)
from wassay.cli.recipe_options import Accept, Factor, Rename, multiplied, renamed
from wassay.cli.sample_options import SampleBy, SampleRows, SampleSeed, sample_of
from wassay.control_characters import escape_control_characters, escape_line
from wassay.models import FieldType, ScorePolicy
from wassay.modes import MODES
from wassay.table import fixed, table


@explained()
def requests(
    text: Annotated[
        str | None, typer.Argument(help="Words that the request or its fields must contain.")
    ] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD", help="A field that the request's recipe must read. Repeatable."
        ),
    ] = None,
    type_: Annotated[
        FieldType | None,
        typer.Option("--type", help="The type of these fields; without --field, of any field."),
    ] = None,
    unit: Annotated[
        str | None, typer.Option(help="The unit of these fields; without --field, of any field.")
    ] = None,
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
                escape_line(
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
    classes: Classes = None,
    class_column: ClassColumn = None,
    sample: SampleRows = None,
    sample_seed: SampleSeed = None,
    sample_by: SampleBy = None,
    timeout: Annotated[
        float, typer.Option(min=0, help="Seconds to wait for the buyer to send you the recipe.")
    ] = 60.0,
) -> None:
    """Compare a table with what a buyer's request expects, before you answer.

    Sends nothing of the table, and tells the buyer nothing. Prints a line for each difference.
    Exits with status 1 if `wassay answer` would refuse one of the differences.
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


@explained()
def answer(
    request: RequestId,
    file: PointsFile,
    rename: Rename = None,
    factor: Factor = None,
    accept: Accept = None,
    buyer: Annotated[
        str | None,
        typer.Option(
            help="Answer only if this is the buyer: an account's id or a key's fingerprint."
        ),
    ] = None,
    mode: Annotated[
        str, mode_option("What to send: pushed points, costs, or a few numbers for each s.")
    ] = "measure",
    classes: Classes = None,
    class_column: ClassColumn = None,
    weights: Weights = None,
    sample: SampleRows = None,
    sample_seed: SampleSeed = None,
    sample_by: SampleBy = None,
    scores: Annotated[
        ScorePolicy,
        typer.Option(
            help="What to show the buyer of your points' scores. Your records can be computed from "
            "exact `scores`."
        ),
    ] = "none",
    compared: Annotated[
        bool,
        typer.Option(
            "--compared",
            help="Let the buyer read the distances between your points and those of other sellers "
            "who pass --compared too.",
        ),
    ] = False,
    keep_order: KeepOrder = False,
    label: Annotated[
        str | None,
        typer.Option(help="Your name in the buyer's tables; by default your account's name."),
    ] = None,
    listing: Annotated[
        str | None,
        typer.Option(
            help="The listing that describes your points. If the listing has caps, these apply "
            "instead of your account's caps."
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
            help="Answer even if the service shows an open reference, with which its operator can "
            "compute your raw points. Ask the buyer whether the reference is really open.",
        ),
    ] = False,
    max_disclosure: MaxDisclosure = None,
) -> None:
    """Contribute your points to a buyer's request.

    Prints the contribution's id, and to standard error what each receiver could compute about your
    points.
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
    typer.echo(escape_line(contribution.id))


@explained()
def decline(
    request: RequestId,
    reason: Annotated[str, typer.Argument(help="The reason, which the buyer reads.")],
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

    If an evaluation has used the contribution, wait until the request has ended.
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
            help="Print which of your labels are probably wrong instead, if the request takes "
            "labels.",
        ),
    ] = False,
) -> None:
    """Print which of your points look like noise to the buyer.

    Reads the newest evaluation of the request that has succeeded. Prints row numbers of your file,
    counted from 0, in ascending order. Look at the rows before you discard any. With --labels, if
    the buyer's request reveals scores, prints the score of every label, the worst first. Prints the
    evaluation's id, for `wassay receipt`, to standard error.
    """
    with wassay.Client() as client:
        evaluations = (
            each
            for each in client.evaluations.list(request)
            if each.state == "succeeded" and each.extends is None
        )
        evaluation = next(evaluations, None)
        if evaluation is None:
            raise wassay.WassayError(
                f"your contribution to {request} has not been evaluated yet: try again later"
            )
        typer.echo(escape_line(f"evaluation {evaluation.id}"), err=True)
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
