"""OpenTelemetry traces from a call through its job to the solver process; off by default.

OpenTelemetry is imported only if `WASSAY_TRACES_URL` is set.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypedDict

from .settings import Settings

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

Attributes = Mapping[str, str | int]


class ProcessSpan(TypedDict):
    """A span that another process timed; `began` and `ended` are in ns since 1970."""

    name: str
    began: int
    ended: int


_tracer: "Tracer | None" = None


def start(settings: Settings, name: str) -> None:
    """Export this process's spans under the service name `name`, if a URL for traces is set.

    Raises
    ------
    ModuleNotFoundError
        If the packages of the extra `tracing` are missing.
    """
    global _tracer
    if settings.traces_url is None:
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise ModuleNotFoundError(
            "WASSAY_TRACES_URL needs further packages: pip install 'wassay[tracing]'"
        ) from error
    resource = Resource.create({"service.name": name, "process.pid": os.getpid()})
    provider = TracerProvider(resource=resource)
    exporter = OTLPSpanExporter(endpoint=settings.traces_url)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    _tracer = provider.get_tracer("wassay")


def is_on() -> bool:
    """Return whether this process exports spans."""
    return _tracer is not None


@contextmanager
def span(
    name: str, attributes: Attributes, *, parent: str | None = None, is_call: bool = False
) -> "Iterator[Span | None]":
    """Record the block as a span; yield it, or None if tracing is off.

    Parameters
    ----------
    name, attributes
        The name and the attributes of the span.
    parent
        The `traceparent` of a parent span in another process. By default, the parent is the
        current span, if there is one.
    is_call
        Whether the span stands for a call that this process received.
    """
    if _tracer is None:
        yield None
        return
    from opentelemetry.propagate import extract
    from opentelemetry.trace import SpanKind

    context = None if parent is None else extract({"traceparent": parent})
    kind = SpanKind.SERVER if is_call else SpanKind.INTERNAL
    with _tracer.start_as_current_span(
        name, context=context, kind=kind, attributes=dict(attributes)
    ) as current:
        yield current


def traceparent() -> str | None:
    """Return the current span as a W3C `traceparent`, or None outside spans."""
    if _tracer is None:
        return None
    from opentelemetry.propagate import inject

    carrier: dict[str, str] = {}
    inject(carrier)
    return carrier.get("traceparent")


def add_process_spans(spans: list[ProcessSpan], attributes: Attributes) -> None:
    """Export the spans of another process, each with these `attributes`.

    The first span becomes a child of the current span, and the parent of the others.
    """
    if _tracer is None or not spans:
        return
    from opentelemetry.trace import set_span_in_context

    first, *rest = spans
    whole = _tracer.start_span(
        first["name"], start_time=first["began"], attributes=dict(attributes)
    )
    for part in rest:
        _tracer.start_span(
            part["name"],
            context=set_span_in_context(whole),
            start_time=part["began"],
            attributes=dict(attributes),
        ).end(part["ended"])
    whole.end(first["ended"])
