"""Show the progress of an operation: as a bar in terminals and notebooks, as lines elsewhere."""

from __future__ import annotations

import sys
import threading
from typing import TYPE_CHECKING

from wassay.control_characters import escape_line

if TYPE_CHECKING:
    from rich.progress import Progress

    from wassay.client.connection.flows import Step

QUIET_SECONDS = 1.0
"""An operation that ends sooner shows no bar."""

_SPEED_SECONDS = 3600.0
"""The remaining time is estimated from the speed over at most this many past seconds."""

_screen = threading.Lock()
"""Held by the display that updates a bar, because a screen can have only one such bar."""


class Display:
    """Shows the steps of one operation on standard error."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._bar: Progress | None = None
        self._is_live = False
        self._step: Step | None = None
        self._printed = ""

    @property
    def is_live(self) -> bool:
        """Whether the bar is on the screen and is updated."""
        return self._is_live

    def show(self, step: Step) -> None:
        """Show a step as a line or in the bar, as `step.shown` says; if that is False, do nothing.

        The bar appears `QUIET_SECONDS` after the first step.
        """
        if step.shown is False:
            return
        if step.shown and not _is_watched():
            self._print(step)
            return
        with self._lock:
            self._step = step
            if self._is_live:
                self._draw()
            elif self._timer is None:
                self._timer = threading.Timer(QUIET_SECONDS, self._appear)
                self._timer.daemon = True
                self._timer.start()

    def freeze(self) -> None:
        """Stop the bar until the next step, and leave its last state on the screen."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._bar is not None and self._is_live:
                self._is_live = False
                self._bar.stop()
                _screen.release()

    def _appear(self) -> None:
        if not _is_watched():
            return
        with self._lock:
            if self._timer is not threading.current_thread() or not _screen.acquire(blocking=False):
                return
            self._is_live = True
            if self._bar is None:
                self._bar = _bar()
                self._bar.add_task("", total=None)
            self._draw()
            self._bar.start()

    def _draw(self) -> None:
        step, bar = self._step, self._bar
        if step is not None and bar is not None:
            doing = f"{step.doing}: {step.why}" if step.why else step.doing
            (task,) = bar.task_ids
            bar.update(
                task,
                description=escape_line(doing),
                total=step.total,
                completed=step.done,
            )

    def _print(self, step: Step) -> None:
        line = f"{step.subject}: {step.doing}"
        if step.total is not None:
            line += f", {step.done} of {step.total} {step.unit}"
        if step.why:
            line += f". {step.why}"
        if line != self._printed:
            sys.stderr.write(f"{escape_line(line)}\n")
            sys.stderr.flush()
            self._printed = line


def _is_watched() -> bool:
    """Tell whether standard error is a terminal or a notebook."""
    from rich.console import Console

    console = Console(stderr=True)
    return console.is_terminal or console.is_jupyter


def _bar() -> Progress:
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
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        speed_estimate_period=_SPEED_SECONDS,
        # Print standard output above the bar, unless standard output goes to a file.
        redirect_stdout=console.is_jupyter or sys.stdout.isatty(),
    )
