"""Following an evaluation to its end."""

import sys
import time

from wassay import models
from wassay.client.client import Service
from wassay.client.connection.flows import Flow, Flowing, Pause
from wassay.client.errors import EvaluationFailedError
from wassay.client.shared.arguments import as_amount

SHORTEST_POLL_SECONDS = 0.1
LONGEST_POLL_SECONDS = 1.0


def poll_until_succeeded(
    flows: Service[Flowing], evaluation_id: str, *, progress: bool, timeout: float | None = None
) -> Flow[models.Evaluation]:
    """Read an evaluation until it has succeeded.

    Raises
    ------
    EvaluationFailedError
        When it failed or was cancelled; the message says why.
    TimeoutError
        When it is not finished within so many seconds.
    """
    deadline = None if timeout is None else time.monotonic() + as_amount(timeout, "timeout")
    pause = SHORTEST_POLL_SECONDS
    told = ""
    while True:
        seen = yield from flows.evaluations.get(evaluation_id)
        if progress:
            told = _tell(seen, told)
        if seen.state == "succeeded":
            return seen
        if seen.state in {"failed", "cancelled"}:
            raise EvaluationFailedError(
                f"evaluation {seen.id} {seen.state}: {seen.reason or 'no reason given'}",
                seen.problem,
            )
        if deadline is not None and time.monotonic() > deadline:
            raise TimeoutError(
                f"evaluation {seen.id} is not finished after {timeout:g} s; it is "
                f"{seen.state}{f': {seen.reason}' if seen.reason else ''}"
            )
        yield Pause(pause)
        pause = min(1.5 * pause, LONGEST_POLL_SECONDS)


def _tell(seen: models.Evaluation, told: str) -> str:
    """Say the state on standard error where it is news, and return what was said."""
    line = f"evaluation {seen.id}: {seen.state}"
    if seen.progress:
        line += f", {seen.progress.done} of {seen.progress.total} solves"
    if seen.reason:
        line += f". {seen.reason}"
    if line != told:
        if sys.stderr.isatty():
            ending = "\n" if seen.finished_at is not None else ""
            sys.stderr.write(f"\r\x1b[K{line}{ending}")
        else:
            sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    return line
