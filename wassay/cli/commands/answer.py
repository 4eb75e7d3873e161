"""`wassay answer`: contribute points to a request."""

from typing import Annotated

import typer

import wassay
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
from wassay.control_characters import escape_line
from wassay.models import ScorePolicy
from wassay.modes import MODES


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
    allow_comparison: Annotated[
        bool,
        typer.Option(
            "--allow-comparison",
            help="Let the buyer read the distances between your points and those of other sellers "
            "who pass --allow-comparison too.",
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
                allows_comparison=allow_comparison,
                keeps_order=keep_order,
                open_reference=open_reference,
                max_disclosure=max_disclosure,
            ),
            timeout=timeout,
            on_audit=print_audit,
        )
    typer.echo(escape_line(contribution.id))
