"""The paper's experiments run, and the page lists those that were not run."""

import csv
import math
import re
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from benchmarks.paper import __main__ as program
from benchmarks.paper.bars import Bars
from benchmarks.paper.claims import CLAIMS, MATHEMATICS
from benchmarks.paper.inputs import Inputs, MissingInputError
from benchmarks.paper.lines import Lines
from benchmarks.paper.report import Row, name, with_ratios, write_csv
from benchmarks.paper.systems import fedwad, normal, sealed, triangle
from wassay.transport import Isometry, Measure, scale_hiding, wasserstein


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("paper") / "page.md"
    program.main(["toy", "otdd", "unbalanced", "push", "--quick", "--out", str(out)])
    return out


def table(page: Path, experiment: str) -> list[dict[str, str]]:
    with (page.with_suffix("") / f"{experiment}.csv").open() as file:
        return list(csv.DictReader(file))


def test_wassays_default_returns_the_distance_of_the_raw_data(page: Path) -> None:
    for row in table(page, "unbalanced"):
        assert float(row["Wassay"]) == pytest.approx(float(row["Direct"]), rel=1e-4)
    (blobs,) = table(page, "otdd")
    assert float(blobs["Wassay"]) == pytest.approx(float(blobs["OTDD"]), rel=1e-4)


def test_raw_distances_are_those_that_the_paper_prints(page: Path) -> None:
    for row in table(page, "unbalanced"):
        assert float(row["Direct"]) == pytest.approx(float(row["Direct, paper"]), rel=0.02)


def test_the_page_shows_what_was_run_and_names_what_was_not(page: Path) -> None:
    text = page.read_text()
    assert "## Unequal sizes (appendix)" in text
    assert "| case | d | Direct |" in text
    assert re.findall(r"!\[.*\]\(page/(\w+)\.png\)", text) == ["unbalanced", "toy", "otdd"]
    assert "The push t (Theorem 3)" in text.split("Not run: ")[1].split("\n")[0]


def test_experiments_compute_on_one_thread(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Threads(ModuleType):
        TITLE = ABOUT = "Threads"

        def run(self, _: Inputs) -> list[Row]:
            return [{"threads": max(pool["num_threads"] for pool in threadpool_info())}]

    monkeypatch.setattr(program, "EXPERIMENTS", (Threads("threads"),))
    with threadpool_limits(limits=2):
        program.main(["threads", "--out", str(tmp_path / "page.md")])
    assert (tmp_path / "page" / "threads.csv").read_text() == "threads\n1\n"


def test_every_claim_leads_to_a_section_of_the_page() -> None:
    text = (Path(program.__file__).parents[2] / "docs/reproduction.md").read_text()
    headings = re.findall(r"^## (.*)$", text, re.M)
    assert {where for *_, where in CLAIMS} - {MATHEMATICS} <= set(headings)
    anchors = {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= anchors


def test_every_table_of_the_repository_has_a_small_picture() -> None:
    folder = Path(program.__file__).parents[2] / "docs/reproduction"
    assert {path.stem for path in folder.glob("*.csv")} == set(map(name, program.EXPERIMENTS))
    for table in folder.glob("*.csv"):
        assert table.with_suffix(".png").stat().st_size < 150_000, table.stem


def test_bars_are_shares_of_each_sides_own_distance(tmp_path: Path) -> None:
    rows = [{"n": "1", "W": "4", "W, paper": "5", "V": "6", "V, paper": "", "kind": "clean"}]
    bars = Bars(("n",), ("V", "V, paper"), "share", where={"kind": "clean"}, shares_of="W")
    assert bars.height(rows[0], "V") == 1.5
    assert np.isnan(bars.height(rows[0], "V, paper"))
    assert bars.height({**rows[0], "V, paper": "10"}, "V, paper") == 2.0
    bars.draw(rows, tmp_path / "bars.png")
    assert (tmp_path / "bars.png").read_bytes().startswith(b"\x89PNG")


def test_lines_have_the_size_of_what_a_logarithm_cannot_show() -> None:
    row = {"t": "1", "error": "-2"}
    assert Lines("t", ("error",), "t").height(row, "error") == -2
    assert Lines("t", ("error",), "t", logarithmic=("error",)).height(row, "error") == 2


def test_ratios_stand_beside_the_papers_values_where_there_are_any() -> None:
    table = [["W", "W, paper", "s"], ["3", "2", "1"], ["3", "0", "1"], ["3", "", "1"]]
    expected = [["W", "W, paper", "ratio", "s"], ["3", "2", "1.5", "1"]]
    assert with_ratios(table)[:2] == expected
    assert [line[2] for line in with_ratios(table)[2:]] == ["", ""]


def test_data_sets_that_are_not_here_keep_their_rows(tmp_path: Path) -> None:
    inputs = Inputs(tmp_path, quick=True, mnist_path=tmp_path / "digits.csv.gz")
    assert inputs.image_sets(["CIFAR10", "MNIST", "Fashion"]) == ["MNIST"]
    with pytest.raises(MissingInputError, match="--mnist"):
        Inputs(tmp_path, quick=True).image_sets(["MNIST"])
    path = tmp_path / "table.csv"
    write_csv(path, [{"data": "CIFAR10", "W": 1.0}, {"data": "MNIST", "W": 2.0}])
    write_csv(path, [{"data": "MNIST", "W": 3.123456789, "note": "new"}])
    assert path.read_text() == "data,W,note\nMNIST,3.1235,new\nCIFAR10,1,\n"


def test_rounding_errors_are_written_as_zero(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    write_csv(path, [{"error": 2.2e-14, "left over": -5e-13, "kept": 4.6e-9, "log": -math.inf}])
    assert path.read_text() == "error,left over,kept,log\n0,0,4.6e-09,-inf\n"


def test_houses_are_their_numbers_and_the_price_comes_last(tmp_path: Path) -> None:
    path = tmp_path / "houses.csv"
    path.write_text("Area,Street,Pool,Price\n10,Pave,0,100\n20,Grvl,0,150\n30,NA,0,120\n")
    features, prices = Inputs(tmp_path, quick=True, housing_path=path).housing()
    np.testing.assert_allclose(features, [[-(1.5**0.5)], [0.0], [1.5**0.5]])
    np.testing.assert_array_equal(prices, [100, 150, 120])


def test_fedwad_never_goes_below_the_distance_and_comes_near_it() -> None:
    rng = np.random.default_rng(0)
    mu, nu = normal(rng, 30, 3), normal(rng, 40, 3, mean=4.0)
    truth = wasserstein(mu, nu).value
    distances = [fedwad(mu, nu, normal(rng, 50, 3), rounds).distance for rounds in (1, 5, 20)]
    assert all(distance >= truth * (1 - 1e-9) for distance in distances)
    assert distances[2] < 1.05 * truth < distances[0]


def test_one_reference_point_makes_triangles_exact() -> None:
    rng = np.random.default_rng(1)
    mu, nu = normal(rng, 30, 3), Measure(rng.gamma(2.0, size=(20, 3)))
    truth = wasserstein(mu, nu).value
    isometry = Isometry.draw(3, scale_hiding(mu))
    assert sealed(mu, nu, isometry) == pytest.approx(truth)
    assert triangle(mu, nu, normal(rng, 1, 3), 0.7) == pytest.approx(truth)
