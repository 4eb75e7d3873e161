"""Show the progress of an evaluation: a bar in terminals and notebooks, lines elsewhere."""

import sys
from typing import TYPE_CHECKING

from wassay import models
from wassay.control_characters import escape_control_characters

if TYPE_CHECKING:
    from rich.progress import Progress


class EvaluationProgress:
    """Shows the state of an evaluation on standard error.

    Parameters
    ----------
    shown : bool or None
        True: a bar with the remaining time where a person watches, and otherwise a line for every
        change. None: only the bar. False: nothing.
    """

    def __init__(self, shown: bool | None) -> None:
        self._bar = None if shown is False else _bar()
        self._prints = shown is True and self._bar is None
        self._printed = ""
        self._task = None if self._bar is None else self._bar.add_task("waiting", total=None)
        if self._bar is not None:
            self._bar.start()

    def update(self, evaluation: models.Evaluation) -> None:
        """Show a state that was just read."""
        progress = evaluation.progress
        if self._bar is not None and self._task is not None:
            why = f": {evaluation.reason}" if evaluation.reason else ""
            self._bar.update(
                self._task,
                description=escape_control_characters(f"{evaluation.state}{why}"),
                total=None if progress is None else progress.total,
                completed=0 if progress is None else progress.done,
            )
        if self._prints:
            self._print(evaluation)

    def close(self) -> None:
        """Leave the last state on the screen."""
        if self._bar is not None:
            self._bar.stop()

    def _print(self, evaluation: models.Evaluation) -> None:
        line = f"evaluation {evaluation.id}: {evaluation.state}"
        if evaluation.progress:
            line += f", {evaluation.progress.done} of {evaluation.progress.total} solves"
        if evaluation.reason:
            line += f". {evaluation.reason}"
        if line != self._printed:
            sys.stderr.write(f"{line}\n")
            sys.stderr.flush()
            self._printed = line


def _bar() -> "Progress | None":
    """Return a progress bar with the remaining time; None if nobody would see it."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    console = Console(stderr=True)
    if not (console.is_terminal or console.is_jupyter):
        return None
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
    )
