"""The site's addresses lead to its pages, and the check of links finds broken ones."""

import json
import re
from pathlib import Path

import griffe
import pytest

import wassay
from wassay.models import Request
from website.built_links import faults
from website.command_reference import command_pages
from website.field_descriptions import FieldDescriptions
from website.http_reference import http_pages
from website.problem_reference import problem_page
from website.python_reference import PAGES
from website.repository_pages import ROOT, with_site_links
from website.wide_layout import lower_widths


@pytest.mark.parametrize(
    ("page", "link", "expected"),
    [
        ("index.md", "docs/trust.md#x", "trust.md#x"),
        ("index.md", "LICENSE", "files/LICENSE"),
        ("tutorials/table.md", "../../CONTRIBUTING.md", "../contributing.md"),
        ("tutorials/README.md", "../README.md", "../pages.md"),
        ("decisions/README.md", "0001-a.md", "0001-a.md"),
        ("pages.md", "../README.md", "index.md"),
        ("howto/buy.md", "../../wassay/cli/__init__.py", "../reference/commands.md"),
        ("trust.md", "#here", "#here"),
        ("trust.md", "https://example.com/a.md", "https://example.com/a.md"),
    ],
)
def test_links_written_for_the_repository_lead_to_pages_of_the_site(
    page: str, link: str, expected: str
) -> None:
    assert with_site_links(f"[a]({link})", page) == f"[a]({expected})"


def test_a_link_to_a_file_that_the_site_lacks_is_refused() -> None:
    with pytest.raises(ValueError, match=r"received app/main\.py"):
        with_site_links("[a](../app/main.py)", "trust.md")


def test_broken_links_and_files_from_elsewhere_are_found_in_built_pages(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text('<h1 id="top">B</h1>')
    (tmp_path / "a.html").write_text(
        '<a href="b.html#top"></a><a href="https://example.com"></a><a href="b.html#gone"></a>'
        '<a href="c.html"></a><script src="https://example.com/a.js"></script>'
    )
    assert [each.split("received ")[1] for each in faults(tmp_path)] == [
        "https://example.com/a.js",
        "the link b.html#gone",
        "the link c.html",
    ]


def test_the_widths_of_the_theme_are_lowered_or_missed(tmp_path: Path) -> None:
    names = "stylesheets/main.1.css", "stylesheets/palette.1.css", "javascripts/bundle.1.js"
    files = [tmp_path / "assets" / name for name in names]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("(min-width:76.25em) (max-width:76.234375em)", encoding="utf-8")
    lower_widths(tmp_path)
    texts = {file.read_text(encoding="utf-8") for file in files}
    assert texts == {"(min-width:68.75em) (max-width:68.734375em)"}
    with pytest.raises(ValueError, match=r"expected the width 76\.25em .* received none"):
        lower_widths(tmp_path)


def test_what_is_inside_a_list_is_indented_by_four() -> None:
    """Otherwise GitHub and the site disagree about what belongs to the list."""
    begins = re.compile(r"(?:^|\n\n)((?: {1,3}| {5,7})(?=\S).*)|\n( {1,3}[-*] .*)")
    pages = [ROOT / "README.md", ROOT / "SECURITY.md", *(ROOT / "docs").rglob("*.md")]
    found = []
    for page in pages:
        prose = re.sub(r"^ *```.*?^ *```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
        found += [(page.name, each[0].strip()) for each in begins.finditer(prose)]
    assert found == []


def test_every_public_name_is_on_a_page() -> None:
    there = {name.rpartition(".")[2] for group in PAGES.values() for name in group.everything()}
    assert set(wassay.__all__) - there == {"__version__"}


def test_every_operation_is_on_a_page_with_what_it_takes_and_refuses() -> None:
    pages = dict(http_pages(ROOT / "openapi" / "openapi.json"))
    assert "POST /v1/requests\n" in pages["requests.md"]
    assert "**Body:** [NewRequest](objects.md#NewRequest)" in pages["requests.md"]
    assert "| 422 | `noise-not-possible` | Noise needs order 2" in pages["requests.md"]
    rows = re.findall(r"^\| 4\d\d \| `[a-z-]+` \| (.*) \|$", pages["requests.md"], re.M)
    assert len(rows) > 10
    assert not [row for row in rows if re.search(r"`: |\.;", row)]
    assert "## NewRequest { #NewRequest }" in pages["objects.md"]
    operations = sum(len(re.findall(r"^```http$", page, re.M)) for page in pages.values())
    document = json.loads((ROOT / "openapi" / "openapi.json").read_text(encoding="utf-8"))
    assert operations == sum(len(item) for item in document["paths"].values())


def test_fields_of_objects_are_shown_with_what_they_mean() -> None:
    page = dict(http_pages(ROOT / "openapi" / "openapi.json"))["objects.md"]
    meaning = Request.model_fields["measure"].description
    assert f"| `measure` | [StoredArray](objects.md#StoredArray) or null | {meaning} |" in page


def test_fields_of_pydantic_models_are_shown_with_what_they_mean() -> None:
    package = griffe.load(
        "wassay.models", search_paths=[ROOT], extensions=griffe.Extensions(FieldDescriptions())
    )
    sweep, projected = (package[f"requests.Request.{each}"] for each in ("sweep", "projected_from"))
    assert sweep.docstring.value == Request.model_fields["sweep"].description
    assert (sweep.value, projected.value) == (None, "None")
    assert package["requests.Request.id"].docstring is None


def test_every_command_is_on_a_page_with_its_options() -> None:
    pages = dict(command_pages())
    assert re.search(r"^\| `--title <str>` \| The title", pages["commands.md"], re.M)
    assert "## wassay accounts create" in pages["operator_commands.md"]


def test_problems_of_requests_and_of_jobs_are_on_a_page() -> None:
    page = problem_page()
    assert "| `not-found` | 404 |" in page
    assert "| `out-of-memory` |" in page
