"""`wassay requests`, `answer`, `decline`, `withdraw`, `noisiest`: the seller's commands."""

from pathlib import Path
from typing import Annotated

import typer

import wassay
from wassay.cli.disclosure import MaxDisclosure, shown
from wassay.cli.errors import explained
from wassay.cli.options import ClassColumn, PointsFile, mode_option
from wassay.escaping import escape_control_characters
from wassay.models import ScorePolicy
from wassay.table import table


@explained()
def requests() -> None:
    """List the open requests that you may answer."""
    with wassay.Client() as client:
        for request in wassay.Seller(client).open_requests():
            modes = " or ".join(request.modes)
            noise = "" if request.epsilon is None else f"; with noise, ε = {request.epsilon:g}"
            typer.echo(
                escape_control_characters(
                    f"{request.id}  {request.title}  "
                    f"({request.organisation}; {request.dimension} coordinates; {modes}{noise})"
                )
            )


@explained()
def answer(
    request: Annotated[str, typer.Argument(help="The request's id.")],
    file: PointsFile,
    buyer: Annotated[
        str | None,
        typer.Option(help="Answer only if this buyer asked: an account, or its key's fingerprint."),
    ] = None,
    mode: Annotated[str, mode_option("What to send.")] = "measure",
    classes: Annotated[
        Path | None,
        typer.Option(
            help="A .npy file with the class of every point, if the request asks for labels."
        ),
    ] = None,
    class_column: ClassColumn = None,
    scores: Annotated[
        ScorePolicy,
        typer.Option(
            help="The most that the buyer sees of your points' scores; ‘scores’ can tell your "
            "records."
        ),
    ] = "none",
    compared: Annotated[
        bool,
        typer.Option(
            "--compared",
            help="Let the buyer read how far your points are from those of each other seller who "
            "lets it too.",
        ),
    ] = False,
    label: Annotated[
        str | None, typer.Option(help="What the buyer calls it; your account's name by default.")
    ] = None,
    listing: Annotated[
        str | None,
        typer.Option(
            help="Your listing that describes the points: its caps apply instead of yours."
        ),
    ] = None,
    timeout: Annotated[
        float,
        typer.Option(min=0, help="Seconds to wait for the buyer to seal you the reference's key."),
    ] = 60.0,
    max_disclosure: MaxDisclosure = None,
) -> None:
    """Answer a request with your points.

    Prints the contribution's id; before, on standard error, what each receiver could compute.
    """
    # numpy, which other commands need not wait for
    from wassay.cli.points import read_labelled

    points, labels = read_labelled(file, classes=classes, class_column=class_column)
    with wassay.Client() as client:
        contribution = wassay.Seller(client).answer(
            request,
            points,
            labels=labels,
            buyer=buyer,
            mode=mode,
            scores=scores,
            compared=compared,
            label=label,
            listing_id=listing,
            timeout=timeout,
            max_disclosure=max_disclosure,
            on_audit=shown,
        )
    typer.echo(contribution.id)


@explained()
def decline(
    request: Annotated[str, typer.Argument(help="Its id.")],
    reason: Annotated[str, typer.Argument(help="For the buyer to read.")],
) -> None:
    """Tell a buyer that you will not answer, and why."""
    with wassay.Client() as client:
        wassay.Seller(client).decline(request, reason=reason)


@explained()
def withdraw(
    contribution: Annotated[str, typer.Argument(help="Its id, as `wassay answer` says it.")],
) -> None:
    """Take an answer back, which no evaluation uses yet."""
    with wassay.Client() as client:
        client.contributions.withdraw(contribution)


@explained()
def noisiest(
    request: Annotated[str, typer.Argument(help="Its id; the newest evaluation is read.")],
) -> None:
    """Print which of your points look most like noise.

    The rows of the file that you answered with, from 0, at each s: compare them before you throw
    points away. On standard error, the evaluation's id, for `wassay receipt`.
    """
    with wassay.Client() as client:
        sweep = client.requests.get(request).sweep
        evaluations = (
            each
            for each in client.evaluations.list(request)
            if each.state == "succeeded" and each.extends is None
        )
        evaluation = next(evaluations, None)
        if evaluation is None:
            raise wassay.WassayError(f"your answer to {request} was not evaluated yet")
        typer.echo(f"evaluation {evaluation.id}", err=True)
        read = wassay.Seller(client).scores
        rows = [(f"{s:g}", ", ".join(map(str, read(evaluation.id, s=s).noisiest))) for s in sweep]
    typer.echo(table(("s", "rows"), rows))
