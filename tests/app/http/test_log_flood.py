"""Repeated warnings, such as in an outage, are dropped from the log."""

import logging
from typing import Any

from app.http.log_flood import WINDOW_SECONDS, RepeatedWarnings


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def record(event: str, error: Exception | None = None, level: int = logging.WARNING) -> Any:
    fields = {"event": event} | ({} if error is None else {"exc_info": error})
    return logging.makeLogRecord({"name": "wassay.jobs", "levelno": level, "msg": fields})


def fail(kind: type[Exception]) -> None:
    raise kind("…")


def raised(kind: type[Exception]) -> Exception:
    try:
        fail(kind)
    except Exception as error:  # noqa: BLE001 - that is what is wanted
        return error
    raise AssertionError


def test_of_a_flood_of_warnings_a_few_are_logged_and_the_rest_counted() -> None:
    clock = Clock()
    repeated = RepeatedWarnings(clock)

    first = [record("the database did not respond", raised(OSError)) for _ in range(30)]
    logged = [each for each in first if repeated.filter(each)]
    assert len(logged) == 3
    assert ["exc_info" in each.msg for each in logged] == [True, False, False]

    clock.now = WINDOW_SECONDS
    later = record("the database did not respond", first[0].msg.get("exc_info"))
    assert repeated.filter(later)
    assert later.msg["dropped"] == 27


def test_another_error_another_text_and_information_are_logged_all_the_same() -> None:
    repeated = RepeatedWarnings(Clock())
    flood = [record("unexpected", raised(OSError)) for _ in range(30)]
    assert sum(map(repeated.filter, flood)) == 3

    assert repeated.filter(record("unexpected", raised(KeyError)))
    assert repeated.filter(record("job given back"))
    assert all(repeated.filter(record("request", level=logging.INFO)) for _ in range(30))


def test_records_of_libraries_are_counted_too() -> None:
    repeated = RepeatedWarnings(Clock())
    fields = {"name": "dbos", "levelno": logging.ERROR, "msg": "no %s\nTraceback …"}
    flood = [logging.makeLogRecord(fields | {"args": ("connection",)}) for _ in range(30)]

    logged = [each.getMessage() for each in flood if repeated.filter(each)]

    assert logged == ["no connection\nTraceback …", "no connection", "no connection"]
