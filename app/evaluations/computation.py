"""What a child process computes of an evaluation: arrays in, a result document and scores out."""

import time
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from app.arrays import npy
from app.arrays.contents import split_weights
from app.arrays.store import ArrayStore
from app.evaluations.documents import curve_to_wire
from app.evaluations.problems import NotCertified, NotSolvable
from app.evaluations.tasks import ComputedScores, EvaluationOutput, EvaluationTask, SellerTask
from app.jobs.handlers import Json, Report
from app.jobs.memory import require_memory
from wassay import models as wire
from wassay import transport
from wassay.canonical_json import canonical_json
from wassay.transport import DistanceCurve, Measure, Scores, SellerCosts, Valuation

SOFTWARE = ("wassay", "numpy", "scipy", "POT")


def compute(arguments: Json, report: Report) -> Json:
    """Evaluate a request: read its arrays, solve, keep the scores, write the result.

    Parameters
    ----------
    arguments
        An `EvaluationTask`.
    report
        Told of the solves done.

    Returns
    -------
    Json
        An `EvaluationOutput`.

    Raises
    ------
    NotCertified
        If a distance could not be proven.
    NotSolvable
        If the arrays do not fit together.
    """
    task = EvaluationTask.model_validate(arguments)
    store = ArrayStore(Path(task.store))
    started = time.monotonic()
    try:
        if task.is_said:
            return _output(result_document(task, None, said_curves(task), {}, 0.0), [])
        valuation = valuate(task, store, report)
        solving = time.monotonic() - started
        document = result_document(
            task, valuation.together, valuation.alone, valuation.without, solving
        )
    except transport.NotCertified as error:
        raise NotCertified(str(error), certificate=asdict(error.certificate)) from error
    except transport.TransportError as error:
        raise NotSolvable(str(error)) from error
    return _output(document, kept_scores(valuation, store))


def valuate(task: EvaluationTask, store: ArrayStore, report: Report) -> Valuation:
    """Solve the task's sweep over the stacked costs of all sellers.

    Raises
    ------
    OutOfMemory
        If this process may not use as much as the arrays alone take.
    """
    require_memory(sum(store.local_path(digest).stat().st_size for digest in digests(task)))
    buyer = _measure(store, task.buyer.digest, weighted=task.buyer.weighted)
    sellers = [_seller_costs(store, seller, buyer, task.order) for seller in task.sellers]
    return transport.evaluate(
        buyer.weights,
        sellers,
        task.sweep,
        p=task.order,
        seller_weights=task.seller_weights,
        progress=report,
    )


def digests(task: EvaluationTask) -> set[str]:
    """Return the digests of all arrays that a task is computed from."""
    return {task.buyer.digest} | {
        array.digest for seller in task.sellers for array in seller.arrays
    }


def said_curves(task: EvaluationTask) -> dict[str, DistanceCurve]:
    """Return what each seller who answered by scalars says of themselves."""
    return {
        seller.contribution_id: transport.SweepScalars(
            seller.scalars.quadratic_coefficient,
            seller.scalars.rounding,
            {line.s: transport.Line(line.alpha, line.beta) for line in seller.scalars.lines},
        ).curve()
        for seller in task.sellers
        if seller.scalars is not None
    }


def result_document(
    task: EvaluationTask,
    together: DistanceCurve | None,
    alone: Mapping[str, DistanceCurve],
    without: Mapping[str, DistanceCurve],
    solving: float,
) -> wire.Result:
    """Put what was found in the words of the HTTP API."""
    own = {seller: curve_to_wire(curve) for seller, curve in alone.items()}
    contributions = _contributions(own, len(task.sweep))
    weights = task.seller_weights
    return wire.Result(
        evaluation_id=task.evaluation_id,
        request_id=task.request_id,
        order=task.order,
        sweep=task.sweep,
        buyer_points=task.buyer.rows,
        together=None if together is None else curve_to_wire(together),
        sellers=[
            wire.SellerResult(
                **seller.model_dump(exclude={"arrays", "scalars"}),
                verified=seller.scalars is None,
                weight=weights[seller.contribution_id],
                alone=own[seller.contribution_id],
                without=curve_to_wire(without[seller.contribution_id])
                if seller.contribution_id in without
                else None,
                contribution=contributions[seller.contribution_id],
            )
            for seller in task.sellers
        ],
        software={name: version(name) for name in SOFTWARE},
        timing=wire.Timing(waiting=task.waited_seconds, solving=solving),
    )


def kept_scores(valuation: Valuation, store: ArrayStore) -> list[ComputedScores]:
    """Keep the scores of every party at every s in the store, and return where."""
    parties: list[tuple[str | None, Mapping[float, Scores]]] = [
        (None, valuation.buyer_scores),
        *valuation.seller_scores.items(),
    ]
    return [
        ComputedScores(
            contribution_id=contribution_id,
            s=s,
            method=scores.method,
            digest=store.keep_bytes(npy.to_bytes(np.column_stack([scores.values, scores.spread]))),
        )
        for contribution_id, by_s in parties
        for s, scores in by_s.items()
    ]


def _output(document: wire.Result, scores: list[ComputedScores]) -> Json:
    text = canonical_json(document.model_dump(mode="json")).decode()
    return EvaluationOutput(document=text, scores=scores).model_dump()


def _contributions(alone: Mapping[str, wire.Curve], size: int) -> dict[str, list[float]]:
    """Normalise the distances of the sellers alone at each s: 1 is the nearest, 0 the farthest."""
    by_s = [
        transport.contributions(
            {seller: curve.points[place].distance for seller, curve in alone.items()}
        )
        for place in range(size)
    ]
    return {seller: [each[seller] for each in by_s] for seller in alone}


def _seller_costs(
    store: ArrayStore, seller: SellerTask, buyer: Measure, order: wire.Order
) -> SellerCosts:
    if seller.mode == "measure":
        measures = {
            array.s: _measure(store, array.digest, weighted=array.weighted)
            for array in seller.arrays
        }
        return SellerCosts.from_measures(seller.contribution_id, measures, buyer, order)
    blocks: dict[float, NDArray[Any]] = {}
    for array in seller.arrays:
        blocks[array.s], weights = _entries(store, array.digest, weighted=array.weighted)
    return SellerCosts.from_blocks(seller.contribution_id, blocks, weights, buyer)


def _measure(store: ArrayStore, digest: str, *, weighted: bool) -> Measure:
    return Measure(*_entries(store, digest, weighted=weighted))


def _entries(
    store: ArrayStore, digest: str, *, weighted: bool
) -> tuple[NDArray[Any], NDArray[np.float64]]:
    array = npy.memory_map(store.local_path(digest))
    entries, weights = split_weights(array, weighted=weighted)
    return entries, cast("NDArray[np.float64]", weights)
