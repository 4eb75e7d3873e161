"""`wassay audit`: what receivers could compute, before anything is sent."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import ClassColumn, PointsFile, mode_option
from wassay.models import ScorePolicy
from wassay.modes import MODES

SWEEP = (0.25, 0.5, 0.75)


@explained()
def audit(
    file: PointsFile,
    mode: Annotated[
        str,
        mode_option("How the seller answers; with --t0, how sellers may answer."),
    ] = "measure",
    s: Annotated[
        list[float] | None,
        typer.Option(
            metavar="S", help="A value of the sweep; give it more than once. ¼, ½ and ¾ by default."
        ),
    ] = None,
    t0: Annotated[
        float | None,
        typer.Option(help="Audit a buyer, who pushes the points to this t0, instead of a seller."),
    ] = None,
    buyer: Annotated[
        Path | None,
        typer.Option(help="The buyer's pushed points, a .npy file, for a seller's cost blocks."),
    ] = None,
    scores: Annotated[
        ScorePolicy, typer.Option(help="What the buyer gets to see of a seller's points' scores.")
    ] = "none",
    size: Annotated[int, typer.Option(help="How many points γ has.")] = 1,
    mean: Annotated[float, typer.Option(help="The mean of γ's normal coordinates.")] = 0.0,
    std: Annotated[float, typer.Option(help="Their standard deviation.")] = 1.0,
    seed: Annotated[int | None, typer.Option(help="γ's seed; a fresh one by default.")] = None,
    open_reference: Annotated[
        bool,
        typer.Option(
            "--open",
            help="The service knows the reference's seed, and there is no secret isometry.",
        ),
    ] = False,
    reveals_scores: Annotated[
        bool,
        typer.Option(
            "--reveals-scores",
            help="With --t0: sellers may read the exact scores of their own points.",
        ),
    ] = False,
    epsilon: Annotated[
        float | None, typer.Option(help="The ε of answers with noise, which show no scores.")
    ] = None,
    request: Annotated[
        str | None,
        typer.Option(
            help="Audit your answer to this request, without giving it; the service says the rest."
        ),
    ] = None,
    classes: Annotated[
        Path | None,
        typer.Option(help="With --request: a .npy file with the class of each point, in numbers."),
    ] = None,
    class_column: ClassColumn = None,
    known_records: Annotated[
        int, typer.Option(min=0, help="How many records the service may know beforehand.")
    ] = 20,
    words: Annotated[
        Path | None,
        typer.Option(
            help="A file of word vectors, in the text format of word2vec and GloVe, if your points "
            "are a text: counts the words that each receiver reads."
        ),
    ] = None,
) -> None:
    """Attack your own points as their receivers could.

    Prints how well each receiver could reconstruct them. Nothing is sent anywhere; only --request
    needs a service, to read it.
    """
    # numpy and the mathematics, which other commands need not wait for
    from wassay.audit import BuyerMeasure, OwnScores, Sent
    from wassay.audit import audit as self_audit
    from wassay.cli.points import read_labelled, read_points
    from wassay.cli.vectors import read_vectors
    from wassay.client.seller.costs import PointCosts
    from wassay.client.seller.modes.mode import Swept
    from wassay.client.seller.modes.registry import SELLER_MODES
    from wassay.client.shared.reference import OpenReference
    from wassay.reference_key import ReferenceKey
    from wassay.transport import project, scale_hiding

    points, labels = read_labelled(file, classes=classes, class_column=class_column)
    measure = wassay.Measure(points)
    if request is not None:
        with wassay.Client() as client:
            seller = wassay.Seller(client)
            typer.echo(seller.audit(request, measure, labels=labels, mode=mode, scores=scores))
        return
    reference = wassay.Reference(
        size=size,
        dimension=measure.dimension,
        distribution=wassay.Normal(mean, std),
        seed=secrets.randbits(128) if seed is None else seed,
    )
    shared = (
        OpenReference(reference)
        if open_reference
        else ReferenceKey.draw(reference, scale_hiding(measure))
    )
    projection = project(measure, reference.measure())
    sent: Sent
    if t0 is not None:
        own_scores: OwnScores = "scores" if reveals_scores else "noisiest"
        sent = BuyerMeasure(
            shared.conceal(projection.interpolate(t0)),
            shown_to_sellers=MODES[mode].reveals_measure,
            own_scores=own_scores if epsilon is None else "none",
        )
    elif buyer is None and SELLER_MODES[mode].audits_costs:
        raise wassay.TransportError(
            "cost blocks are distances to the buyer's pushed points: name their file with --buyer"
        )
    else:
        costs = None
        if buyer is not None:
            seen = shared.conceal(wassay.Measure(read_points(buyer)))
            costs = PointCosts(projection, shared, seen, 2)
        sent = SELLER_MODES[mode].sent(Swept(projection, shared, s or SWEEP, costs))
    typer.echo(
        self_audit(
            measure,
            sent,
            reference,
            isometry=None if open_reference else shared.conceal,
            scores=scores,
            epsilon=epsilon,
            known_records=known_records,
            vectors=None if words is None else read_vectors(words),
        )
    )
