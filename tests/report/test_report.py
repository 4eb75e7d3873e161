"""What a buyer reads in the report, in a real Chromium, and that the page loads nothing else."""

import select
import socket
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import pypdfium2
import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser import chromium
from tests.report.sample import T0, at_t0, found, judged, report, shown, with_t0
from wassay import models
from wassay.models import DisclosureKind
from wassay.report import Report, WrongLabels, render
from wassay.report.disclosures import DISCLOSED

IMAGE = "<img src='http://127.0.0.1:9/x' onerror='window.ran = 1'>"
HOSTILE = f'"><script>window.ran = 1</script>{IMAGE}'
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def context() -> Iterator[BrowserContext]:
    """A window. Its pages stay open, so that they share a process; each has its own document."""
    with chromium() as browser:
        yield browser.new_context()


@pytest.fixture
def addresses() -> list[str]:
    """The addresses that pages have requested."""
    return []


@pytest.fixture
def opened(context: BrowserContext, tmp_path: Path, addresses: list[str]) -> Open:
    """A function that opens a report or a page from a file, as its recipient would."""

    def open_(
        content: Report | str, width: int = 1200, scheme: Literal["light", "dark"] = "light"
    ) -> Page:
        page = context.new_page()
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        page.on("request", lambda request: addresses.append(request.url))
        file = tmp_path / "report.html"
        file.write_text(content if isinstance(content, str) else render(content), encoding="utf-8")
        page.goto(file.as_uri())
        return page

    return open_


def cells(page: Page, heading: str) -> list[list[str]]:
    """Return the rows of the table in a section, as text."""
    section = page.locator("section", has=page.get_by_role("heading", name=heading, exact=True))
    rows: list[list[str]] = section.locator("tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.cells].map(cell => cell.innerText.trim()))"
    )
    return rows


def test_the_page_says_what_the_sdk_says_at_t0(opened: Open) -> None:
    document = found()
    known = at_t0(document)
    page = opened(with_t0(document))
    rows = cells(page, "Sellers")
    labels = [seller.label for seller in known.sellers]
    assert [row[0].split("\n")[0] for row in rows] == [*labels, "all together"]
    for row, seller in zip(rows, known.sellers, strict=False):
        assert row[1] == str(seller.points)
        assert float(row[2]) == pytest.approx(seller.singleton.value, abs=5e-5)
        assert seller.singleton.interval is not None
        low, high = seller.singleton.interval
        # W_2 is certified far more precisely than a column shows, so the page shows the half width.
        assert float(row[3].replace("−", "-")) == pytest.approx((high - low) / 2, rel=0.05)
        assert float(row[4]) == pytest.approx(seller.relative_score, abs=5e-3)
        assert float(row[5].replace("−", "-")) == pytest.approx(seller.change, abs=1e-4)
    assert known.grand_coalition is not None
    assert float(rows[-1][2]) == pytest.approx(known.grand_coalition.value, abs=5e-5)
    assert f"t0 = {T0}" in page.locator("main").inner_text().replace("\n", "")


def test_without_t0_the_page_says_that_these_are_no_distances_of_raw_data(opened: Open) -> None:
    document = found()
    page = opened(report(document))
    rows = cells(page, "Sellers")
    nearest = min(seller.singleton.points[1].distance for seller in document.sellers)
    assert float(rows[0][2]) == pytest.approx(nearest, abs=5e-5)
    assert "lacks the distances of the raw data" in page.locator(".note").inner_text()
    assert page.locator(".push").count() == 0


def test_every_curve_has_its_weakest_certificate(opened: Open) -> None:
    document = found()
    rows = cells(opened(report(document)), "Certificates")
    names = [f"{label}, alone" for label in ("Bolt", "Cole", "Drew")]
    others = [f"all without {label}" for label in ("Bolt", "Cole", "Drew")]
    assert sorted(row[0] for row in rows) == sorted(["all together", *names, *others])
    together = document.grand_coalition
    assert together is not None
    worst = max(
        (point.certificate for point in together.points if point.certificate),
        key=lambda each: each.gap / each.primal,
    )
    assert rows[0][2] == f"{worst.primal:.6g}"


def test_text_by_other_parties_is_escaped(opened: Open, addresses: list[str]) -> None:
    document = found(labels=("Bolt", HOSTILE))
    finding = models.Finding(
        kind="copies-buyer",
        contribution_id=None,
        other_contribution_id=None,
        detail=HOSTILE,
        examined=40,
        found=30,
        chance=1e-9,
        misfit=None,
    )
    document = document.model_copy(update={"findings": [finding]})
    known = report(document)
    said = {"title": HOSTILE, "description": HOSTILE}
    page = opened(
        report(
            document,
            request=known.request.model_copy(update=said),
            scores={f"con_{HOSTILE}": np.array([-1.0, 2.0])},
        )
    )
    assert page.get_by_role("heading", level=1).inner_text() == HOSTILE
    assert HOSTILE in page.locator(".findings").inner_text()
    assert page.evaluate("window.ran") is None
    assert page.locator("script, img, a:not([href^='#'])").count() == 0
    assert addresses == [page.url]


def test_a_page_that_was_tampered_with_runs_and_loads_nothing(opened: Open) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        image = IMAGE.replace(":9/", f":{listener.getsockname()[1]}/")
        tampered = render(report(found())).replace(
            "</body>", f"<script>window.ran = 1</script>{image}</body>"
        )
        page = opened(tampered)
        assert page.evaluate("window.ran") is None
        assert select.select([listener], [], [], 0)[0] == []


def test_the_page_fits_a_phone_and_follows_the_light(opened: Open) -> None:
    document = found(labels=("W" * 200, "Cole"))
    scores = {"con_Cole": np.linspace(-1, 3, 40)}
    night = opened(report(document, scores=scores), width=360, scheme="dark")
    assert night.evaluate("document.documentElement.scrollWidth") == 360
    day = opened(report(document, scores=scores), width=360)

    def paper(page: Page) -> str:
        return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))

    assert paper(night) != paper(day)


def test_spoilt_points_stand_out_though_their_seller_is_the_nearest(opened: Open) -> None:
    # All points of the near seller lower the distance, but 30 spoilt ones less than the others.
    near = np.concatenate([np.linspace(-5.2, -4.8, 170), np.linspace(-2, -1, 30)])
    far = np.linspace(4.8, 5.2, 200)
    shown = {"scores": {"con_Bolt": near, "con_Cole": far}, "noisiest": {"con_Drew": [7, 3]}}
    page = opened(report(found(), **shown))
    captions = [
        page.locator(".plots figure", has_text=label).locator("figcaption").inner_text()
        for label in ("Bolt", "Cole")
    ]
    noise = ", ".join(map(str, range(180, 200)))  # the worst 20
    assert captions[0].startswith(
        f"30 of 200 points stand out from the others: points {noise} and 10"
    )
    assert "As a whole: −" in captions[0]
    assert captions[0].endswith(f"wassay rows con_Bolt {noise.replace(',', '')}")
    assert captions[1].startswith("0 of 200 points stand out from the others. As a whole: +")
    told = page.locator("main").inner_text().replace("\n", " ")
    assert "The noisiest of the 42 points of Drew" in told
    assert "points 3, 7." in told
    assert "can compute the raw records from exact scores" in told
    assert 'max_disclosure="exact"' in told
    assert f"30 of Bolt’s 40 points (points {noise} and 10 more, which" in told
    assert page.locator("figure .noise").count() > 1


def test_the_page_says_what_each_seller_adds_to_those_who_cover_more(opened: Open) -> None:
    shares = {("Bolt",): 0.6, ("Cole",): 0.5, ("Bolt", "Cole"): 0.7}
    groups = [
        models.GroupCoverage(
            contribution_ids=[f"con_{each}" for each in group], shares=[share] * 2, expected=0.97
        )
        for group, share in shares.items()
    ]
    covered = models.SweptCoverage(sweep=[0.25, 0.75], examined=40, groups=groups)
    page = opened(with_t0(found().model_copy(update={"coverage": covered})))
    table = page.get_by_role("region", name="Coverage of your points")
    bodies = [
        row.replace("\t", " ").split("\n") for row in table.locator("tbody tr").all_inner_texts()
    ]
    assert [" ".join(row).split() for row in bodies] == [
        ["Bolt", "60", "%", "97", "%"],
        ["Cole", "50", "%", "97", "%", "10", "%"],
        ["all", "together", "70", "%"],
    ]


def test_where_nobody_adds_coverage_sellers_are_listed_by_distance(opened: Open) -> None:
    shares = {("Bolt",): 0.8, ("Cole",): 0.7, ("Bolt", "Cole"): 0.8}
    order = [each.label for each in at_t0(found()).sellers]
    assert order.index("Cole") < order.index("Bolt")
    groups = [
        models.GroupCoverage(
            contribution_ids=[f"con_{each}" for each in group], shares=[share] * 2, expected=0.97
        )
        for group, share in shares.items()
    ]
    covered = models.SweptCoverage(sweep=[0.25, 0.75], examined=40, groups=groups)
    page = opened(with_t0(found().model_copy(update={"coverage": covered})))
    rows = cells(page, "Coverage of your points")
    assert [row[:2] for row in rows] == [
        ["Cole", "70 %"],
        ["Bolt", "80 %"],
        ["all together", "80 %"],
    ]
    assert "adds most" not in page.locator("main").inner_text()


def test_all_lists_name_the_nearest_seller_first(opened: Open) -> None:
    document = found()
    document = document.model_copy(update={"sellers": document.sellers[::-1]})
    noisiest = {f"con_{label}": [4, 1] for label in ("Bolt", "Cole", "Drew")}
    labels = {name: WrongLabels((9, 7), 0.5) for name in noisiest}
    page = opened(with_t0(document, noisiest=noisiest, label_scores=labels))
    points = page.locator("#points code", has_text="wassay rows con_").all_inner_texts()
    assert points == [
        f"wassay rows con_{label} {numbers}"
        for numbers in ("1 4", "7 9")
        for label in (each.label for each in at_t0(document).sellers)
    ]


def test_contributions_by_scalars_are_shown_as_unverified(opened: Open) -> None:
    document = found()

    def said(seller: models.SellerResult) -> models.SellerResult:
        points = [
            point.model_copy(update={"certificate": None}) for point in seller.singleton.points
        ]
        alone = seller.singleton.model_copy(update={"points": points})
        return seller.model_copy(
            update={"mode": "scalar", "verified": False, "singleton": alone, "leave_one_out": None}
        )

    sellers = [said(seller) for seller in document.sellers]
    page = opened(report(document.model_copy(update={"grand_coalition": None, "sellers": sellers})))
    rows = cells(page, "Sellers")
    assert [row[3] for row in rows] == ["unverified"] * 3
    assert cells(page, "Certificates") == []
    assert page.locator(".band").count() == 0
    assert "nobody can verify them" in page.locator("main").inner_text()


def test_results_with_noise_have_intervals(opened: Open) -> None:
    def costs(cost: float) -> list[models.NoisedCost]:
        return [
            models.NoisedCost(s=s, cost=cost, scale=0.5, interval=(cost - 1.5, cost + 1.5))
            for s in (0.25, 0.5, 0.75)
        ]

    noised = models.NoisedResult(
        evaluation_id="evl_1",
        request_id="req_1",
        order=2,
        sweep=[0.25, 0.5, 0.75],
        buyer_points=40,
        epsilon=2.0,
        radius=3.0,
        confidence=0.95,
        grand_coalition=costs(-0.25),
        sellers=[
            models.NoisedSeller(
                contribution_id=f"con_{label}",
                account_id=f"acc_{label}",
                label=label,
                points=40,
                weight=0.5,
                singleton=costs(cost),
            )
            for label, cost in (("Bolt", 4.0), ("Cole", 9.0))
        ],
        software={},
    )
    page = opened(report(noised))
    rows = [[row[0].split("\n")[0], *row[1:]] for row in cells(page, "Sellers")]
    assert rows == [
        ["Bolt", "40", "2.0000", "1.5811 to 2.3452"],  # √2.5 and √5.5
        ["Cole", "40", "3.0000", "2.7386 to 3.2404"],  # √7.5 and √10.5
        [
            "all together",
            "80",
            "0.0000",
            "0.0000 to 1.1180",
        ],  # √1.25; the noise made the lower end negative
    ]
    assert page.locator(".whisker").count() == 3 * 3


PLOTTED = {"con_Bolt": np.linspace(-1, 3, 40), "con_Cole": np.linspace(-1, 3, 41)}


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1200, "dark")])
def test_axe_finds_nothing_on_the_page(
    opened: Open, width: int, scheme: Literal["light", "dark"]
) -> None:
    document = judged({"Bolt": 0.0, "Cole": 1.0}, n=60)
    wrong = {"con_Cole": WrongLabels((3, 4), 0.8)}
    shown = with_t0(document, scores=PLOTTED, label_scores=wrong)
    page = opened(shown, width=width, scheme=scheme)
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8"))
    found = page.evaluate("async () => (await axe.run()).violations.map(each => each.id)")
    assert found == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    label, card = (page.locator(each).bounding_box() for each in (".floor-label", ".nearness"))
    assert label is not None
    assert card is not None
    assert card["x"] <= label["x"] <= card["x"] + card["width"] - label["width"]


def test_what_scrolls_is_reached_by_the_keyboard(opened: Open) -> None:
    page = opened(with_t0(found(), scores=PLOTTED), width=390)
    scrolling = page.evaluate(
        "[...document.querySelectorAll('body *')]"
        ".filter(each => each.scrollWidth > each.clientWidth + 1"
        " && getComputedStyle(each).overflowX === 'auto').map(each => each.ariaLabel)"
    )
    assert "Certificates" in scrolling
    reached = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.ariaLabel"))
    assert reached >= set(scrolling)


def test_on_paper_nothing_is_cut_off_or_parted_from_its_heading(
    opened: Open, tmp_path: Path
) -> None:
    names = ("Bolt", "Cole", "Drew", "Elk", "Fox")
    scores = {f"con_{each}": np.linspace(-1, 3, 40) for each in names}
    page = opened(with_t0(found(names), scores=scores))
    headings = {text.strip() for text in page.locator("h1, h2, h3").all_inner_texts()}
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680, "height": 1000})  # the width of A4 between the margins
    cut = "[...document.querySelectorAll('.scroll, pre, figure, svg')].filter(each =>"
    cut += " each.getBoundingClientRect().right > document.body.clientWidth + 1"
    assert page.evaluate(cut + " || each.scrollWidth > each.clientWidth + 1).length") == 0
    page.pdf(path=tmp_path / "report.pdf", prefer_css_page_size=True)
    with pypdfium2.PdfDocument(tmp_path / "report.pdf") as paper:
        pages = [each.get_textpage().get_text_bounded().split("\r\n") for each in paper]
    assert sum(line.count("stand out from the others") for lines in pages for line in lines) == 5
    for lines in pages:
        assert [line for line in lines if line.strip()][-1].strip() not in headings
        text = " ".join(lines)
        assert text.count("score above the seller") == text.count("stand out from the others")


def test_alike_disclosures_of_many_sellers_take_one_line(opened: Open) -> None:
    labels = tuple(f"Seller {number}" for number in range(8))
    document = found(labels, n=8)
    rows = [
        shown(kind, f"acc_{label}", "acc_1", "scalars")
        for label in labels
        for kind in ("distances", "findings")
    ]
    keys = [shown("key", "acc_1", f"acc_{label}", "nothing") for label in labels[:6]]
    page = opened(report(document, disclosures=[*rows, *keys]))
    assert [row[:4] for row in cells(page, "What was disclosed")] == [
        [
            "the reference’s key, in a sealed box",
            "Seller 0, Seller 1, Seller 2 and 3 more",
            "nothing",
            "6",
        ],
        ["distances", "all 8 sellers", "scalars", "8"],
        ["anomalies that the data are in", "all 8 sellers", "scalars", "8"],
    ]


def test_every_kind_of_disclosure_has_words() -> None:
    assert set(DISCLOSED) == set(get_args(DisclosureKind))
