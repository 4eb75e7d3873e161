"""The calls on the page about HTTP by hand get the responses that it states."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.app.conftest import Party
from tests.app.evaluations.market import finished
from tests.conftest import ON_SQLITE

pytestmark = ON_SQLITE

PAGE = Path(__file__).parents[3] / "docs" / "api.md"
CALL = re.compile(r"```http (buyer|seller)\n([A-Z]+) (\S+)\n(?:(\{.*)\n)?# (\d+)(.*)\n```")


@pytest.mark.usefixtures("worker")
def test_the_calls_of_the_page_get_the_responses_that_it_states(http: Callable[..., Party]) -> None:
    parties = {"buyer": http("buyer"), "seller": http("seller")}
    known: dict[str, str] = {}

    def filled(text: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda found: known[found[1]], text)

    calls = CALL.findall(PAGE.read_text())
    assert len(calls) == PAGE.read_text().count("```http")
    answers = {}
    for who, method, path, body, status, named in calls:
        if path.endswith("/result"):
            finished(parties["buyer"], known["evaluation_id"])
        answer = parties[who].request(
            method,
            filled(path),
            content=filled(body) or None,
            headers={"Content-Type": "application/json"} if body else {},
        )
        assert answer.status_code == int(status), (path, answer.text)
        if name := re.search(r"its id is \{(\w+)\}", named):
            known[name[1]] = answer.json()["id"]
        answers[path.rpartition("/")[2]] = answer

    together = answers["result"].json()["grand_coalition"]
    assert [point["distance"] for point in together["points"]][1] == pytest.approx(1)
    fit = together["fit"]
    at_t0 = fit["a0"] + 0.5 * fit["a1"] + 0.25 * fit["a2"]
    assert at_t0**0.5 / (1 - 0.5) == pytest.approx(2)
    assert answers["report"].text.startswith("<!doctype html>")
