"""The command line, as buyers and sellers use it."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import ot
import pyarrow.csv
import pytest

from tests.e2e.service import WASSAY, NewParty, Party
from tests.programs.typed import Run
from tests.programs.typed import typed as run
from wassay import Profile
from wassay.client.valuation.methods.registry import VALUATIONS
from wassay.transport import document


def wassay(party: Party, *arguments: object, folder: Path) -> Run:
    return run(folder, party.environment, *arguments)


def said(run: Run) -> str:
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_a_buyer_asks_a_seller_answers_and_the_buyer_reads(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller", name="Sol")
    np.save(tmp_path / "needed.npy", random.normal(size=(20, 2)))
    np.save(tmp_path / "offered.npy", random.normal(size=(25, 2)))
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


def test_noise_is_asked_for_shown_to_sellers_and_printed(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller")
    np.save(tmp_path / "needed.npy", random.normal(size=(20, 2)))
    np.save(tmp_path / "offered.npy", random.normal(size=(25, 2)))
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


def test_a_key_is_published_once_and_printed_as_a_fingerprint(
    new_party: NewParty, tmp_path: Path
) -> None:
    buyer = new_party("buyer")
    fingerprint = said(wassay(buyer, "key", folder=tmp_path))
    assert fingerprint == buyer.client.accounts.encryption_key(buyer.account_id).fingerprint
    assert said(wassay(buyer, "key", folder=tmp_path)) == fingerprint


def test_a_wrong_key_is_refused_until_its_owner_confirms_it(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller")
    np.save(tmp_path / "needed.npy", random.normal(size=(20, 2)))
    told = "0123 " * 8
    nobody = wassay(buyer, "trust", "acc_nobody", told, folder=tmp_path)
    assert nobody.returncode == 1
    assert nobody.stderr.startswith("wassay: There is no account acc_nobody. Check the id")
    pinned = wassay(buyer, "trust", seller.account_id, told, folder=tmp_path)
    assert (said(pinned), "the service shows another key" in pinned.stderr) == ("", True)
    ask = ("ask", "needed.npy", "request.json", "--title", "T")
    refused = wassay(buyer, *ask, "--seller", seller.account_id, folder=tmp_path)
    assert refused.returncode == 1
    assert f"expected the fingerprint {told.strip()}" in refused.stderr
    real = said(wassay(seller, "key", folder=tmp_path))
    pinned = wassay(buyer, "trust", seller.account_id, real, folder=tmp_path)
    assert (said(pinned), pinned.stderr) == ("", "")
    said(wassay(buyer, *ask, "--seller", seller.account_id, folder=tmp_path))


def test_a_seller_who_comes_later_is_invited_and_answers(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    buyer = new_party("buyer")
    seller, later = (new_party("seller", publishes_key=False) for _ in range(2))
    np.save(tmp_path / "needed.npy", random.normal(size=(20, 2)))
    np.save(tmp_path / "offered.npy", random.normal(size=(25, 2)))
    asked = wassay(
        buyer,
        *("ask", "needed.npy", "request.json", "--title", "T"),
        *("--seller", seller.account_id),
        folder=tmp_path,
    )
    request_id = said(asked)
    assert f"{seller.account_id} has published no encryption key yet" in asked.stderr
    for each in (seller, later):
        said(wassay(each, "key", folder=tmp_path))
    invited = wassay(buyer, "invite", "request.json", later.account_id, folder=tmp_path)
    assert said(invited) == ""
    assert invited.stderr == ""
    for each in (seller, later):
        said(wassay(each, "answer", request_id, "offered.npy", folder=tmp_path))


def test_a_buyer_sees_who_contributes_declines_and_withdraws(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    buyer = new_party("buyer")
    sol, una, ida = (new_party("seller", name=name) for name in ("Sol", "Una", "Ida"))
    np.save(tmp_path / "needed.npy", random.normal(size=(20, 2)))
    np.save(tmp_path / "offered.npy", random.normal(size=(25, 2)))
    invited = (each for party in (sol, una, ida) for each in ("--seller", party.account_id))
    ask = ("ask", "needed.npy", "request.json", "--title", "T", *invited)
    request_id = said(wassay(buyer, *ask, folder=tmp_path))

    def told() -> dict[str, str]:
        rows = said(wassay(buyer, "contributions", "request.json", folder=tmp_path)).splitlines()[
            2:
        ]
        return {row.split("acc_")[0].strip(): row for row in rows}

    said(wassay(una, "decline", request_id, "Not for sale.", folder=tmp_path))
    answered = said(wassay(sol, "answer", request_id, "offered.npy", folder=tmp_path))
    seen = told()
    assert seen.keys() == {"Sol", "Una", ""}
    assert seen["Sol"].split()[1:] == [sol.account_id, answered, "25", "submitted"]
    assert seen["Una"].endswith("declined: Not for sale.")
    assert seen[""].split() == [ida.account_id, "invited"]

    said(wassay(sol, "withdraw", answered, folder=tmp_path))
    assert told()["Sol"].endswith("withdrawn")
    said(wassay(buyer, "cancel", "request.json", "--delete-measure", folder=tmp_path))
    measure = buyer.client.requests.get(request_id).measure
    assert measure is not None
    assert measure.deleted_at is not None
    refused = wassay(ida, "answer", request_id, "offered.npy", folder=tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")
    said(wassay(una, "close-account", una.account_id, folder=tmp_path))
    refused = wassay(una, "requests", folder=tmp_path)
    assert "Expected a valid API key" in refused.stderr


def test_an_open_reference_is_asked_with_and_answered_only_on_purpose(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller")
    np.save(tmp_path / "needed.npy", random.normal(size=(20, 2)))
    np.save(tmp_path / "offered.npy", random.normal(size=(25, 2)))
    asked = wassay(
        buyer,
        *("ask", "needed.npy", "request.json", "--title", "T", "--open"),
        *("--seller", seller.account_id, "--max-disclosure", "exact"),
        folder=tmp_path,
    )
    answer = ("answer", said(asked), "offered.npy")
    for accepted, told in (
        (("--max-disclosure", "exact"), "the service shows an open reference"),
        (("--open-reference",), "the service would learn: exact"),
    ):
        refused = wassay(seller, *answer, *accepted, folder=tmp_path)
        assert refused.returncode == 1
        assert told in refused.stderr
    said(wassay(seller, *answer, "--open-reference", "--max-disclosure", "exact", folder=tmp_path))


def test_a_buyer_who_invites_nobody_is_told_how_to_invite(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    np.save(tmp_path / "needed.npy", random.normal(size=(20, 2)))
    ask = ("ask", "needed.npy", "request.json", "--title", "T")
    asked = wassay(new_party("buyer"), *ask, folder=tmp_path)
    assert said(asked).startswith("req_")
    assert "wassay invite request.json SELLER" in asked.stderr


def test_a_limit_is_kept_in_the_profile(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    buyer = new_party("buyer")
    np.save(tmp_path / "needed.npy", random.normal(size=(20, 2)))
    assert said(wassay(buyer, "limit", "scalars", folder=tmp_path)) == "scalars"
    ask = ("ask", "needed.npy", "request.json", "--title", "T")
    refused = wassay(buyer, *ask, folder=tmp_path)
    assert refused.returncode == 1
    assert "the service would learn: up-to-isometry" in refused.stderr


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


def test_a_seller_changes_the_caps_that_are_named_and_reads_all(
    new_party: NewParty, tmp_path: Path
) -> None:
    seller = new_party("seller")

    def caps(*options: str) -> dict[str, str]:
        rows = said(wassay(seller, "caps", *options, folder=tmp_path)).splitlines()[2:]
        return dict(row.split() for row in rows)

    changed = caps("--questions", "any", "--buyer-points", "100", "--uniform-weights")
    assert caps("--epsilon", "0.5") == {**changed, "epsilon": "0.5"}
    assert changed == {
        "questions": "any",
        "evaluations": "any",
        "buyer_points": "100",
        "uniform_weights": "yes",
        "distinct_measures": "no",
        "epsilon": "any",
    }
    few = wassay(seller, "caps", "--evaluations", "few", folder=tmp_path)
    assert "expected a whole number or any; received 'few'" in few.stderr
