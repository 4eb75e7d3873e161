"""`wassay ask`, `invite`, `answers`, `evaluate`, `result`, `report`, `cancel`: the buyer's."""

from __future__ import annotations

from errno import EEXIST
from os import strerror
from pathlib import Path
from typing import Annotated

import typer

import wassay
from wassay.cli.disclosure import MaxDisclosure, shown
from wassay.cli.errors import explained
from wassay.cli.options import ClassColumn, PointsFile
from wassay.cli.sellers import require_accounts
from wassay.models import Mode, SellerWeighting
from wassay.modes import MODES
from wassay.table import table

Kept = Annotated[Path, typer.Argument(help="The file that `wassay ask` wrote.")]

NO_KEY = (
    "{account} has published no encryption key yet (wassay key); once they have, or while they "
    "wait to answer: wassay invite {keep}"
)

NOBODY = "Nobody can answer before you invite them: wassay invite {keep} ACCOUNT"


@explained()
def ask(
    file: PointsFile,
    keep: Annotated[
        Path,
        typer.Argument(
            help="A new file for your t0 and the reference's key: needed for the result, never "
            "sent in the clear."
        ),
    ],
    title: Annotated[str, typer.Option(help="What sellers read first.")],
    t0: Annotated[
        float,
        typer.Option(
            prompt="t0, your private push in (0, 1)",
            help="Your private push; asked for when left out, to keep it out of the history.",
        ),
    ],
    seller: Annotated[
        list[str] | None,
        typer.Option(metavar="ACCOUNT", help="Whom to invite; give it more than once."),
    ] = None,
    everyone: Annotated[bool, typer.Option("--everyone", help="Let every seller answer.")] = False,
    open_reference: Annotated[
        bool,
        typer.Option(
            "--open",
            help="Give the service the reference's seed: whoever runs it can then compute "
            "everybody's raw points.",
        ),
    ] = False,
    reveals_measure: Annotated[
        bool,
        typer.Option(
            "--reveals-measure",
            help="Take cost blocks and scalars too: sellers who send them download your pushed "
            "points, and can compute the raw ones.",
        ),
    ] = False,
    classes: Annotated[
        Path | None,
        typer.Option(
            help="A .npy file, the class of every point: ask for the distance of labelled data. "
            "Needs --reveals-measure; which points are of one class leaves in the clear."
        ),
    ] = None,
    class_column: ClassColumn = None,
    matches_names: Annotated[
        bool,
        typer.Option(
            "--matches-names",
            help="Compare each class with the one of its name alone; the names of yours leave in "
            "the clear.",
        ),
    ] = False,
    reveals_scores: Annotated[
        bool,
        typer.Option(
            "--reveals-scores",
            help="Let sellers read exact scores of their own points, where all sellers show "
            "theirs: with enough points they can compute your pushed ones.",
        ),
    ] = False,
    epsilon: Annotated[
        float | None,
        typer.Option(
            help="Take answers with noise: what an evaluation may tell of any one record; needs "
            "--radius.",
        ),
    ] = None,
    radius: Annotated[
        float | None,
        typer.Option(
            help="With --epsilon: pull pushed points into this ball around the mean of yours."
        ),
    ] = None,
    max_disclosure: MaxDisclosure = None,
) -> None:
    """Open a request over your points.

    Prints the request's id; before, on standard error, what each receiver could compute.
    """
    # numpy, which other commands need not wait for
    from wassay.cli.points import read_labelled

    if keep.exists():
        raise FileExistsError(EEXIST, strerror(EEXIST), str(keep))
    points, labels = read_labelled(file, classes=classes, class_column=class_column)
    with wassay.Client() as client:
        require_accounts(client, seller or ())
        request = wassay.Buyer(client).ask(
            points,
            labels=labels,
            matches_names=matches_names,
            title=title,
            t0=t0,
            sealed=not open_reference,
            sellers=seller or (),
            audience="everyone" if everyone else "invited",
            modes=_modes(reveals_measure=reveals_measure, labelled=labels is not None),
            reveals_measure=reveals_measure,
            reveals_scores=reveals_scores,
            epsilon=epsilon,
            radius=radius,
            max_disclosure=max_disclosure,
            on_audit=shown,
        )
        try:
            request.save(keep)
        except BaseException:
            # Without t0 nobody could ever read the answers.
            request.cancel()
            raise
        for account in request.share_key():
            typer.echo(NO_KEY.format(account=account, keep=keep), err=True)
    if not (seller or (everyone and open_reference)):
        typer.echo(NOBODY.format(keep=keep), err=True)
    typer.echo(request.id)


@explained()
def invite(
    keep: Kept,
    accounts: Annotated[list[str] | None, typer.Argument(help="Sellers to invite.")] = None,
) -> None:
    """Invite sellers, and seal the reference's key to them.

    Also to those invited before who have published their own since. Says on standard error who has
    not yet.
    """
    with wassay.Client() as client:
        request = wassay.Buyer(client).load(keep)
        require_accounts(client, accounts or ())
        for account in accounts or ():
            request.invite(account)
        for account in request.share_key():
            typer.echo(NO_KEY.format(account=account, keep=keep), err=True)


@explained()
def answers(keep: Kept) -> None:
    """Print who has answered, who has not, and why not."""
    with wassay.Client() as client:
        request = wassay.Buyer(client).load(keep)
        given = request.contributions()
        invited = [each.account_id for each in client.requests.invitations(request.id)]
    rows = [
        (
            each.label,
            each.account_id,
            each.id,
            "" if each.points is None else str(each.points),
            f"{each.state}: {each.decline_reason}" if each.decline_reason else each.state,
        )
        for each in given
    ]
    begun = {each.account_id for each in given if each.state != "withdrawn"}
    rows += [("", account, "", "", "invited") for account in invited if account not in begun]
    if rows:
        typer.echo(table(("seller", "account", "contribution", "points", "state"), rows))
    else:
        typer.echo("Nobody is invited, and nobody has begun to answer.", err=True)


@explained()
def evaluate(
    keep: Kept,
    seller_weighting: Annotated[
        SellerWeighting, typer.Option(help="Whether every point counts the same, or every seller.")
    ] = "points",
) -> None:
    """Evaluate what sellers submitted.

    Waits, and prints the estimates at your t0; on standard error, the evaluation's id.
    """
    from wassay.client import ConnectionFailedError  # which other commands need not wait for

    with wassay.Client() as client:
        request = wassay.Buyer(client).load(keep)
        evaluation = request.evaluate(seller_weighting=seller_weighting)
        try:
            evaluation.wait(progress=True)
        except (KeyboardInterrupt, ConnectionFailedError):
            # It goes on without who waits.
            typer.echo(f"\nRead it later by: wassay result {keep} {evaluation.id}", err=True)
            raise
        typer.echo(_found(evaluation).estimates())


@explained()
def result(
    keep: Kept,
    evaluation: Annotated[str, typer.Argument(help="Its id, as `wassay evaluate` says it.")],
    plot: Annotated[
        Path | None, typer.Option(help="Draw the distance curves into this file too.")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="All that the service says, instead of the table.")
    ] = False,
) -> None:
    """Print the estimates of an evaluation at your t0."""
    with wassay.Client() as client:
        request = wassay.Buyer(client).load(keep)
        found = _found(request.evaluation(evaluation))
    typer.echo(found.to_json() if json else found.estimates())
    if plot is not None:
        found.plot(plot)


@explained()
def report(
    keep: Kept,
    evaluation: Annotated[str, typer.Argument(help="Its id, as `wassay evaluate` says it.")],
    file: Annotated[Path, typer.Argument(help="A new HTML file. It shows your t0.")],
) -> None:
    """Write one page about an evaluation.

    It has sellers, curves, scores, findings, proofs and the receipt.
    """
    with wassay.Client() as client:
        wassay.Buyer(client).load(keep).evaluation(evaluation).report(file)


@explained()
def cancel(keep: Kept) -> None:
    """Give a request up, and its unfinished evaluations.

    What was evaluated before can still be read.
    """
    with wassay.Client() as client:
        wassay.Buyer(client).load(keep).cancel()


def _modes(*, reveals_measure: bool, labelled: bool) -> tuple[Mode, ...]:
    if labelled:
        return tuple(name for name, terms in MODES.items() if terms.takes_labels)
    return tuple(
        name for name, terms in MODES.items() if reveals_measure or not terms.reveals_measure
    )


def _found(evaluation: wassay.Evaluation) -> wassay.Result | wassay.NoisedResult:
    return evaluation.result() if evaluation.epsilon is None else evaluation.noised_result()
