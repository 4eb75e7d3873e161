"""Verify the hash chain of a ledger of disclosures.

The hash of each row covers the hash of the row before, so changing a row changes every later hash.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import rfc8785
from pydantic import ValidationError

from wassay.errors import WassayError
from wassay.models import Disclosure
from wassay.strict_json import parse_json

GENESIS = "0" * 64
"""The `previous_hash` of a ledger's first row."""

WRITTEN = "name a file that wassay ledger --json wrote"


class BrokenLedger(WassayError, ValueError):  # noqa: N818 - reads better
    """The rows are not one complete, unchanged ledger."""


def row_hash(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a row's canonical JSON, which includes the hash of the row before.

    Parameters
    ----------
    content : mapping
        The row as its owner reads it in JSON; its member `hash` is ignored.

    Returns
    -------
    str
        64 hexadecimal digits.
    """
    hashed = {name: value for name, value in content.items() if name != "hash"}
    return hashlib.sha256(rfc8785.dumps(hashed)).hexdigest()


def read_rows(content: bytes) -> list[Disclosure]:
    """Parse rows of a ledger that were saved as JSON.

    Parameters
    ----------
    content : bytes
        Lines of JSON, each with one row.

    Returns
    -------
    list of Disclosure

    Raises
    ------
    BrokenLedger
        If a line is not the JSON of one row.
    """
    rows = []
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            rows.append(Disclosure.model_validate_json(rfc8785.dumps(parse_json(line))))
        except ValidationError:
            raise BrokenLedger(
                f"expected a row of a ledger as JSON in line {number}, received {line[:40]!r}: "
                f"{WRITTEN}"
            ) from None
        except (ValueError, RecursionError) as error:
            raise BrokenLedger(
                f"expected a row of a ledger as JSON in line {number}, received {line[:40]!r} "
                f"({error}): {WRITTEN}"
            ) from error
    return rows


def verify(rows: Iterable[Disclosure], *, head: str | None = None) -> list[Disclosure]:
    """Verify that rows are an account's complete, unchanged ledger, without calling the service.

    Parameters
    ----------
    rows : iterable of Disclosure
        In any order.
    head : str, optional
        A row's hash that you kept, for example from a receipt; the ledger must still contain this
        row. `GENESIS` fits every ledger.

    Returns
    -------
    list of Disclosure
        The rows, oldest first.

    Raises
    ------
    BrokenLedger
        If a row was changed, removed, inserted or moved, rows belong to several accounts, or no row
        has the hash `head`.

    Notes
    -----
    Without a head, two changes go unnoticed: the newest rows were removed, or rows were rewritten
    with all later hashes.
    """
    ordered = sorted(rows, key=lambda row: row.position or 0)
    if len({row.owner_id for row in ordered}) > 1:
        raise BrokenLedger(
            "expected the ledger of one account, received rows of several: verify them one by one"
        )
    previous = GENESIS
    for position, row in enumerate(ordered, start=1):
        if row.position != position:
            raise BrokenLedger(
                f"expected row {position} of the ledger, received {row.position}: rows were "
                "removed or duplicated"
            )
        if row.previous_hash != previous:
            raise BrokenLedger(
                f"expected {previous} as the previous hash in row {position}, received "
                f"{row.previous_hash}: a row was removed, inserted or changed"
            )
        if row.hash != row_hash(row.model_dump(mode="json")):
            raise BrokenLedger(
                f"row {position} was changed: its content does not have the hash {row.hash}"
            )
        previous = row.hash
    if head is not None and head not in {GENESIS, *(row.hash for row in ordered)}:
        raise BrokenLedger(
            f"expected a row with the hash {head}, which the ledger no longer contains: its end "
            "was removed, or it was rewritten"
        )
    return ordered


def head_of(rows: Sequence[Disclosure]) -> str:
    """Return the hash of the newest row of a verified ledger.

    Parameters
    ----------
    rows : sequence of Disclosure
        The rows as `verify` returns them, oldest first.

    Returns
    -------
    str
        `GENESIS` for an empty ledger.
    """
    return (rows[-1].hash if rows else None) or GENESIS
