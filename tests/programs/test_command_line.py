"""The command line: a buyer asks, sellers answer, and both read."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import ot
import pyarrow.csv
import pytest

from tests.e2e.service import WASSAY, NewParty
from tests.programs.as_party import said, save_points, wassay
from tests.programs.typed import typed
from wassay import Profile
from wassay.cli.commands.audit import AUDITED_ROWS
from wassay.client.valuation.methods.registry import VALUATIONS
from wassay.transport import document


def test_a_buyer_asks_a_seller_answers_and_the_buyer_reads(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller", name="Sol")
    save_points(tmp_path, random)
    asked = wassay(
        buyer,
        *("ask", "needed.npy", "request.json", "--title", "Two features", "--t0", "0.4"),
        *("--seller", seller.account_id),
        folder=tmp_path,
    )
    request_id = said(asked).split()[-1]
    kept = json.loads((tmp_path / "request.json").read_text())
    assert kept["request_id"] == request_id
    assert kept["t0"] == 0.4

    early = wassay(seller, "noisiest", request_id, folder=tmp_path)
    assert "has not been evaluated yet" in early.stderr
    listed = said(wassay(seller, "requests", folder=tmp_path))
    assert request_id in listed
    assert "Two features" in listed
    answering = ("offered.npy", "--request", request_id, "--keep-order")
    foreseen = said(wassay(seller, "audit", *answering, folder=tmp_path))
    assert "up-to-isometry" in foreseen
    assert "The rows keep the order of your table" in foreseen
    listing = seller.client.listings.create(title="Mine", dimension=2, points=25).id
    answered = wassay(
        seller,
        *("answer", request_id, "offered.npy", "--label", "twins", "--listing", listing),
        folder=tmp_path,
    )
    assert said(answered).startswith("con_")
    assert "keep the order" not in answered.stderr
    _, _, *lines = said(
        wassay(seller, "rows", said(answered).strip(), folder=tmp_path)
    ).splitlines()
    points, table = zip(*(map(int, line.split()) for line in lines), strict=True)
    assert points == tuple(sorted(table)) == tuple(range(25)) != table

    unknown = wassay(buyer, "evaluate", "request.json", "--weight", "trio=1", folder=tmp_path)
    assert "no seller is called 'trio'; use one of 'twins'" in unknown.stderr
    weighted = ("evaluate", "request.json", "--weight", "twins=1")
    evaluated = wassay(buyer, *weighted, folder=tmp_path)
    assert "twins" in said(evaluated)
    evaluation_id = evaluated.stderr.split()[1].removesuffix(":")
    own = wassay(seller, "noisiest", request_id, folder=tmp_path)
    assert own.stderr == f"evaluation {evaluation_id}\n"
    head, _, listed = said(own).splitlines()
    assert head.split() == ["rows"]
    rows = [int(row) for row in listed.split(", ")]
    assert len(rows) == 2  # one noisiest point for ten points of the buyer
    assert set(rows) <= set(range(25))
    again = wassay(
        buyer, "result", "request.json", evaluation_id, "--plot", "curve.png", folder=tmp_path
    )
    assert said(again) == said(evaluated)
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    of_it = ("request.json", evaluation_id)
    worth = said(wassay(buyer, "shapley", *of_it, folder=tmp_path))
    assert "the values are exact" in worth
    assert said(wassay(buyer, "value", *of_it, "shapley", folder=tmp_path)) == worth
    methods = said(wassay(buyer, "value", *of_it, folder=tmp_path)).splitlines()[2:]
    assert [line.split()[0] for line in methods] == list(VALUATIONS)
    unknown = wassay(buyer, "value", *of_it, "shapely", folder=tmp_path)
    assert "expected one of the methods shapley, buy" in unknown.stderr
    two = wassay(buyer, "value", *of_it, "noisy", "--option", "top=2", folder=tmp_path)
    assert "select by: twins" in two.stderr
    price = "twins=3"
    bought = said(wassay(buyer, "buy", *of_it, "5", "--price", price, folder=tmp_path))
    assert ["twins", said(answered), "3"] == bought.splitlines()[-1].split()[:3]
    withheld = wassay(buyer, "points", *of_it, "--noisy", "2", folder=tmp_path)
    assert "select by: twins" in withheld.stderr
    assert (
        "SELLER=PRICE" in wassay(buyer, "buy", *of_it, "5", "--price", "3", folder=tmp_path).stderr
    )
    compared = wassay(buyer, "compare", *of_it, folder=tmp_path)
    assert "ask the sellers to allow comparison" in compared.stderr
    report = ("report", "request.json", evaluation_id, "report.html")
    said(wassay(buyer, *report, folder=tmp_path))
    assert "twins" in (tmp_path / "report.html").read_text()
    assert "exists already" in wassay(buyer, *report, folder=tmp_path).stderr
    ledger = said(wassay(seller, "ledger", folder=tmp_path))
    assert "the service  up-to-isometry" in ledger
    assert listing in ledger
    kept = said(wassay(seller, "ledger", "--json", folder=tmp_path))
    (tmp_path / "ledger.json").write_text(kept)
    assert said(wassay(buyer, "ledger", "ledger.json", folder=tmp_path)) == ledger
    (tmp_path / "ledger.json").write_text(kept.replace('"points":25', '"points":24', 1))
    forged = wassay(buyer, "ledger", "ledger.json", folder=tmp_path)
    assert (forged.returncode, forged.stdout) == (1, "")
    assert "row 1" in forged.stderr
    # The profile has the ledger's last hash, so a rewritten ledger is noticed.
    Profile().keep_ledger_head(seller.account_id, "ab" * 32)
    rewritten = wassay(seller, "ledger", folder=tmp_path)
    assert (rewritten.returncode, rewritten.stdout) == (1, "")
    assert "no longer contains" in rewritten.stderr
    whole = wassay(buyer, "result", "request.json", evaluation_id, "--json", folder=tmp_path)
    assert json.loads(said(whole))["request_id"] == request_id

    (tmp_path / "result.json").write_text(whole.stdout)
    key = said(wassay(buyer, "receipt", evaluation_id, "receipt.json", folder=tmp_path))
    check = ("verify", "receipt.json", "--key", key, "--result", "result.json")
    assert evaluation_id in said(wassay(buyer, *check, folder=tmp_path))
    (tmp_path / "result.json").write_text(whole.stdout.replace("twins", "clone"))
    refused = wassay(buyer, *check, folder=tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "not the one that this receipt was issued for" in refused.stderr


def test_a_request_whose_t0_cannot_be_kept_does_not_stay_open(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    buyer = new_party("buyer")
    np.save(tmp_path / "needed.npy", random.normal(size=(20, 2)))
    asked = wassay(
        buyer,
        *("ask", "needed.npy", "no/such/folder.json", "--title", "Lost", "--everyone"),
        folder=tmp_path,
    )
    assert asked.returncode == 1
    assert [each.state for each in buyer.client.requests.list()] == ["cancelled"]


def test_commands_that_need_no_mathematics_do_not_wait_for_it() -> None:
    loaded = "import sys, wassay.cli; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", loaded], check=False).returncode == 0


def test_the_help_of_an_audit_says_how_many_rows_are_drawn(tmp_path: Path) -> None:
    helped = " ".join(typed(tmp_path, {}, "audit", "--help").stdout.split())
    assert f"Draws {AUDITED_ROWS:,} rows of a longer file" in helped


def test_noise_is_asked_for_shown_to_sellers_and_printed(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller")
    save_points(tmp_path, random)
    asked = wassay(
        buyer,
        *("ask", "needed.npy", "request.json", "--title", "Noise"),
        *("--seller", seller.account_id, "--epsilon", 100, "--radius", 9),
        folder=tmp_path,
    )
    request_id = said(asked).split()[-1]
    assert "measure; with noise, ε = 100" in said(wassay(seller, "requests", folder=tmp_path))
    said(wassay(seller, "answer", request_id, "offered.npy", folder=tmp_path))
    assert "95% interval, epsilon = 100" in said(
        wassay(buyer, "evaluate", "request.json", folder=tmp_path)
    )


def test_a_refusal_is_a_sentence_and_not_a_traceback(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    seller = new_party("seller")
    np.save(tmp_path / "offered.npy", random.normal(size=(25, 2)))
    refused = subprocess.run(
        [*WASSAY, "answer", "req_unknown", "offered.npy"],
        env=seller.environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert refused.stderr.startswith("wassay: ")
    assert "req_unknown" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_labelled_points_are_compared_by_their_classes(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller", name="Sol")
    for name, size, classes in (("needed", 20, ["ant", "bee"]), ("offered", 24, ["x", "y"])):
        points, kinds = random.normal(size=(size, 2)), np.resize(classes, size)
        np.save(tmp_path / f"{name}.npy", points)
        np.save(tmp_path / f"{name}-classes.npy", kinds)
        table = pyarrow.table({"x": points[:, 0], "kind": kinds, "y": points[:, 1]})
        pyarrow.csv.write_csv(table, tmp_path / f"{name}.csv")
    about = ("--title", "Two kinds", "--seller", seller.account_id)
    ask = ("ask", "needed.csv", "request.json", *about, "--class-column", "kind", "--no-recipe")
    consent = ("--reveals-measure", "--max-disclosure", "exact")
    request_id = said(wassay(buyer, *ask, *consent, folder=tmp_path)).split()[-1]
    answer = ("answer", request_id, "offered.npy", "--mode", "cost-block")
    refused = wassay(seller, *answer, folder=tmp_path)
    assert "labelled points" in refused.stderr
    said(wassay(seller, *answer, "--classes", "offered-classes.npy", folder=tmp_path))
    assert "Sol" in said(wassay(buyer, "evaluate", "request.json", folder=tmp_path))


def test_a_table_is_compared_by_a_recipe_that_the_seller_checks_first(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller", name="Sol")
    age, income = random.normal(45, 12, 60).round(), np.exp(random.normal(10, 0.4, 60))
    kind = random.choice(["ant", "bee"], 60)
    for name, table in (
        ("needed", {"age": age, "income": income, "kind": kind}),
        ("offered", {"Kind": kind, "income": income / 1000, "age": age}),
    ):
        pyarrow.csv.write_csv(pyarrow.table(table), tmp_path / f"{name}.csv")
    for name, classes in (("sizes", ["big", "small"]), ("spelt", ["Big", "small"])):
        np.save(tmp_path / f"{name}.npy", np.resize(classes, 60))
    sized = ("--classes", "sizes.npy")
    said(wassay(seller, "key", folder=tmp_path))
    about = ("--title", "Customers", "--seller", seller.account_id, *sized)
    asked = wassay(buyer, "ask", "needed.csv", "request.json", *about, folder=tmp_path)
    request_id = said(asked).split()[-1]
    assert "Sellers who hold this recipe learn of your rows: " in asked.stderr

    spelt = ("--classes", "spelt.npy")
    checked = wassay(seller, "check", request_id, "offered.csv", *spelt, folder=tmp_path)
    assert checked.returncode == 1
    assert [line.split(" ")[0] for line in checked.stdout.splitlines()] == [
        "renamed:kind:",
        "unit:income:",
        "unknown-classes:",
    ]
    assert "'Big' (write 'big')" in checked.stdout
    refused = wassay(seller, "answer", request_id, "offered.csv", folder=tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "fit if multiplied by 1000" in refused.stderr
    declared = ("--rename", "Kind=kind", "--factor", "income=1000", *sized)
    checked = wassay(seller, "check", request_id, "offered.csv", *declared, folder=tmp_path)
    assert said(checked) == ""
    assert "nothing differs from what the request expects" in checked.stderr
    said(wassay(seller, "answer", request_id, "offered.csv", *declared, folder=tmp_path))
    assert "Sol" in said(wassay(buyer, "evaluate", "request.json", folder=tmp_path))


def test_the_word_movers_distance_of_weighted_documents_is_asked_for_from_files(
    new_party: NewParty, tmp_path: Path
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller", name="Sol")
    vectors = {"red": [1.0, 0.2], "blue": [0.1, 1.0], "green": [0.6, 0.7], "grey": [0.5, 0.5]}
    texts = {"needed": "red green red blue grey", "offered": "blue blue green grey grey grey"}
    for name, text in texts.items():
        measure = document(text.split(), vectors)
        np.save(tmp_path / f"{name}.npy", measure.points)
        np.save(tmp_path / f"{name}-counts.npy", measure.weights)
    about = ("--title", "Texts", "--description", "News of last year")
    asked = wassay(
        buyer,
        *("ask", "needed.npy", "request.json", *about, "--seller", seller.account_id),
        *("--weights", "needed-counts.npy", "--order", "1", "--sweep", "32"),
        *("--reference", "1,normal,0,0.1", "--t0", str(16 / 33)),
        folder=tmp_path,
    )
    request_id = said(asked).split()[-1]
    answered = wassay(
        seller,
        *("answer", request_id, "offered.npy", "--weights", "offered-counts.npy"),
        folder=tmp_path,
    )
    said(answered)
    read = said(wassay(buyer, "evaluate", "request.json", folder=tmp_path))
    needed, offered = (document(text.split(), vectors) for text in texts.values())
    costs = ot.dist(needed.points, offered.points, metric="euclidean")
    expected = ot.emd2(needed.weights, offered.weights, costs)
    found = float(read.splitlines()[2].split()[2])
    assert found == pytest.approx(expected, abs=1e-4)
