"""Responses like those of the service."""

from typing import Any

from tests.client.conftest import Answer

MOMENT = "2026-11-27T12:00:00Z"
AT_ONCE = {"Retry-After": "0"}


def account(**changes: Any) -> dict[str, Any]:
    return {
        "id": "acc_1",
        "organisation": "Acme",
        "name": "Ada",
        "created_at": MOMENT,
        **changes,
    }


def request(**changes: Any) -> dict[str, Any]:
    return {
        "id": "req_1",
        "account_id": "acc_1",
        "organisation": "Acme",
        "state": "draft",
        "title": "Digits",
        "description": "",
        "reference_id": "ref_1",
        "dimension": 2,
        "order": 2,
        "sweep": [0.25, 0.5, 0.75],
        "modes": ["measure"],
        "audience": "invited",
        "reveals_measure": False,
        "reveals_scores": False,
        "measure": None,
        "expires_at": None,
        "created_at": MOMENT,
        "updated_at": MOMENT,
        **changes,
    }


def evaluation(**changes: Any) -> dict[str, Any]:
    return {
        "id": "evl_1",
        "request_id": "req_1",
        "state": "succeeded",
        "seller_weighting": "points",
        "contribution_ids": [],
        "progress": None,
        "attempts": 1,
        "reason": None,
        "problem": None,
        "created_at": MOMENT,
        "started_at": MOMENT,
        "finished_at": MOMENT,
        **changes,
    }


def stored(digest: str, **changes: Any) -> dict[str, Any]:
    return {
        "digest": digest,
        "rows": 3,
        "columns": 2,
        "weighted": False,
        "bytes": 176,
        "created_at": MOMENT,
        **changes,
    }


def problem(status: int, slug: str = "some-problem", **members: Any) -> Answer:
    body = {
        "type": f"/problems/{slug}",
        "title": "Some problem",
        "status": status,
        "detail": "Expected this, received that; do so.",
        "request_id": "0f1e",
        **members,
    }
    return Answer(status, body, {"Content-Type": "application/problem+json"})


def later(status: int) -> Answer:
    answer = problem(status)
    return Answer(status, answer.body, AT_ONCE)
