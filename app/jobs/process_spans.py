"""Time the steps of a task in a solver process; the worker exports the times as spans."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

Spans = list[dict[str, Any]]
_spans: Spans | None = None


@contextmanager
def collected_spans(name: str) -> Iterator[Spans]:
    """Yield a list to which the spans of the block and of its steps are added."""
    global _spans  # one list is enough, because a solver process computes one task at a time
    spans: Spans = []
    _spans = spans
    try:
        with process_span(name):
            yield spans
    finally:
        _spans = None


@contextmanager
def process_span(name: str) -> Iterator[None]:
    """Record when the block began and ended, if the task is traced."""
    if _spans is None:
        yield
        return
    noted = {"name": name, "began": time.time_ns(), "ended": 0}
    _spans.append(noted)
    try:
        yield
    finally:
        noted["ended"] = time.time_ns()
