"""The how-to pages run as they stand, one block after the other."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from tests.e2e.service import NewParty, Party
from wassay import Buyer, Seller

FOLDER = Path(__file__).parents[2] / "docs" / "howto"


def blocks(page: str) -> Iterator[Any]:
    """The Python of a page, compiled block by block."""
    text = (FOLDER / page).read_text(encoding="utf-8")
    for source in re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S):
        yield compile(source, page, "exec")


def people(count: int, random: np.random.Generator) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "age": random.integers(18, 90, count),
            "income": np.exp(random.normal(10.3, 0.6, count)).round(),
            "churned": random.choice(["yes", "no"], count),
        }
    )


def in_thousands(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(income=frame["income"] / 1000).rename(columns={"income": "income_k"})


@pytest.fixture
def parties(
    new_party: NewParty, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Party, Party]:
    buyer, seller = new_party("buyer"), new_party("seller")
    Seller(seller.client).publish_key()
    monkeypatch.chdir(tmp_path)
    return buyer, seller


def test_a_buyer_and_a_seller_follow_their_pages(
    parties: tuple[Party, Party],
    monkeypatch: pytest.MonkeyPatch,
    random: np.random.Generator,
    capsys: pytest.CaptureFixture[str],
) -> None:
    buyer, seller = parties
    bought = {"needed": people(120, random), "account": seller.account_id}
    sold = {"offered": in_thousands(people(200, random))}
    ask, evaluate, _, close = blocks("buy.md")
    find, clean, sample, check, audit, answer, look = blocks("sell.md")

    def run(party: Party, names: dict[str, Any], *sources: Any) -> str:
        for name, value in party.environment.items():
            monkeypatch.setenv(name, value)
        for source in sources:
            exec(source, names)  # noqa: S102 - our pages
        return capsys.readouterr().out

    assert "income" in run(buyer, bought, ask)
    sold["request_id"] = bought["request"].id
    assert sold["request_id"] in run(seller, sold, find)
    assert run(seller, sold, clean, sample, check) == ""
    assert "the service" in run(seller, sold, audit)
    assert run(seller, sold, answer) == "submitted\n"
    assert "Bolt" in run(buyer, bought, evaluate)
    assert Path("report.html").is_file()
    sold["evaluation_id"] = bought["evaluation"].id
    assert "income_k" in run(seller, sold, look)
    run(buyer, bought, close)
    assert bought["receipt"] is not None
    for names in (bought, sold):
        names["client"].close()


@pytest.mark.parametrize("page", ["tables.md", "images.md", "texts.md", "files.md"])
def test_the_blocks_of_a_page_run(
    page: str,
    parties: tuple[Party, Party],
    monkeypatch: pytest.MonkeyPatch,
    random: np.random.Generator,
) -> None:
    buyer, seller = parties
    for name, value in buyer.environment.items():
        monkeypatch.setenv(name, value)
    words = {word: random.normal(size=3) for word in ("red", "green", "blue", "warm", "cold")}
    names = {
        "buyer": Buyer(buyer.client),
        "seller": Seller(seller.client),
        "account": seller.account_id,
        "needed": people(60, random),
        "offered": in_thousands(people(60, random)),
        "images": random.integers(0, 17, size=(25, 4, 4)),
        "their_images": random.integers(0, 17, size=(25, 4, 4)),
        "vectors": random.normal(size=(25, 8)),
        "their_vectors": random.normal(size=(25, 8)),
        "words": words,
        "texts": [" ".join(random.choice(list(words), 4)) for _ in range(25)],
        "their_texts": [" ".join(random.choice(list(words), 4)) for _ in range(25)],
    }
    for block in blocks(page):
        exec(block, names)  # noqa: S102 - our pages
