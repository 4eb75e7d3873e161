"""Log one JSON object per line to standard error, with the id of the request."""

import logging.config
import sys
import threading
from types import TracebackType

import structlog
from asgi_correlation_id import correlation_id
from structlog.typing import EventDict, Processor, WrappedLogger

from wassay.redaction import redacted

from .log_flood import RepeatedWarnings

logger = structlog.stdlib.get_logger("wassay")


def _with_request_id(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    request_id = correlation_id.get()
    if request_id is not None:
        event["request_id"] = request_id
    return event


def _redacted(_logger: WrappedLogger, _name: str, line: str) -> str:
    return redacted(line)


def configure_logs(level: str) -> None:
    """Render every log record of this process as JSON, with keys and passwords redacted.

    Parameters
    ----------
    level
        The lowest level to log, such as `INFO`.
    """
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        _with_request_id,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    logging.config.dictConfig(
        {
            "version": 1,
            "disable_existing_loggers": False,
            "formatters": {
                "json": {
                    "()": structlog.stdlib.ProcessorFormatter,
                    "foreign_pre_chain": shared,
                    "processors": [
                        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                        # Render no local variables, because they may contain keys and request
                        # bodies.
                        structlog.processors.ExceptionRenderer(
                            structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
                        ),
                        structlog.processors.JSONRenderer(),
                        _redacted,
                    ],
                }
            },
            "filters": {"repeated": {"()": RepeatedWarnings}},
            "handlers": {
                "stderr": {
                    "class": "logging.StreamHandler",
                    "formatter": "json",
                    "filters": ["repeated"],
                }
            },
            "root": {"handlers": ["stderr"], "level": level.upper()},
            # Silence uvicorn.access, which duplicates our request log, and routine messages of the
            # others.
            "loggers": {
                "uvicorn.access": {"level": "WARNING"},
                "alembic.runtime.migration": {"level": "WARNING"},
                "dbos": {"level": "ERROR"},
                "httpx": {"level": "WARNING"},
            },
        }
    )
    sys.excepthook = _log_uncaught
    threading.excepthook = _log_uncaught_in_thread


def _log_uncaught(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Log the exception that ends the process as one line of JSON, unless it is Ctrl-C."""
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    logger.critical("uncaught exception", exc_info=error)


def _log_uncaught_in_thread(arguments: threading.ExceptHookArgs) -> None:
    """Log the exception that ends a thread as one line of JSON."""
    name = None if arguments.thread is None else arguments.thread.name
    if arguments.exc_value is not None and not isinstance(arguments.exc_value, SystemExit):
        logger.critical("uncaught exception", thread=name, exc_info=arguments.exc_value)
