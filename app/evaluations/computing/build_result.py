"""Build an evaluation's result document from its solved subproblems."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import rfc8785
from pydantic import TypeAdapter

from wassay import models as wire
from wassay import transport
from wassay.transport import Coalition, DistanceCurve, Power, SolvedSubproblem

from ...contributions.modes.registry import stated_modes
from .anomaly_detection import detect_anomalies
from .build_noised_result import noised_document
from .coverage import cover
from .curve_to_wire import certificate_to_wire, curve_to_wire
from .process_messages import ChunkOutput, EvaluationOutput, EvaluationTask, SellerTask
from .resampling import TOO_FEW_POINTS, reason_against
from .score_labels import score_labels
from .software import software

SOLVED = TypeAdapter(list[SolvedSubproblem])


def serialize(solved: list[SolvedSubproblem]) -> list[dict[str, Any]]:
    """Convert solved subproblems to JSON without loss of precision."""
    document: list[dict[str, Any]] = SOLVED.dump_python(solved, mode="json")
    return document


def build_result(
    task: EvaluationTask, chunks: Sequence[ChunkOutput], solving_seconds: float
) -> EvaluationOutput:
    """Build the result from the outputs of all chunks, which may be in any order."""
    names = [seller.contribution_id for seller in task.sellers]
    solved = [one for chunk in chunks for one in SOLVED.validate_python(chunk.solved)]
    if task.noise is not None:
        return EvaluationOutput(document=noised_document(task, task.noise, solved), scores=[])
    if task.extended is not None:
        earlier = wire.Result.model_validate_json(task.extended)
        return EvaluationOutput(
            document=_extended(task, earlier, solved, solving_seconds), scores=[]
        )
    curves = transport.assemble_curves(names, solved, task.order, leave_one_out=task.leave_one_out)
    document = result_document(
        task,
        cover(task),
        curves.grand_coalition,
        curves.singleton,
        curves.leave_one_out,
        curves.coalitions,
        detect_anomalies(task),
        solving_seconds,
        {name: each for chunk in chunks for name, each in chunk.resampled.items()},
    )
    scores = [scores for chunk in chunks for scores in chunk.scores]
    return EvaluationOutput(
        document=document,
        scores=[*scores, *score_labels(task)],
        nearest_s=curves.grand_coalition.nearest_s,
    )


def build_scalar_result(task: EvaluationTask) -> EvaluationOutput:
    """Build the result from the sellers' scalars, without solving anything."""
    singleton = {
        seller.contribution_id: stated_modes()[seller.mode].curve(seller.scalars)
        for seller in task.sellers
        if seller.scalars is not None
    }
    return EvaluationOutput(
        document=result_document(task, None, None, singleton, {}, {}, [], 0.0, {}), scores=[]
    )


def result_document(
    task: EvaluationTask,
    coverage: wire.SweptCoverage | None,
    grand_coalition: DistanceCurve | None,
    singleton: Mapping[str, DistanceCurve],
    leave_one_out: Mapping[str, DistanceCurve],
    coalitions: Mapping[tuple[str, ...], DistanceCurve],
    findings: list[wire.Finding],
    solving_seconds: float,
    resampled: Mapping[str, wire.ResampledDistances | None],
) -> str:
    """Return a `wassay.models.Result` as canonical JSON.

    Parameters
    ----------
    task, coverage, grand_coalition, findings, solving_seconds
    singleton
        The curve of each seller alone, keyed by the contribution's id.
    leave_one_out
        The curve of all sellers but one, keyed by the id of the omitted contribution.
    coalitions
        The curves of other coalitions, keyed by the ids of the members.
    resampled
        The distances between random parts of the buyer's and a seller's points, keyed by the
        contribution's id. None if either side has too few points.
    """
    to_wire = cache(curve_to_wire)  # a curve may be that of several coalitions
    own = {seller: to_wire(curve) for seller, curve in singleton.items()}
    relative_scores = _relative_scores(singleton, task.sweep)
    weights = task.seller_weights
    result = wire.Result(
        evaluation_id=task.evaluation_id,
        request_id=task.request_id,
        order=task.order,
        projected_from=task.projected_from,
        sweep=task.sweep,
        buyer_points=task.buyer.rows,
        grand_coalition=None if grand_coalition is None else to_wire(grand_coalition),
        sellers=[
            wire.SellerResult(
                **seller.model_dump(
                    exclude={"arrays", "scalars", "may_be_compared", "copies_counted"}
                ),
                verified=seller.scalars is None,
                weight=weights[seller.contribution_id],
                singleton=own[seller.contribution_id],
                leave_one_out=to_wire(leave_one_out[seller.contribution_id])
                if seller.contribution_id in leave_one_out
                else None,
                relative_scores=relative_scores[seller.contribution_id],
                resampled=resampled.get(seller.contribution_id),
                not_resampled=_not_resampled(task, seller, resampled),
            )
            for seller in task.sellers
        ],
        coalitions=_coalitions(coalitions),
        pairs=[],
        findings=findings,
        coverage=coverage,
        software=software(),
        timing=wire.Timing(waiting=task.waited_seconds, solving=solving_seconds),
    )
    return rfc8785.dumps(result.model_dump(mode="json")).decode()


def _not_resampled(
    task: EvaluationTask,
    seller: SellerTask,
    resampled: Mapping[str, wire.ResampledDistances | None],
) -> str | None:
    if resampled.get(seller.contribution_id) is not None:
        return None
    return reason_against(task, seller) or TOO_FEW_POINTS


def _extended(
    task: EvaluationTask,
    earlier: wire.Result,
    solved: Sequence[SolvedSubproblem],
    solving_seconds: float,
) -> str:
    """Return the result of an evaluation that extends another, as canonical JSON.

    Copy the result `earlier`, but replace its coalitions, pairs, id, software and timing.
    """
    pairs = [each for each in solved if each.subproblem.coalition.kind == "pair"]
    coalitions = transport.coalition_curves(
        (each for each in solved if each.subproblem.coalition.kind != "pair"), task.order
    )
    result = earlier.model_copy(
        update={
            "evaluation_id": task.evaluation_id,
            "coalitions": _coalitions(
                {_members(coalition, task): curve for coalition, curve in coalitions.items()}
            ),
            "pairs": [_pair(each, task.order) for each in pairs],
            "software": software(),
            "timing": wire.Timing(waiting=task.waited_seconds, solving=solving_seconds),
        }
    )
    return rfc8785.dumps(result.model_dump(mode="json")).decode()


def _members(coalition: Coalition, task: EvaluationTask) -> tuple[str, ...]:
    if coalition.kind == "coalition":
        return coalition.members
    everyone = {seller.contribution_id for seller in task.sellers}
    return tuple(sorted(everyone - {coalition.contribution_id}))


def _coalitions(coalitions: Mapping[tuple[str, ...], DistanceCurve]) -> list[wire.CoalitionResult]:
    return [
        wire.CoalitionResult(contribution_ids=list(members), curve=curve_to_wire(curve))
        for members, curve in coalitions.items()
    ]


def _pair(solved: SolvedSubproblem, order: Power) -> wire.PairResult:
    certificate = solved.point.certificate
    return wire.PairResult(
        contribution_ids=list(solved.subproblem.coalition.members),
        s=solved.subproblem.s,
        distance=max(certificate.primal, 0.0) ** (1 / order),
        rounding=solved.point.rounding,
        certificate=certificate_to_wire(certificate),
    )


def _relative_scores(
    singleton: Mapping[str, DistanceCurve], sweep: Sequence[float]
) -> dict[str, list[float]]:
    """Score each seller at each s: 1 for the nearest, 0 for the farthest, linear in the distance.

    The curves in `singleton` and the returned scores are keyed by the contribution's id.
    """
    by_s = [
        transport.relative_scores(
            {seller: transport.estimate(curve, s) for seller, curve in singleton.items()}
        )
        for s in sweep
    ]
    return {seller: [each[seller] for each in by_s] for seller in singleton}
