"""Buyer and sellers agree on a recipe: their tables, in their own formats, become comparable."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sqlalchemy import create_engine, inspect, text

from tests.conftest import ON_SQLITE
from tests.e2e.service import NewParty, Party, Service
from wassay import Buyer, Estimates, Evaluation, Profile, Request, Sample, Seller
from wassay.audit import Audit
from wassay.client import DifferencesError
from wassay.client.buyer.saved_request import SavedRequest
from wassay.recipes import PublicPart
from wassay.recipes.sampled import sample_rows

pytestmark = ON_SQLITE

ROWS = 100


def people(seed: int, *, shift: float = 0.0) -> pd.DataFrame:
    """Draw people from a population; `shift` moves its numbers by as many standard deviations."""
    random = np.random.default_rng(seed)
    since = pd.to_timedelta(random.integers(0, 3000, ROWS), "D")
    return pd.DataFrame(
        {
            "age": (random.normal(45 + 12 * shift, 12, ROWS)).clip(18, 95).round().astype(int),
            "income": np.exp(random.normal(10.3 + 0.5 * shift, 0.5, ROWS)).round(2),
            "bmi": random.normal(25 + 4 * shift, 4, ROWS).round(1),
            "city": random.choice(["Basel", "Bern", "Geneva"], ROWS, p=[0.5, 0.3, 0.2]),
            "since": pd.Timestamp("2015-01-01") + since,
        }
    )


NEEDED, SAME, SHIFTED = people(1), people(2), people(3, shift=1.0)
NONSENSE = people(4).assign(
    age=np.random.default_rng(5).integers(395, 405, ROWS),
    bmi=np.random.default_rng(6).normal(-50, 1, ROWS),
)


@dataclass
class Market:
    buyer: Party
    sellers: dict[str, Party]
    request: Request
    evaluation: Evaluation
    saved: SavedRequest

    @cached_property
    def estimates(self) -> Estimates:
        return self.evaluation.result().estimates()

    def distance(self, name: str) -> float:
        found = next(each for each in self.estimates.sellers if each.label == name)
        assert found.singleton is not None
        return found.singleton.value


@pytest.fixture(scope="module")
def market(new_party: NewParty, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Market]:
    """One request that five sellers answer, each with a table in another format."""
    folder = tmp_path_factory.mktemp("market")
    names = ["same", "shifted", "nonsense", "thousands", "parquet"]
    sellers = {name: new_party("seller", name=name) for name in names}
    buyer = new_party("buyer", name="Bea")
    for seller in sellers.values():
        Seller(seller.client).publish_key()
    accounts = [seller.account_id for seller in sellers.values()]
    request = Buyer(buyer.client).ask(NEEDED, title="Customers", sellers=accounts)
    request.save(folder / "request.json")

    file = folder / "same.parquet"
    SAME[["since", "city", "bmi", "income", "age"]].to_parquet(file)
    answers: dict[str, tuple[pd.DataFrame, dict[str, Any]]] = {
        "same": (SAME, {}),
        "shifted": (SHIFTED, {"sample": Sample(75, seed=7)}),
        "nonsense": (
            NONSENSE,
            {"accept_differences": ["out-of-range:age", "out-of-range:bmi"]},
        ),
        "thousands": (
            SAME.assign(income=SAME["income"] / 1000).rename(columns={"city": "Ort"}),
            {"factors": {"income": 1000.0}, "rename": {"Ort": "city"}},
        ),
        "parquet": (pd.read_parquet(file), {}),
    }
    for name, (frame, how) in answers.items():
        Seller(sellers[name].client).answer(request.id, frame, label=name, **how)
    evaluation = request.evaluate().wait(timeout=300)
    yield Market(buyer, sellers, request, evaluation, SavedRequest.load(folder / "request.json"))


def test_the_same_population_is_nearest_the_shifted_next_and_nonsense_last_by_a_factor(
    market: Market,
) -> None:
    distances = [market.distance(name) for name in ("same", "shifted", "nonsense")]
    assert distances == sorted(distances)
    assert distances[1] > 1.5 * distances[0]
    assert distances[2] > 1.5 * distances[1]


def test_a_seller_finds_the_requests_that_read_a_column(market: Market) -> None:
    seller = Seller(market.sellers["same"].client)
    assert [each.id for each in seller.open_requests(["BMI", "income"])] == [market.request.id]
    assert list(seller.open_requests(["bmi", "height"])) == []
    assert list(seller.open_requests(text="no such words", unit="EUR")) == []


def test_a_sampled_answer_says_of_how_many_rows_and_names_rows_of_the_table(
    market: Market, tmp_path: Path
) -> None:
    (contribution,) = (each for each in market.request.contributions() if each.label == "shifted")
    assert (contribution.points, contribution.sampled_from) == (75, ROWS)
    party = market.sellers["shifted"]
    rows = Seller(party.client).table_rows(contribution.id)
    assert sorted(rows) == sample_rows(SHIFTED, Sample(75, seed=7)).drawn.numbers.tolist()
    shown = party.client.evaluations.scores(market.evaluation.id, contribution.id)
    named = Seller(party.client).scores(market.evaluation.id)
    assert named.noisiest == sorted(rows[point] for point in shown.noisiest)
    assert named.noisiest != shown.noisiest
    with pytest.warns(UserWarning, match="does not know which"):
        other = Seller(party.client, Profile(tmp_path / "other.json"))
        assert other.scores(market.evaluation.id).noisiest == shown.noisiest


@pytest.mark.parametrize("name", ["thousands", "parquet"])
def test_a_declared_unit_and_the_order_of_columns_change_no_answer(
    market: Market, name: str
) -> None:
    # The points agree except for the jitter of ties, which every seller draws anew.
    assert market.distance(name) == pytest.approx(market.distance("same"), rel=0.05)


def test_an_undeclared_thousand_is_refused_with_a_sentence_before_anything_leaves(
    market: Market,
) -> None:
    offered = SAME.assign(income=SAME["income"] / 1000)
    seller = market.sellers["same"]
    (difference,) = Seller(seller.client).check(market.request.id, offered)
    assert (difference.kind, difference.field, difference.factor) == ("unit", "income", 1000.0)
    before = [each.id for each in seller.client.contributions.list(market.request.id)]
    assert len(before) == 1
    with pytest.raises(DifferencesError, match=r"unit:income: expected .* multiplied by 1000"):
        Seller(seller.client).audit(market.request.id, offered)


def test_what_is_refused_here_leaves_no_draft_that_the_buyer_sees(market: Market) -> None:
    def stop(audit: Audit) -> None:
        raise RuntimeError(audit.message)

    seller = market.sellers["same"]
    before = [(each.id, each.state) for each in market.request.contributions()]
    with pytest.raises(DifferencesError, match="unit:income"):
        Seller(seller.client).answer(market.request.id, SAME.assign(income=SAME["income"] / 1000))
    with pytest.raises(RuntimeError):
        Seller(seller.client).answer(market.request.id, SAME, on_audit=stop)
    assert [(each.id, each.state) for each in market.request.contributions()] == before


def test_a_check_names_what_differs(market: Market) -> None:
    offered = SAME.rename(columns={"city": "City", "bmi": "weight"}).assign(note="x")
    found = Seller(market.sellers["same"].client).check(market.request.id, offered)
    assert [(each.kind, each.field, each.column) for each in found] == [
        ("missing", "bmi", None),
        ("renamed", "city", "City"),
        ("extra", None, "weight"),
        ("extra", None, "note"),
    ]


def test_the_service_shows_the_public_part_and_holds_no_quantile(
    market: Market, service: Service, database_url: str
) -> None:
    recipe = market.saved.recipe
    assert recipe is not None
    shown = market.sellers["same"].client.requests.get(market.request.id)
    assert PublicPart.model_validate(shown.recipe) == recipe.public
    fitted = recipe.fitted.model_dump(mode="json")
    learned = [*fitted["fields"]["income"]["fit"]["quantiles"], *np.ravel(fitted["whitening"])]
    files = [path.read_bytes() for path in service.data_folder.rglob("*") if path.is_file()]
    stored = b"".join([*files, everything_in(database_url)])
    assert market.request.id.encode() in stored
    assert recipe.public.fields[0].name.encode() in stored
    for number in learned:
        if number:
            assert repr(float(number)).encode() not in stored
            assert struct.pack("<d", number) not in stored
    assert b"Geneva" not in stored


def everything_in(database_url: str) -> bytes:
    """Return every value of every table, as text."""
    engine = create_engine(database_url)
    with engine.connect() as connection:
        tables = inspect(engine).get_table_names()
        rows = [
            row for table in tables for row in connection.execute(text(f'SELECT * FROM "{table}"'))
        ]
    engine.dispose()
    return "\n".join(str(tuple(row)) for row in rows).encode()


def test_the_ledger_of_the_buyer_says_who_learned_from_the_recipe(market: Market) -> None:
    recipe = market.saved.recipe
    assert recipe is not None
    rows = market.buyer.client.disclosures.list(request_id=market.request.id)
    told = {row.viewer_id: row for row in rows if row.kind == "recipe"}
    assert set(told) == {seller.account_id for seller in market.sellers.values()}
    for row in told.values():
        assert (row.disclosure_class.value, row.points) == ("scalars", ROWS)
        assert row.digest == recipe.public.digest()
