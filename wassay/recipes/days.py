"""Convert times to days since 1970."""

import datetime as dt

EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
MICROSECONDS = 86_400e6
"""The number of microseconds in a day."""
_MICROSECOND = dt.timedelta(microseconds=1)


def days_since_1970(moment: dt.datetime) -> float:
    """Return a moment as days since 1970-01-01 00:00 UTC, with the time of day as a fraction.

    A moment without a time zone counts as UTC.
    """
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=dt.UTC)
    return float((aware - EPOCH) // _MICROSECOND) / MICROSECONDS
