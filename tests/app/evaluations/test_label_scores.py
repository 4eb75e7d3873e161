"""Scores of sealed points' labels: as those of raw points, computed without class names."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.datasets import load_wine
from sklearn.metrics import roc_auc_score

from tests.app.conftest import Service, new_parties
from tests.app.evaluations.jobs import Jobs
from tests.conftest import ON_SQLITE
from wassay import (
    Buyer,
    Client,
    Measure,
    Normal,
    Profile,
    Protocol,
    Reference,
    Seller,
    SellerPrivacy,
)
from wassay.client import ConflictError, ForbiddenError
from wassay.client.evaluation.evaluation import Evaluation
from wassay.models import ScorePolicy
from wassay.transport import label_scores, swept_label_scores

pytestmark = ON_SQLITE

NAMES = np.array(["Barolo", "Grignolino", "Barbera"])
POLICIES: tuple[ScorePolicy, ...] = ("scores", "ranks", "none")


@dataclass(frozen=True)
class Wines:
    """Standardised wines; a tenth of the seller's labels is redrawn among the other classes."""

    needed: NDArray[np.float64]
    kinds: NDArray[np.str_]
    offered: NDArray[np.float64]
    stated: NDArray[np.str_]
    wrong: NDArray[np.bool_]


def wines() -> Wines:
    points, kinds = load_wine(return_X_y=True)
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    random = np.random.default_rng(1)
    rows = random.permutation(len(points))
    buyer, seller = rows[:60], rows[60:]
    wrong = np.zeros(len(seller), dtype=bool)
    wrong[random.choice(len(seller), len(seller) // 10, replace=False)] = True
    stated = np.where(
        wrong, (kinds[seller] + random.integers(1, 3, len(seller))) % 3, kinds[seller]
    )
    return Wines(points[buyer], NAMES[kinds[buyer]], points[seller], NAMES[stated], wrong)


@dataclass(frozen=True)
class Evaluated:
    """An evaluation of three sellers with the same wines, each under another policy."""

    wines: Wines
    evaluation: Evaluation[Any]
    contributions: dict[ScorePolicy, str]
    sellers: dict[ScorePolicy, Seller[Any]]
    ledger: dict[ScorePolicy, set[str]]
    service: Service

    def table_rows(self, policy: ScorePolicy) -> list[int]:
        """Return each point's row in the seller's table; the buyer knows points by number only."""
        return self.sellers[policy].table_rows(self.contributions[policy])


@pytest.fixture(scope="module")
def evaluated(service: Service, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evaluated]:
    ours, jobs = wines(), Jobs(service)
    folder = tmp_path_factory.mktemp("profiles")
    with new_parties(service) as party:
        buyer = party("buyer")
        accounts = {policy: party("seller") for policy in POLICIES}
        clients = {policy: Client(service.url, each.key) for policy, each in accounts.items()}
        sellers = {
            policy: Seller(client, Profile(folder / policy)) for policy, client in clients.items()
        }
        for each in sellers.values():
            each.publish_key()
        with Client(service.url, buyer.key) as asks:
            request = Buyer(asks, Profile(folder / "buyer")).ask(
                ours.needed,
                labels=ours.kinds,
                title="Wines",
                # Fixed, because the weight of the discriminants depends on the reference.
                protocol=Protocol(t0=0.37, reference=Reference(1, 13, Normal(), seed=2)),
                sellers=[each.account_id for each in accounts.values()],
            )
            contributions = {}
            for policy, each in sellers.items():
                answered = each.answer(
                    request.id,
                    ours.offered,
                    labels=ours.stated,
                    privacy=SellerPrivacy(scores=policy, max_disclosure="exact"),
                )
                contributions[policy] = answered.id
            evaluation = request.evaluate()
            jobs.evaluations.publish(evaluation.id, jobs.computed(jobs.evaluations, evaluation.id))
            ledger: dict[ScorePolicy, set[str]] = {
                policy: {row.kind for row in client.disclosures.list(role="owner")}
                for policy, client in clients.items()
            }
            yield Evaluated(ours, evaluation, contributions, sellers, ledger, service)
        for client in clients.values():
            client.close()


def test_the_buyer_reads_scores_at_t0_that_find_wrong_labels_as_those_of_raw_points_do(
    evaluated: Evaluated,
) -> None:
    ours = evaluated.wines
    found = evaluated.evaluation.label_scores(evaluated.contributions["scores"])
    needed, offered = Measure(ours.needed), Measure(ours.offered)
    pushed = {0.0: offered, 0.5: Measure(ours.offered / 2)}
    raw = swept_label_scores(needed, ours.kinds, pushed, ours.stated).by_s[0.0]
    assert found.values is not None
    rows = evaluated.table_rows("scores")
    assert np.corrcoef(found.values, raw[rows])[0, 1] > 0.98
    plain = label_scores(needed, ours.kinds, offered, ours.stated)
    auroc = roc_auc_score(ours.wrong, plain)
    assert auroc > 0.95
    assert roc_auc_score(ours.wrong[rows], found.values) > auroc - 0.02
    # The service adds scores along discriminants, which may predict more labels.
    assert found.accuracy is not None
    assert found.accuracy > -raw.sum() - 0.02


def test_a_seller_who_discloses_ranks_shows_which_labels_are_wrong_but_no_values(
    evaluated: Evaluated,
) -> None:
    ours = evaluated.wines
    found = evaluated.evaluation.label_scores(evaluated.contributions["ranks"])
    assert found.values is None
    assert found.ranks is not None
    assert roc_auc_score(ours.wrong[evaluated.table_rows("ranks")], -found.ranks) > 0.95
    with pytest.raises(ForbiddenError, match="score_policy none"):
        evaluated.evaluation.label_scores(evaluated.contributions["none"])


def test_mislabelled_points_come_from_every_seller_who_discloses_scores_or_ranks(
    evaluated: Evaluated,
) -> None:
    selected = evaluated.evaluation.mislabelled(top=20)
    assert len(selected.withheld) == 1
    policies: tuple[ScorePolicy, ...] = ("scores", "ranks")
    for policy in policies:
        contribution = evaluated.contributions[policy]
        named = evaluated.sellers[policy].table_rows(contribution, selected.of(contribution))
        assert named
        assert evaluated.wines.wrong[named].mean() > 0.7
    assert selected == evaluated.evaluation.value("mislabelled", top=20)


def test_sellers_read_which_of_their_own_labels_are_worst(evaluated: Evaluated) -> None:
    for policy in POLICIES:
        found = evaluated.sellers[policy].label_scores(evaluated.evaluation.id)
        assert found.values is None
        assert found.ranks is None
        assert len(found.worst) == 5  # a tenth of the buyer's 60, rounded down
        assert evaluated.wines.wrong[list(found.worst)].mean() >= 0.8


def test_the_ledger_tells_who_saw_scores_of_labels(evaluated: Evaluated) -> None:
    assert "label-scores" in evaluated.ledger["scores"]
    assert "label-ranks" in evaluated.ledger["ranks"]
    assert not {kind for kind in evaluated.ledger["none"] if kind.startswith("label-")}


def test_the_service_stores_codes_in_place_of_names(evaluated: Evaluated) -> None:
    folder = Path(evaluated.service.settings.arrays_folder)
    stored = b"".join(each.read_bytes() for each in folder.rglob("*") if each.is_file())
    assert not any(name.encode() in stored for name in NAMES)


def test_without_labels_there_are_no_scores_of_labels(
    service: Service, tmp_path: Path, evaluated: Evaluated
) -> None:
    jobs = Jobs(service)
    with new_parties(service) as party:
        buyer, seller = party("buyer"), party("seller")
        with Client(service.url, buyer.key) as asks, Client(service.url, seller.key) as offers:
            answering = Seller(offers, Profile(tmp_path / "seller"))
            answering.publish_key()
            request = Buyer(asks, Profile(tmp_path / "buyer")).ask(
                evaluated.wines.needed, title="Wines", sellers=[seller.account_id]
            )
            answering.answer(request.id, evaluated.wines.offered)
            evaluation = request.evaluate()
            jobs.evaluations.publish(evaluation.id, jobs.computed(jobs.evaluations, evaluation.id))
            with pytest.raises(ConflictError, match="no scores of labels"):
                evaluation.mislabelled(top=3)


def test_the_report_names_the_labels_that_are_probably_wrong(
    evaluated: Evaluated, tmp_path: Path
) -> None:
    file = tmp_path / "report.html"
    evaluated.evaluation.report(file)
    collected = file.read_text(encoding="utf-8")
    highest = evaluated.evaluation.label_scores(evaluated.contributions["ranks"]).highest(20)
    assert collected.count(f"points {', '.join(map(str, sorted(highest)))}") == 1
    # The seller without consent is left out, and ranks do not tell whether any label is wrong.
    assert collected.count("Check the labels of") == 1
    assert collected.count("Ranks do not tell which rows") == 1
