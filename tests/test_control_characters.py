"""Text from other accounts and from the service has no effect on terminals."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.client.conftest import KEY, Answer, ScriptedServer, server
from wassay import Client
from wassay.client import ProblemError
from wassay.control_characters import escape_control_characters, escape_in_json, escape_line
from wassay.table import table

__all__ = ["server"]


@given(st.text())
def test_no_control_reaches_a_terminal(text: str) -> None:
    # Category C: controls, formats (such as the order of writing), surrogates, unassigned.
    document = json.dumps({text: [text]}, ensure_ascii=False, indent=2)
    for escaped in (escape_control_characters(text), escape_in_json(document)):
        assert all(each == "\n" or unicodedata.category(each)[0] != "C" for each in escaped)
    assert all(each.isprintable() for each in escape_line(text))


@given(st.text())
def test_json_says_the_same_when_it_is_escaped(text: str) -> None:
    document = json.dumps({text: [text]}, ensure_ascii=False, indent=2)
    assert json.loads(escape_in_json(document)) == {text: [text]}


def test_printable_text_stays_unchanged() -> None:
    for text in ("η_μ(t₀), 15 %", "Größe 数据 — ‘quoted’", "two\nlines"):
        assert escape_control_characters(text) == text
    assert escape_control_characters("\x1b[2K\rforged\u202e") == "\\x1b[2K\\rforged\\u202e"


def test_columns_stay_straight_beside_a_name_that_would_erase_its_line() -> None:
    head, _, first, second = table(["seller", "points"], [["a\x1b[2K", "1"], ["b", "22"]]).split(
        "\n"
    )
    assert head == "seller    points"
    assert (first, second) == ("a\\x1b[2K       1", "b             22")


def test_a_cell_adds_no_row_to_a_table() -> None:
    reason = "No.\nAcme  acc_1  con_1  40  submitted"
    lines = table(["seller", "state"], [["Bolt", f"declined: {reason}"]]).split("\n")
    assert len(lines) == 3
    assert lines[2].endswith("declined: No.\\nAcme  acc_1  con_1  40  submitted")


def test_a_traceback_shows_a_problem_without_its_escapes(server: ScriptedServer) -> None:
    problem = {"type": "about:blank", "title": "", "status": 404, "detail": "gone\x1b[2J\x9b\u202e"}
    headers = {"Content-Type": "application/problem+json"}
    server.script = [Answer(404, problem, headers)]
    with Client(server.url, KEY) as client, pytest.raises(ProblemError) as refused:
        client.accounts.me()
    assert str(refused.value) == "gone\\x1b[2J\\x9b\\u202e"
    assert refused.value.detail == problem["detail"]
