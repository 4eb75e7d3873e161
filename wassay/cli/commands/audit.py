"""`wassay audit`: attack the caller's own points as their receivers could."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import ClassColumn, KeepOrder, PointsFile, Weights, mode_option
from wassay.cli.recipe_options import Accept, Factor, Rename, multiplied, renamed
from wassay.cli.sample_options import SampleBy, SampleRows, SampleSeed, sample_of
from wassay.models import ScorePolicy
from wassay.modes import MODES

SWEEP = (0.25, 0.5, 0.75)

AUDITED_ROWS = 20_000
"""How many rows to draw from a longer file, unless --sample says how many.

All these rows determine the scale of the drawn reference.
"""


@explained()
def audit(
    file: PointsFile,
    mode: Annotated[
        str,
        mode_option("The seller's mode; with --t0, the mode that your request allows."),
    ] = "measure",
    s: Annotated[
        list[float] | None,
        typer.Option(
            metavar="S", help="A value of the sweep; by default 0.25, 0.5 and 0.75. Repeatable."
        ),
    ] = None,
    t0: Annotated[
        float | None,
        typer.Option(help="Audit as a buyer with this t0, instead of as a seller."),
    ] = None,
    buyer: Annotated[
        Path | None,
        typer.Option(help="With cost blocks: a .npy file with the buyer's pushed points."),
    ] = None,
    scores: Annotated[
        ScorePolicy, typer.Option(help="What the buyer sees of the scores of the seller's points.")
    ] = "none",
    dimensions: Annotated[
        int | None,
        typer.Option(
            metavar="R",
            help="Assume that points are projected at random to this number of dimensions.",
        ),
    ] = None,
    size: Annotated[int, typer.Option(help="The number of points of the reference γ.")] = 1,
    mean: Annotated[float, typer.Option(help="The mean of γ's normal coordinates.")] = 0.0,
    std: Annotated[
        float | None,
        typer.Option(
            help="The standard deviation of γ's coordinates. By default the points' scale if γ is "
            "sealed and has one point, otherwise 1."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The seed of γ; by default random.")] = None,
    open_reference: Annotated[
        bool,
        typer.Option(
            "--open",
            help="Assume an open reference: the service knows γ's seed, and there is no isometry.",
        ),
    ] = False,
    reveals_scores: Annotated[
        bool,
        typer.Option(
            "--reveals-scores",
            help="With --t0: assume that sellers may read the exact scores of their own points.",
        ),
    ] = False,
    epsilon: Annotated[
        float | None,
        typer.Option(help="Assume distances with noise of this ε; then no one sees scores."),
    ] = None,
    request: Annotated[
        str | None,
        typer.Option(
            help="Audit your contribution to the request with this id, which is read from the "
            "service. The contribution is not sent."
        ),
    ] = None,
    classes: Annotated[
        Path | None,
        typer.Option(help="With --request: a .npy file with the class of each point."),
    ] = None,
    class_column: ClassColumn = None,
    weights: Weights = None,
    sample: SampleRows = None,
    sample_seed: SampleSeed = None,
    sample_by: SampleBy = None,
    rename: Rename = None,
    factor: Factor = None,
    accept: Accept = None,
    known_records: Annotated[
        int,
        typer.Option(
            min=0, help="Assume that the service already knows this many of your records."
        ),
    ] = 20,
    keep_order: KeepOrder = False,
    words: Annotated[
        Path | None,
        typer.Option(
            help="If your points are the words of a text: a file of word vectors in the text "
            "format of word2vec or GloVe. Counts the words that each receiver can read."
        ),
    ] = None,
) -> None:
    """Attack your own points as their receivers could.

    Prints how well each receiver could reconstruct them; only --request needs a service. Draws
    20,000 rows of a longer file, unless --sample, --request or a --size above 1 is given.
    """
    # Imported here, because it loads numpy, which other commands do not need.
    from wassay.audit import COLUMN_RECORDS, BuyerMeasure, OwnScores, Sent, sampled_rows
    from wassay.audit import audit as self_audit
    from wassay.cli.point_files import offered_rows, read_points, sampled_points
    from wassay.cli.word_vectors import read_vectors
    from wassay.client.seller.computed_costs import PointCosts
    from wassay.client.seller.modes.mode import SweptPoints
    from wassay.client.seller.modes.registry import seller_mode
    from wassay.client.shared.sent_rows import in_sending_order
    from wassay.client.shared.shared_reference import OpenReference
    from wassay.reference_key import ReferenceKey
    from wassay.sampling import Sample
    from wassay.transport import RandomProjection, project, scale_hiding

    chosen = sample_of(sample, sample_seed, sample_by)
    if request is not None:
        with wassay.Client() as client:
            offered, labels = offered_rows(
                client,
                request,
                file,
                rename=renamed(rename),
                classes=classes,
                class_column=class_column,
                weights=weights,
                sample=chosen,
                limited=MODES[mode].is_verified,
            )
            found = wassay.Seller(client).audit(
                request,
                offered,
                rename=renamed(rename),
                factors=multiplied(factor),
                accept_differences=accept or (),
                labels=labels,
                mode=mode,
                privacy=wassay.SellerPrivacy(scores=scores, keeps_order=keep_order),
            )
        typer.echo(found)
        return
    # A reference of one point pushes each record independently, so auditing a sample is enough.
    if chosen is None and size == 1:
        chosen = Sample(AUDITED_ROWS, seed=0)
    measure, drawn = sampled_points(file, class_column=class_column, weights=weights, sample=chosen)
    measure, _, _ = in_sending_order(measure, None, drawn, keeps_order=keep_order)
    if dimensions is not None and open_reference:
        raise wassay.WassayError(
            "--dimensions needs a sealed reference, received --open: leave one of them out"
        )
    projection = (
        None if dimensions is None else RandomProjection.draw(measure.dimension, dimensions)
    )
    compared = measure if projection is None else projection.apply(measure)
    if std is None:
        std = 1.0 if open_reference or size > 1 else scale_hiding(compared)
    reference = wassay.Reference(
        size=size,
        dimension=compared.dimension,
        distribution=wassay.Normal(mean, std),
        seed=secrets.randbits(128) if seed is None else seed,
    )
    shared = (
        OpenReference(reference)
        if open_reference
        else ReferenceKey.draw(reference, scale_hiding(compared), projection)
    )
    pushed = project(compared, reference.measure())
    # Attack a sample of the records. Only a buyer's push to a reference of several points is
    # attacked with all records, because that attack needs them.
    if t0 is None or size == 1:
        rows = sampled_rows(measure, COLUMN_RECORDS)
        pushed = pushed.only(rows)
        measure = wassay.Measure(measure.points[rows], pushed.measure.weights)
    sent: Sent
    if t0 is not None:
        own_scores: OwnScores = "scores" if reveals_scores else "noisiest"
        sent = BuyerMeasure(
            shared.conceal(pushed.interpolate(t0)),
            shown_to_sellers=MODES[mode].reveals_measure,
            own_scores=own_scores if epsilon is None else "none",
            keeps_order=keep_order,
        )
    elif buyer is None and seller_mode(mode).audits_costs:
        raise wassay.TransportError(
            f"mode {mode} needs the buyer's pushed points, to compute the costs to them: name "
            "their file with --buyer"
        )
    else:
        costs = None
        if buyer is not None:
            seen = shared.conceal(wassay.Measure(read_points(buyer)))
            costs = PointCosts(pushed, shared, seen, 2)
        sent = seller_mode(mode).sent(
            SweptPoints(pushed, shared, s or SWEEP, costs, keeps_order=keep_order)
        )
    typer.echo(
        self_audit(
            measure,
            sent,
            reference,
            isometry=None if open_reference else shared.conceal,
            projection=projection,
            scores=scores,
            epsilon=epsilon,
            known_records=known_records,
            vectors=None if words is None else read_vectors(words),
        )
    )
    if drawn is not None and drawn.total > len(drawn.numbers):
        typer.echo(f"\nAudited: {drawn}.")
