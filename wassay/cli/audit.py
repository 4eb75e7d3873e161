"""`wassay audit`: attack one's own points as their receivers could."""

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
"""Rows of a longer file that are read, unless --sample says how many.

The attacks take at most a tenth of these; the others serve to know the points' scale.
"""


@explained()
def audit(
    file: PointsFile,
    mode: Annotated[
        str,
        mode_option("How the seller contributes; with --t0, how sellers may contribute."),
    ] = "measure",
    s: Annotated[
        list[float] | None,
        typer.Option(metavar="S", help="A value of the sweep. Repeatable; ¼, ½ and ¾ by default."),
    ] = None,
    t0: Annotated[
        float | None,
        typer.Option(help="Audit as a buyer with this t0, instead of as a seller."),
    ] = None,
    buyer: Annotated[
        Path | None,
        typer.Option(help="For cost blocks: a .npy file with the buyer's pushed points."),
    ] = None,
    scores: Annotated[
        ScorePolicy, typer.Option(help="How much of a seller's scores the buyer is shown.")
    ] = "none",
    dimensions: Annotated[
        int | None,
        typer.Option(
            metavar="R",
            help="Assume that the request compares random projections to this many dimensions.",
        ),
    ] = None,
    size: Annotated[int, typer.Option(help="Number of points of the reference γ.")] = 1,
    mean: Annotated[float, typer.Option(help="Mean of γ's normal coordinates.")] = 0.0,
    std: Annotated[
        float | None,
        typer.Option(
            help="Standard deviation of γ's coordinates. By default the points' scale if the "
            "reference is sealed and of one point, or else 1."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of γ; drawn by default.")] = None,
    open_reference: Annotated[
        bool,
        typer.Option(
            "--open",
            help="Assume an open reference: the service knows its seed, and there is no isometry.",
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
        float | None, typer.Option(help="ε of distances with noise, which come without scores.")
    ] = None,
    request: Annotated[
        str | None,
        typer.Option(
            help="Audit your contribution to this request, without sending it. Reads the request "
            "from the service."
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
            min=0, help="How many of your records to assume that the service knows beforehand."
        ),
    ] = 20,
    keep_order: KeepOrder = False,
    words: Annotated[
        Path | None,
        typer.Option(
            help="If your points are a text: a file of word vectors, in the text format of "
            "word2vec or GloVe, to count the words that each receiver reads."
        ),
    ] = None,
) -> None:
    """Attack your own points as their receivers could.

    Sends nothing. Prints how well each receiver could reconstruct them. Only --request needs a
    service.
    """
    # Imports numpy, which other commands do not need.
    from wassay.audit import COLUMN_RECORDS, BuyerMeasure, OwnScores, Sent, sampled_rows
    from wassay.audit import audit as self_audit
    from wassay.cli.point_files import offered_rows, read_points, sampled_points
    from wassay.cli.word_vectors import read_vectors
    from wassay.client.seller.costs import PointCosts
    from wassay.client.seller.modes.mode import Swept
    from wassay.client.seller.modes.registry import seller_mode
    from wassay.client.shared.reference import OpenReference
    from wassay.client.shared.sent_rows import to_send
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
    if chosen is None and size == 1:  # A push to one point moves every record alone.
        chosen = Sample(AUDITED_ROWS, seed=0)
    measure, drawn = sampled_points(file, class_column=class_column, weights=weights, sample=chosen)
    measure, _, _ = to_send(measure, None, drawn, keeps_order=keep_order)
    if dimensions is not None and open_reference:
        raise wassay.WassayError("--dimensions needs a sealed reference: leave out --open")
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
    if t0 is None or size == 1:  # Only the attack on a push to several points takes all records.
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
            "expected the buyer's pushed points, which cost blocks are distances to: name their "
            "file with --buyer"
        )
    else:
        costs = None
        if buyer is not None:
            seen = shared.conceal(wassay.Measure(read_points(buyer)))
            costs = PointCosts(pushed, shared, seen, 2)
        sent = seller_mode(mode).sent(
            Swept(pushed, shared, s or SWEEP, costs, keeps_order=keep_order)
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
