"""Poll an evaluation until it ends."""

import sys
import time

from wassay import models
from wassay.client.client import Service
from wassay.client.connection.flows import Flow, Flowing, Pause
from wassay.client.connection.outages import outlast_outage
from wassay.client.errors import EvaluationFailedError
from wassay.client.shared.arguments import as_amount

SHORTEST_POLL_SECONDS = 0.1
LONGEST_POLL_SECONDS = 1.0


def poll_until_succeeded(
    flows: Service[Flowing], evaluation_id: str, *, progress: bool, timeout: float | None = None
) -> Flow[models.Evaluation]:
    """Poll an evaluation until it has succeeded, and return it; outlast outages of the service.

    Parameters
    ----------
    flows : Service
    evaluation_id : str
    progress : bool
        Print every change of state to standard error.
    timeout : float, optional
        Seconds.

    Raises
    ------
    EvaluationFailedError
        If it failed or was cancelled; the message says why.
    TimeoutError
        If it is still unfinished after `timeout`.
    ConnectionFailedError, ProblemError
        If the service is away at the deadline, or without one for `OUTAGE_SECONDS`.
    """
    deadline = None if timeout is None else time.monotonic() + as_amount(timeout, "timeout")
    pause = SHORTEST_POLL_SECONDS
    printed = ""
    while True:
        evaluation = yield from outlast_outage(
            lambda: flows.evaluations.get(evaluation_id), deadline
        )
        if progress:
            printed = _print_state(evaluation, printed)
        if evaluation.state == "succeeded":
            return evaluation
        if evaluation.state in {"failed", "cancelled"}:
            raise EvaluationFailedError(
                f"evaluation {evaluation.id} {evaluation.state}: "
                f"{evaluation.reason or 'no reason given'}",
                evaluation.problem,
            )
        if deadline is not None and time.monotonic() > deadline:
            raise TimeoutError(
                f"evaluation {evaluation.id} is not finished after {timeout:g} s; it is "
                f"{evaluation.state}{f': {evaluation.reason}' if evaluation.reason else ''}"
            )
        yield Pause(pause)
        pause = min(1.5 * pause, LONGEST_POLL_SECONDS)


def _print_state(evaluation: models.Evaluation, printed: str) -> str:
    """Print the state to standard error if it differs from `printed`, and return it."""
    line = f"evaluation {evaluation.id}: {evaluation.state}"
    if evaluation.progress:
        line += f", {evaluation.progress.done} of {evaluation.progress.total} solves"
    if evaluation.reason:
        line += f". {evaluation.reason}"
    if line != printed:
        if sys.stderr.isatty():
            ending = "\n" if evaluation.finished_at is not None else ""
            sys.stderr.write(f"\r\x1b[K{line}{ending}")
        else:
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    return line
