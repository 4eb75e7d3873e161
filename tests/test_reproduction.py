"""The paper's experiments run, and what was not run is named."""

import csv

import numpy as np
import pytest

from benchmarks.paper import __main__ as program
from benchmarks.paper.systems import fedwad, normal, sealed, triangle
from wassay.transport import Isometry, Measure, scale_hiding, wasserstein


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    out = tmp_path_factory.mktemp("paper") / "page.md"
    program.main(["toy", "otdd", "unbalanced", "push", "--quick", "--out", str(out)])
    return out


def table(page, name):
    with (page.with_suffix("") / f"{name}.csv").open() as file:
        return list(csv.DictReader(file))


def test_wassays_default_returns_the_distance_of_the_raw_data(page):
    for row in table(page, "unbalanced"):
        assert float(row["Wassay"]) == pytest.approx(float(row["Direct"]), rel=1e-4)
    (blobs,) = table(page, "otdd")
    assert float(blobs["Wassay"]) == pytest.approx(float(blobs["OTDD"]), rel=1e-4)


def test_raw_distances_are_those_that_the_paper_prints(page):
    for row in table(page, "unbalanced"):
        assert float(row["Direct"]) == pytest.approx(float(row["Direct, paper"]), rel=0.02)


def test_the_page_shows_what_was_run_and_names_what_was_not(page):
    text = page.read_text()
    assert "## Unequal sizes (appendix)" in text
    assert "| case | d | Direct |" in text
    assert "The push t (Theorem 3)" in text.split("Not run: ")[1].split("\n")[0]


def test_fedwad_never_goes_below_the_distance_and_comes_near_it():
    rng = np.random.default_rng(0)
    mu, nu = normal(rng, 30, 3), normal(rng, 40, 3, mean=4.0)
    truth = wasserstein(mu, nu).value
    distances = [fedwad(mu, nu, normal(rng, 50, 3), rounds).distance for rounds in (1, 5, 20)]
    assert all(distance >= truth * (1 - 1e-9) for distance in distances)
    assert distances[2] < 1.05 * truth < distances[0]


def test_one_reference_point_makes_triangles_exact():
    rng = np.random.default_rng(1)
    mu, nu = normal(rng, 30, 3), Measure(rng.gamma(2.0, size=(20, 3)))
    truth = wasserstein(mu, nu).value
    isometry = Isometry.draw(3, scale_hiding(mu))
    assert sealed(mu, nu, isometry) == pytest.approx(truth)
    assert triangle(mu, nu, normal(rng, 1, 3), 0.7) == pytest.approx(truth)
