"""The documentation's links and names exist, and its settings are those of the service."""

import json
import re
import shlex
import subprocess
import sys
from functools import cache
from importlib import import_module
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

from app.database import Base
from app.settings import Settings
from app.tables import METADATA
from tests.programs.typed import Run, typed
from wassay import cli

ROOT = Path(__file__).parents[1]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *(ROOT / "docs").rglob("*.md"),
]
FOLDERS = "app|benchmarks|docs|examples|migrations|openapi|tests|wassay"
COMMAND = re.compile(r"(?:`|\$ (?:\.venv/bin/)?)wassay ([^`\n]+)")


def test_the_page_of_settings_names_every_setting_and_no_other() -> None:
    page = (ROOT / "docs" / "operating" / "settings.md").read_text()
    rows = {line.split("`")[1] for line in page.splitlines() if line.startswith("| `WASSAY_")}
    assert rows == {f"WASSAY_{name.upper()}" for name in Settings.model_fields}


def _says_all(name: str, schema: dict[str, Any]) -> bool:
    """Whether a field's name and type say all: an id, a moment, named values or an object."""
    return (
        name.endswith(("id", "_id", "_at"))
        or any(each in schema for each in ("enum", "const", "$ref"))
        or "$ref" in schema.get("items", {})
        or name in {"rows", "solver", "solver_version"}
    )


def test_every_field_of_the_api_is_described_unless_its_name_and_type_say_all() -> None:
    document = json.loads((ROOT / "openapi" / "openapi.json").read_text(encoding="utf-8"))
    fields = [
        (model, name, schema)
        for model, each in document["components"]["schemas"].items()
        for name, schema in each.get("properties", {}).items()
    ]
    assert len(fields) > 300
    assert [
        f"{model}.{name}"
        for model, name, schema in fields
        if not schema.get("description") and not _says_all(name, schema)
    ] == []


def test_every_link_to_a_file_leads_to_one() -> None:
    links = [
        (page, link) for page in PAGES for link in re.findall(r"\]\(([^)\s]+)", page.read_text())
    ]
    files = [
        (page, link.partition("#")[0]) for page, link in links if not re.match(r"[a-z]+:|#", link)
    ]
    assert len(files) > len(PAGES)
    assert [
        f"{page.relative_to(ROOT)}: {file}"
        for page, file in files
        if not (page.parent / file).exists()
    ] == []


def test_every_path_that_a_page_names_is_there() -> None:
    named = {
        (page.name, path)
        for page in PAGES
        for path in re.findall(rf"`((?:{FOLDERS})/[^`\s]*)`", page.read_text())
    }
    assert len(named) > 80
    assert [(page, path) for page, path in sorted(named) if not any(ROOT.glob(path))] == []


def test_the_architecture_page_names_every_table_and_its_file() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    rows = re.findall(r"^\| (`[a-z_]+`.*?) \| `(app/[\w/]+\.py)` \|$", page, re.M)
    named = {(table, file) for tables, file in rows for table in re.findall(r"`([a-z_]+)`", tables)}
    there = {
        (mapper.class_.__tablename__, mapper.class_.__module__.replace(".", "/") + ".py")
        for mapper in Base.registry.mappers
    }
    assert named == there
    assert {table for table, _ in there} == set(METADATA.tables)


@pytest.mark.parametrize(
    ("module", "absent"),
    [
        ("wassay.cli", ("numpy", "fastapi", "sqlalchemy")),
        ("app.main", ("scipy", "numba", "ot")),
        ("app.worker", ("scipy", "numba", "ot")),
        (
            "app.evaluations.computing.compute, app.evaluations.computing.load_solver",
            ("fastapi", "dbos", "sqlalchemy", "sklearn.cluster", "scipy.stats", "structlog"),
        ),
    ],
)
def test_processes_do_not_load_what_the_architecture_page_rules_out(
    module: str, absent: tuple[str, ...]
) -> None:
    program = f"import {module}, sys; sys.exit(', '.join(set({absent}) & set(sys.modules)) or 0)"
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_building_costs_imports_no_database() -> None:
    program = (
        "import sys; from app.contributions.modes.registry import array_mode_of; "
        "array_mode_of('measure'); array_mode_of('cost-block'); "
        "sys.exit('sqlalchemy' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def figures(table: str) -> float:
    """Return the share of a table's cells, without its head, that begin with a figure."""
    cells = [cell.strip() for row in table.splitlines()[2:] for cell in row.strip("| ").split("|")]
    return sum(bool(re.match(r"[−-]?\d", cell)) for cell in cells) / len(cells)


def test_every_table_of_figures_says_what_makes_it() -> None:
    tables = [
        (page.name, section.partition("\n")[0], section)
        for page in (*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "operating").glob("*.md"))
        for section in re.split(r"^#+ ", page.read_text(), flags=re.M)
        if any(figures(table) > 0.4 for table in re.findall(r"(?:^ *\|.*\n){3,}", section, re.M))
    ]
    assert len(tables) > 10
    sources = r"`make [a-z-]+|measured once, by hand|\(\*tested\*\)"
    assert [
        (page, heading)
        for page, heading, section in tables
        if page != "reproduction.md" and not re.search(sources, section.replace("\n", " "))
    ] == []


def test_every_target_that_a_page_names_is_one() -> None:
    there = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    named = {
        target
        for page in PAGES
        for target in re.findall(r"(?:`|\$ )make ([a-z-]+)", page.read_text())
    }
    assert {"demo", "paper-data"} <= named <= there


def test_the_list_of_commands_shows_the_first_line_of_each_commands_help() -> None:
    for name, summary in cli.SUMMARIES.items():
        module = name.replace("-", "_")
        command = getattr(import_module(f"wassay.cli.commands.{module}"), module)
        assert (command.__doc__ or "").partition("\n")[0] == summary


def test_every_command_that_a_page_shows_is_one_and_has_the_options(tmp_path: Path) -> None:
    shown = {
        tuple(shlex.split(command, comments=True))
        for page in PAGES
        for command in COMMAND.findall(page.read_text())
    }
    assert len(shown) > 40

    @cache
    def explained(*names: str) -> Run:
        return typed(tmp_path, {}, *names, "--help")

    for words in sorted(shown):
        help_ = explained(*takewhile(re.compile("[a-z][a-z-]*").fullmatch, words))
        assert help_.returncode == 0, (words, help_.stderr)
        options = {word for word in words if word.startswith("--")}
        assert options <= set(re.split(r"[\s,/]+", help_.stdout)), words


def test_the_index_of_decisions_lists_each_with_its_title() -> None:
    folder = ROOT / "docs" / "decisions"
    index = (folder / "README.md").read_text()
    listed = re.findall(
        r"^\| (\d+) \| \[(.+)\]\((0\d{3}-[a-z0-9-]+\.md)\) \| \d{4}-\d\d-\d\d \| .+ \|$",
        index,
        re.M,
    )
    there = []
    for file in sorted(folder.glob("0*.md")):
        heading = re.match(r"# (\d+)\. (.+)", file.read_text())
        assert heading is not None
        there.append((*heading.groups(), file.name))
    assert listed == there
