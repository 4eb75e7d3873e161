"""Logging: one JSON object per line on standard error, with the request id."""

import logging.config

import structlog
from asgi_correlation_id import correlation_id
from structlog.typing import EventDict, Processor, WrappedLogger

from wassay.redaction import redacted


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
                        # Without local variables, which may hold keys and request bodies.
                        structlog.processors.ExceptionRenderer(
                            structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
                        ),
                        structlog.processors.JSONRenderer(),
                        _redacted,
                    ],
                }
            },
            "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
            "root": {"handlers": ["stderr"], "level": level.upper()},
            # The first duplicates our request log; the others log routine.
            "loggers": {
                "uvicorn.access": {"level": "WARNING"},
                "alembic.runtime.migration": {"level": "WARNING"},
                "dbos": {"level": "ERROR"},
                "httpx": {"level": "WARNING"},
            },
        }
    )
