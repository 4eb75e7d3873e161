"""`wassay listings` and `wassay publish`, against a scripted server."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer

from tests.client.answers import MOMENT
from tests.client.conftest import KEY, Answer, ScriptedServer, server
from wassay.cli.commands.listings import listings
from wassay.cli.commands.publish import publish

__all__ = ["server"]

LISTING: dict[str, Any] = {
    "id": "lst_1",
    "account_id": "acc_1",
    "organisation": "Acme",
    "state": "published",
    "title": "Survey\x1b[2J",
    "description": "",
    "dimension": 1,
    "points": 40,
    "fields": [{"name": "age", "type": "integer"}],
    "classes": None,
    "licence": "CC0",
    "terms": None,
    "caps": None,
    "created_at": MOMENT,
    "updated_at": MOMENT,
}


@pytest.fixture(autouse=True)
def environment(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WASSAY_URL", server.url)
    monkeypatch.setenv("WASSAY_API_KEY", KEY)


def test_listings_are_lines_that_say_what_they_lack(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    found = LISTING | {"coverage": {"share": 0.5, "missing": ["bmi"]}}
    server.script = [Answer(200, {"items": [found], "next_cursor": None})]
    listings("a survey", field="age", type_="integer", covers=["age", "bmi"])
    assert capsys.readouterr().out == (
        "lst_1  Survey\\x1b[2J  (Acme; rows: 40; fields: age; CC0)  50%, without bmi\n"
    )
    assert server.received[-1].target == (
        "/v1/listings?text=a+survey&field=age&type=integer&covers=age&covers=bmi"
    )


def test_a_published_table_sends_names_and_types_and_no_value(
    server: ScriptedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "survey.csv"
    rows = [f"{20 + i * 7 % 30},{['Basel', 'Bern'][i % 2]}" for i in range(40)]
    file.write_text("\n".join(["age,city", *rows]))
    server.script = [Answer(201, LISTING)]
    publish(file, title="Survey", licence="CC0", unit=["age=a"])
    assert capsys.readouterr().out == "lst_1\n"
    sent = json.loads(server.received[-1].body)
    assert sent["points"] == 40
    assert [(each["name"], each["type"], each["unit"]) for each in sent["fields"]] == [
        ("age", "integer", "a"),
        ("city", "string", None),
    ]
    assert b"Basel" not in server.received[-1].body


def test_what_cannot_be_published_is_said_before_anything_is_sent(
    server: ScriptedServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "survey.csv"
    file.write_text("age\n1\n2\n")
    for unit, message in (("age", "COLUMN=UNIT"), ("age=a", "20 rows")):
        with pytest.raises(typer.Exit):
            publish(file, title="Survey", unit=[unit])
        assert message in capsys.readouterr().err
    assert server.received == []
