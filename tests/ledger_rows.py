"""Rows of ledgers for tests: single rows, and chains of rows with right hashes."""

from datetime import UTC, datetime, timedelta
from typing import Any

from wassay.disclosures import class_of
from wassay.ledger import GENESIS, row_hash
from wassay.models import Disclosure

BEGAN = datetime(2026, 11, 28, 1, 2, 3, 456789, tzinfo=UTC)
POINTS, DIMENSION = 10, 3


def row(kind: Any = "measure", **fields: Any) -> dict[str, Any]:
    content: dict[str, Any] = {
        "id": "dsc_1",
        "owner_id": "acc_seller",
        "position": 1,
        "created_at": BEGAN,
        "dataset": "lst_1",
        "viewer_id": "acc_buyer",
        "viewer_organisation": "Acme",
        "request_id": "req_1",
        "kind": kind,
        "reference_id": "ref_1",
        "sealed": False,
        "sweep": [0.25, 0.5, 0.75],
        "points": POINTS,
        "dimension": DIMENSION,
        "rank": None,
        "coalitions": None,
        "epsilon": None,
        "digest": "d1",
        "previous_hash": GENESIS,
        "hash": "",
        **fields,
    }
    content["disclosure_class"] = class_of(
        content["kind"],
        sealed=content["sealed"],
        sweep=content["sweep"],
        rank=content["rank"],
        dimension=DIMENSION,
    )
    return content


def chain(*contents: dict[str, Any]) -> list[Disclosure]:
    rows: list[Disclosure] = []
    for place, content in enumerate(contents):
        linked = Disclosure.model_validate(
            content
            | {
                "id": f"dsc_{place}",
                "position": place + 1,
                "created_at": BEGAN + timedelta(minutes=place),
                "previous_hash": rows[-1].hash if rows else GENESIS,
            }
        )
        rows.append(linked.model_copy(update={"hash": row_hash(linked.model_dump(mode="json"))}))
    return rows
