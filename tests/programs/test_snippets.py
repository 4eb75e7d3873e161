"""The commands and code on the pages do what the pages say, unchanged."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import ot
import pytest

from app.settings import Settings
from tests.e2e.service import NewParty, Party, Service
from tests.programs.typed import Run, typed
from wassay import Buyer, BuyerPrivacy, Evaluation, Protocol, Seller, SellerPrivacy

ROOT = Path(__file__).parents[2]


def snippet(page: str, language: str, first: str) -> str:
    """Return the only block of a page that begins with `first`."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(), re.M | re.S)
    (found,) = [block for block in blocks if block.startswith(first)]
    return str(found)


def commands(page: str, first: str) -> list[list[str]]:
    """Return the arguments of each command in a block, without its output and comments."""
    lines = snippet(page, "console", first).splitlines()
    return [shlex.split(line[2:], comments=True) for line in lines if line.startswith("$ ")]


def test_the_readme_leads_to_all_planted_points(service: Service) -> None:
    *created, (export, *assigned), (_, program) = commands("README.md", "$ .venv/bin/wassay acc")
    variables = dict(each.split("=", 1) for each in assigned)
    host, port = (Settings.model_fields[name].default for name in ("host", "port"))
    assert (export, variables.pop("WASSAY_URL")) == ("export", f"http://{host}:{port}")
    folder = {"WASSAY_DATA_FOLDER": str(service.data_folder)}
    for key, (_, *arguments) in zip(variables, created, strict=True):
        variables[key] = json.loads(typed(ROOT, folder, *arguments).stdout)["key"]
    assert snippet("README.md", "python", '"""Estimate') == (ROOT / program).read_text()
    run = subprocess.run(
        [sys.executable, ROOT / program],
        env={**os.environ, **variables, "WASSAY_URL": service.url},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "half a unit away" in run.stdout
    _, listed = run.stdout.split("most like noise: ")
    worst = {int(index) for index in listed.strip(" []\n").split(",")}
    assert set(range(10)) <= worst


@dataclass(frozen=True)
class Market:
    """An evaluation of four sellers who disclose all that the pages need."""

    evaluation: Evaluation
    contribution_ids: list[str]


NOISY = [0, 1, 2]
"""The rows of the first seller that are noisy."""


@pytest.fixture(scope="module")
def market(new_party: NewParty) -> Market:
    """The first two sellers offer what is needed; the others are shifted to opposite sides."""
    random = np.random.default_rng(11)
    buyer, sellers = new_party("buyer"), [new_party("seller") for _ in range(4)]
    request = Buyer(buyer.client).ask(
        random.normal(size=(30, 4)),
        title="Four features",
        sellers=[each.account_id for each in sellers],
        protocol=Protocol(t0=0.35),
    )
    contribution_ids = []
    for place, (seller, shift) in enumerate(zip(sellers, (0, 0, 6, -6), strict=True)):
        offered = random.normal(shift, 1, size=(20, 4))
        if place == 0:
            offered[NOISY] += 10
        given = Seller(seller.client).answer(
            request.id,
            offered,
            privacy=SellerPrivacy(
                scores="scores", allows_comparison=True, keeps_order=True, max_disclosure="exact"
            ),
        )
        contribution_ids.append(given.id)
    return Market(request.evaluate().wait(), contribution_ids)


def ran(folder: Path, program: str, **names: Any) -> dict[str, Any]:
    """Run a program, and return its global names."""
    (folder / "program.py").write_text(program)
    return run_path(str(folder / "program.py"), names)


def test_the_buyers_page_values_sellers_and_buys_from_them(market: Market, tmp_path: Path) -> None:
    noisy, near, far, other = market.contribution_ids
    program = snippet("docs/howto/buy.md", "python", "values = ")
    program = program.replace("con_a…", near).replace("con_b…", far)
    found = ran(tmp_path, program, evaluation=market.evaluation)
    values = found["values"].values
    assert found["values"].ended_by == "every-coalition"
    assert values[near] == max(values.values())
    assert [each.contribution_id for each in found["bought"]] == [near]
    assert set(NOISY) <= set(found["noise"].of(noisy))
    order = [(each.contribution_id, each.index) for each in found["value"].points]
    assert len(order) == 80
    assert set(order[-3:]) == {(noisy, index) for index in NOISY}
    assert other in values


def test_the_page_groups_clients_and_finds_what_does_not_belong(
    market: Market, tmp_path: Path
) -> None:
    noisy, near, far, other = market.contribution_ids
    found = ran(
        tmp_path,
        snippet("docs/howto/federated.md", "python", "near = "),
        evaluation=market.evaluation,
    )
    groups = found["groups"]
    assert groups[noisy] == groups[near]
    assert len({groups[near], groups[far], groups[other]}) == 3
    assert found["odd"].of(noisy) == NOISY


def test_labels_caps_and_noise_are_asked_for_as_the_pages_show(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller")
    needed, offered = random.normal(size=(24, 2)), random.normal(size=(20, 2))
    names = {
        "Buyer": Buyer,
        "BuyerPrivacy": BuyerPrivacy,
        "Protocol": Protocol,
        "Seller": Seller,
        "buyer": buyer.client,
        "seller": seller.client,
        "client": seller.client,
        "account": seller.account_id,
        "needed": needed,
        "offered": offered,
    }
    labelled = snippet("docs/howto/labels.md", "python", "request = ")
    asked = ran(tmp_path, labelled, **names, kinds=np.arange(24) % 3, their_kinds=np.arange(20) % 3)
    estimate = asked["request"].evaluate().wait().result().estimates().grand_coalition
    assert estimate.value > ot.emd2([], [], ot.dist(needed, offered)) ** 0.5

    ran(tmp_path, snippet("docs/ledger.md", "python", "from wassay.models import Caps"), **names)
    (listing,) = (each for each in seller.client.listings.list() if each.title == "Eight features")
    assert listing.caps is not None
    assert (listing.points, listing.caps.evaluations) == (200, 3)

    found = ran(tmp_path, snippet("docs/ledger.md", "python", "privacy = "), **names)["found"]
    assert found.epsilon == 1
    (noised,) = found.sellers.values()
    low, high = noised.interval
    assert low <= noised.value <= high


def test_wrong_labels_are_found_as_the_page_shows(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller", name="Sol")
    kinds, their_kinds = np.resize(["ant", "bee", "cat"], 40), np.resize(["ant", "bee", "cat"], 50)
    needed, offered = (
        8.0 * (each[:, None] == ["ant", "bee"]) + random.normal(size=(len(each), 2))
        for each in (kinds, their_kinds)
    )
    wrong = {3, 10, 17, 31}
    their_kinds[list(wrong)] = np.roll(their_kinds, 1)[list(wrong)]
    names = {
        "Buyer": Buyer,
        "Seller": Seller,
        "SellerPrivacy": SellerPrivacy,
        "buyer": buyer.client,
        "seller": seller.client,
        "account": seller.account_id,
        "needed": needed,
        "offered": offered,
        "kinds": kinds,
        "their_kinds": their_kinds,
    }
    found = ran(tmp_path, snippet("docs/howto/labels.md", "python", "asked = "), **names)
    assert set(found["own"]) <= wrong
    for name, points, labels in (("needed", needed, kinds), ("offered", offered, their_kinds)):
        lines = [f"{x},{y},{kind}" for (x, y), kind in zip(points, labels, strict=True)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["x,y,kind", *lines]))
    ids = {"ACCOUNT": seller.account_id}

    def shown(party: Party, command: Sequence[str]) -> Run:
        words = [ids.get(word, word) for word in command[1:]]
        run = typed(tmp_path, party.environment, *words)
        assert run.returncode == 0, run.stderr
        return run

    consent = ("--reveals-scores", "--max-disclosure", "exact")
    ask, answer, evaluate, points, rows, noisiest = commands("docs/howto/labels.md", "$ wassay ask")
    ids["REQUEST"] = shown(buyer, [*ask, *consent]).stdout.split()[-1]
    ids["CONTRIBUTION"] = shown(seller, answer).stdout.strip()
    ids["EVALUATION"] = shown(buyer, evaluate).stderr.split()[1].removesuffix(":")
    listed = re.findall(rf"{ids['CONTRIBUTION']} +(\d+)", shown(buyer, points).stdout)
    translated = shown(seller, [*rows[:3], *listed]).stdout.splitlines()[2:]
    assert [line.split()[0] for line in translated] == listed
    assert wrong <= {int(line.split()[1]) for line in translated}
    scored = [line.split() for line in shown(seller, noisiest).stdout.splitlines()[2:]]
    assert len({int(row) for row, _ in scored[:4]} & wrong) >= 3
    assert len(scored) == 50


def test_the_words_of_a_text_are_counted_as_the_page_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    vectors = ran(tmp_path, snippet("docs/mathematics.md", "python", "import numpy"))["vectors"]
    lines = [" ".join([word, *map(str, vector)]) for word, vector in vectors.items()]
    assert "`red 1.0 0.2`" in (ROOT / "docs/mathematics.md").read_text()
    assert lines[0] == "red 1.0 0.2"
    (tmp_path / "vectors.txt").write_text("\n".join(lines))
    ((_, *arguments),) = commands("docs/mathematics.md", "$ wassay audit")
    printed = typed(tmp_path, {}, *arguments)
    assert printed.returncode == 0, printed.stderr
    assert "words read" in printed.stdout
