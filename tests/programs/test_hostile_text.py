"""Commands print what the service and other parties write as text in its place, and no more."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.client.answers import MOMENT
from tests.client.buyer.test_saved_request import OPEN
from tests.client.conftest import KEY, Answer, ScriptedServer, server
from tests.ledger_rows import chain, row
from wassay.cli.commands.contributions import contributions
from wassay.cli.commands.ledger import ledger
from wassay.cli.commands.listings import listings
from wassay.cli.commands.requests import requests

__all__ = ["server"]

FORGED = "Acme\x1b[2J\x9b8m\u202e\nverified  acc_true  con_true"


def page(*items: dict[str, Any]) -> Answer:
    return Answer(200, {"items": list(items), "next_cursor": None})


CONTRIBUTION: dict[str, Any] = {
    "id": FORGED,
    "request_id": "req_1",
    "account_id": FORGED,
    "organisation": FORGED,
    "state": "declined",
    "mode": "measure",
    "label": FORGED,
    "listing_id": None,
    "score_policy": "none",
    "allows_comparison": False,
    "sampled_from": None,
    "projection_spread": None,
    "points": None,
    "arrays": [],
    "scalars": None,
    "decline_reason": FORGED,
    "created_at": MOMENT,
    "updated_at": MOMENT,
}
INVITATION: dict[str, Any] = {
    "id": "inv_1",
    "request_id": "req_1",
    "account_id": f"acc_2{FORGED}",
    "has_sealed_key": False,
    "created_at": MOMENT,
}
LISTING: dict[str, Any] = {
    "id": FORGED,
    "account_id": FORGED,
    "organisation": FORGED,
    "state": "published",
    "title": FORGED,
    "description": "",
    "dimension": 1,
    "points": 40,
    "fields": [{"name": FORGED, "type": "integer"}],
    "classes": None,
    "licence": FORGED,
    "terms": None,
    "caps": None,
    "created_at": MOMENT,
    "updated_at": MOMENT,
}
REQUEST: dict[str, Any] = {
    "id": FORGED,
    "account_id": FORGED,
    "organisation": FORGED,
    "state": "open",
    "title": FORGED,
    "description": FORGED,
    "reference_id": "ref_1",
    "dimension": 2,
    "projected_from": None,
    "order": 2,
    "sweep": [0.25, 0.5, 0.75],
    "modes": ["measure"],
    "audience": "everyone",
    "reveals_measure": False,
    "reveals_scores": False,
    "interpolation": "barycentric",
    "labelled": False,
    "class_names": None,
    "recipe": None,
    "epsilon": None,
    "radius": None,
    "measure": None,
    "expires_at": None,
    "created_at": MOMENT,
    "updated_at": MOMENT,
}


@pytest.fixture(autouse=True)
def environment(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASSAY_URL", server.url)
    monkeypatch.setenv("WASSAY_API_KEY", KEY)


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    captured = capsys.readouterr()
    lines = [*captured.out.splitlines(), *captured.err.splitlines()]
    assert all(line.isprintable() for line in lines)
    assert not any(line.startswith("verified") for line in lines)
    return lines


def test_a_reason_for_declining_is_one_row_of_the_buyers_table(
    server: ScriptedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "request.json"
    OPEN.save(file)
    server.script = [page(CONTRIBUTION), page(INVITATION)]
    contributions(file)
    assert len(printed(capsys)) == 2 + 2


def test_a_listing_and_a_request_are_one_line(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.script = [page(LISTING), page(REQUEST)]
    listings()
    requests()
    assert len(printed(capsys)) == 2


def test_a_ledger_in_json_is_a_line_for_each_row_that_says_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = chain(row(viewer_organisation=FORGED), row(viewer_organisation="Acme"))
    file = tmp_path / "ledger.json"
    file.write_text("\n".join(each.model_dump_json() for each in rows))
    ledger(file, json=True)
    lines = printed(capsys)
    assert [json.loads(line)["viewer_organisation"] for line in lines] == [FORGED, "Acme"]
    ledger(file)
    assert len(printed(capsys)) == 2 + 2 + 1
