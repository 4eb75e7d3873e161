"""Poll an evaluation until it ends."""

import time

from wassay import models
from wassay.client.client import Service
from wassay.client.connection.flows import Flow, Flowing, Pause, Step
from wassay.client.connection.outages import repeat_during_outage
from wassay.client.errors import EvaluationFailedError
from wassay.client.shared.arguments import as_amount
from wassay.errors import WaitTimeoutError

SHORTEST_POLL_SECONDS = 0.1
LONGEST_POLL_SECONDS = 1.0


def poll_until_succeeded(
    flows: Service[Flowing],
    evaluation_id: str,
    *,
    progress: bool | None,
    timeout: float | None = None,
) -> Flow[models.Evaluation]:
    """Poll an evaluation until it has succeeded, also through outages, and return it.

    Parameters
    ----------
    flows : Service
    evaluation_id : str
    progress : bool or None
        Whether to show the progress on standard error; None to show it only in terminals and
        notebooks.
    timeout : float, optional
        The most seconds to wait; by default there is no limit.

    Raises
    ------
    EvaluationFailedError
        If the evaluation failed or was cancelled; the message says why.
    WaitTimeoutError
        If the evaluation is unfinished after `timeout`.
    ConnectionFailedError, ProblemError
        If the service stays unavailable until `timeout` has passed. Without a `timeout`, if it
        stays unavailable for `OUTAGE_SECONDS`.
    """
    deadline = None if timeout is None else time.monotonic() + as_amount(timeout, "timeout")
    pause = SHORTEST_POLL_SECONDS
    while True:
        evaluation = yield from repeat_during_outage(
            lambda: flows.evaluations.get(evaluation_id), deadline
        )
        yield _step(evaluation, progress)
        if evaluation.state == "succeeded":
            return evaluation
        if evaluation.state in {"failed", "cancelled"}:
            raise EvaluationFailedError(
                f"evaluation {evaluation.id} {evaluation.state}: "
                f"{evaluation.reason or 'no reason given'}",
                evaluation.problem,
            )
        if deadline is not None and time.monotonic() > deadline:
            raise WaitTimeoutError(
                f"evaluation {evaluation.id} is not finished after {timeout:g} s; its state is "
                f"{evaluation.state}{f': {evaluation.reason}' if evaluation.reason else ''}"
            )
        yield Pause(pause)
        pause = min(1.5 * pause, LONGEST_POLL_SECONDS)


def _step(evaluation: models.Evaluation, shown: bool | None) -> Step:
    progress = evaluation.progress
    return Step(
        f"evaluation {evaluation.id}",
        evaluation.state,
        done=0 if progress is None else progress.done,
        total=None if progress is None else progress.total,
        unit="solves",
        why=evaluation.reason,
        shown=shown,
    )
