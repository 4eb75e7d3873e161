"""`wassay` as people type it."""

import json
import subprocess
from pathlib import Path

import numpy as np

from tests.e2e.service import WASSAY, NewParty, Party

random = np.random.default_rng(4)


def wassay(
    party: Party, *arguments: object, folder: Path, typed: str = ""
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*WASSAY, *map(str, arguments)],
        env=party.environment,
        cwd=folder,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
    )


def said(run: "subprocess.CompletedProcess[str]") -> str:
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_a_buyer_asks_a_seller_answers_and_the_buyer_reads(
    new_party: NewParty, tmp_path: Path
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller", name="Sol")
    np.save(tmp_path / "needed.npy", random.normal(size=(20, 2)))
    np.save(tmp_path / "offered.npy", random.normal(size=(25, 2)))
    asked = wassay(
        buyer,
        *("ask", "needed.npy", "request.json", "--title", "Two features"),
        *("--seller", seller.account_id),
        folder=tmp_path,
        typed="0.4\n",
    )
    request_id = said(asked).split()[-1]
    kept = json.loads((tmp_path / "request.json").read_text())
    assert kept["request_id"] == request_id
    assert kept["t0"] == 0.4

    listed = said(wassay(seller, "requests", folder=tmp_path))
    assert request_id in listed
    assert "Two features" in listed
    answered = wassay(
        seller, "answer", request_id, "offered.npy", "--label", "twins", folder=tmp_path
    )
    assert said(answered).startswith("con_")

    evaluated = wassay(buyer, "evaluate", "request.json", folder=tmp_path)
    assert "twins" in said(evaluated)
    evaluation_id = evaluated.stderr.split()[1].removesuffix(":")
    again = wassay(
        buyer, "result", "request.json", evaluation_id, "--plot", "curve.png", folder=tmp_path
    )
    assert said(again) == said(evaluated)
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    whole = wassay(buyer, "result", "request.json", evaluation_id, "--json", folder=tmp_path)
    assert json.loads(said(whole))["request_id"] == request_id


def test_a_refusal_is_a_sentence_and_not_a_traceback(new_party: NewParty, tmp_path: Path) -> None:
    seller = new_party("seller")
    np.save(tmp_path / "offered.npy", random.normal(size=(25, 2)))
    refused = wassay(seller, "answer", "req_unknown", "offered.npy", folder=tmp_path)
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert refused.stderr.startswith("wassay: ")
    assert "req_unknown" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_file_that_is_no_array_of_points_is_named(new_party: NewParty, tmp_path: Path) -> None:
    buyer = new_party("buyer")
    (tmp_path / "needed.npy").write_text("1,2\n3,4\n")
    np.savez(tmp_path / "many.npz", np.zeros((2, 2)))
    for name in ("needed.npy", "many.npz", "absent.npy"):
        refused = wassay(
            buyer,
            *("ask", name, "request.json", "--title", "T", "--t0", "0.4"),
            folder=tmp_path,
        )
        assert refused.returncode == 1
        assert name in refused.stderr
        assert "Traceback" not in refused.stderr
    assert not (tmp_path / "request.json").exists()


def test_the_only_copy_of_a_t0_is_not_overwritten(new_party: NewParty, tmp_path: Path) -> None:
    buyer = new_party("buyer")
    np.save(tmp_path / "needed.npy", random.normal(size=(20, 2)))
    (tmp_path / "request.json").write_text("precious")
    refused = wassay(
        buyer,
        *("ask", "needed.npy", "request.json", "--title", "T", "--t0", "0.4"),
        folder=tmp_path,
    )
    assert refused.returncode == 1
    assert "request.json is there already" in refused.stderr
    assert (tmp_path / "request.json").read_text() == "precious"
    assert list(buyer.client.requests.list()) == []
