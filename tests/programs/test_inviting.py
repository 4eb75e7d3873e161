"""The command line: keys, invitations, and what a party allows."""

from pathlib import Path

import numpy as np

from tests.e2e.service import NewParty
from tests.programs.as_party import said, save_points, wassay


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
    save_points(tmp_path, random)
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
    save_points(tmp_path, random)
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


def test_a_buyer_closes_a_request_to_further_contributions(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller")
    save_points(tmp_path, random)
    ask = ("ask", "needed.npy", "request.json", "--title", "T", "--seller", seller.account_id)
    request_id = said(wassay(buyer, *ask, folder=tmp_path))

    said(wassay(buyer, "close", "request.json", folder=tmp_path))

    assert buyer.client.requests.get(request_id).state == "closed"
    refused = wassay(seller, "answer", request_id, "offered.npy", folder=tmp_path)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "A seller sees the open requests" in refused.stderr
    said(wassay(buyer, "close", "request.json", folder=tmp_path))


def test_an_open_reference_is_asked_with_and_answered_only_on_purpose(
    new_party: NewParty, tmp_path: Path, random: np.random.Generator
) -> None:
    buyer, seller = new_party("buyer"), new_party("seller")
    save_points(tmp_path, random)
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
