"""The wheel in a new environment, run in a folder with other packages `app` and `migrations`."""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from zipfile import ZipFile

import httpx
import psutil
import pytest

from tests.e2e.service import address_in
from tests.programs.installed_packages import SITE_PACKAGES

SOURCE = Path(__file__).parents[2]
FLOWS = Path(__file__).with_name("flows.py").read_text()
FOREIGN = "raise SystemExit('somebody else\\'s package was imported')\n"
STOP_SECONDS = 60


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("built")
    source = (
        built / "source"
    )  # a copy, because files that a build leaves in its folder would get into the next wheel
    for folder in ("app", "migrations", "wassay"):
        shutil.copytree(SOURCE / folder, source / folder)
    for file in ("LICENSE", "MANIFEST.in", "README.md", "pyproject.toml", "setup.py"):
        shutil.copy(SOURCE / file, source)
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"),
            *("--no-build-isolation", "--wheel-dir", str(built), str(source)),
        ],
        check=True,
        capture_output=True,
        cwd=built,
    )
    return next(built.glob("wassay-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder `bin` of an environment with the wheel, which shares our other packages."""
    environment = tmp_path_factory.mktemp("environment")
    venv.create(environment, with_pip=False)
    programs = environment / "bin"
    site_packages = next(environment.glob("lib/python*/site-packages"))
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "--python", str(programs / "python"), "install"),
            *("--quiet", "--no-deps", "--no-index", "--ignore-installed", "--no-compile"),
            str(wheel),
        ],
        check=True,
        capture_output=True,
    )
    (site_packages / "others.pth").write_text(f"{SITE_PACKAGES}\n")
    return programs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project of somebody else, with packages that have the names of our source folders."""
    for name in ("app", "migrations"):
        package = tmp_path / name
        package.mkdir()
        for module in ("__init__", "commands", "env", "worker"):
            (package / f"{module}.py").write_text(FOREIGN)
    return tmp_path


def surroundings(folder: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ}
    return {
        **kept,
        "PYTHONPATH": ".",
        "WASSAY_DATA_FOLDER": str(folder / "data"),
        "WASSAY_WORKER_CONCURRENCY": "1",
        "PYTHONUNBUFFERED": "1",
    }


@contextmanager
def serving(programs: Path, folder: Path, environment: dict[str, str]) -> Iterator[str]:
    log = folder / "log"
    with log.open("wb") as file:
        process = psutil.Popen(
            [programs / "wassay", "serve", "--port", "0"],
            cwd=folder,
            env=environment,
            stdout=file,
            stderr=file,
        )
    try:
        yield address_in(log, process)
    finally:
        process.terminate()
        process.wait(STOP_SECONDS)


def test_the_wheel_installs_only_the_package_wassay(wheel: Path) -> None:
    names = ZipFile(wheel).namelist()
    top = {name.partition("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"wassay"}
    for needed in (
        *(
            "__init__.pyi",
            "py.typed",
            "transport/__init__.pyi",
            "recipes/recipe.schema.json",
            "report/templates/page.html",
        ),
        *("server/worker.py", "server/migrations/env.py", "server/py.typed"),
        "server/migrations/versions/0001_the_first_schema.py",
    ):
        assert f"wassay/{needed}" in names


def test_the_service_runs_beside_packages_called_app_and_migrations_even_if_they_are_in_the_path(
    installed: Path, folder: Path
) -> None:
    environment = surroundings(folder)

    def wassay(*arguments: str) -> str:
        ran = subprocess.run(
            [installed / "wassay", *arguments],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout

    assert "serve" in wassay("--help")
    buyer, seller = (
        json.loads(
            wassay(
                *("accounts", "create", "--organisation", "Acme", "--name", scope),
                *("--scope", scope),
            )
        )
        for scope in ("buyer", "seller")
    )
    with serving(installed, folder, environment) as url:
        assert httpx.get(f"{url}/readyz").json()["status"] == "ready"
        ran = subprocess.run(
            [
                *(installed / "python", "-c", FLOWS),
                *(buyer["key"], seller["key"], seller["account_id"]),
            ],
            cwd=folder,
            env={**environment, "WASSAY_URL": url},
            capture_output=True,
            text=True,
            check=False,
        )
        workers = [
            each.cmdline()
            for each in psutil.process_iter(["cmdline"])
            if str(installed) in " ".join(each.info["cmdline"] or []) and "-m" in each.cmdline()
        ]
    assert ran.returncode == 0, ran.stderr
    assert {line[line.index("-m") + 1] for line in workers} == {
        "wassay.server.worker",
        "wassay.server.jobs.process_entry",
    }
    assert "somebody else" not in (folder / "log").read_text()


def test_the_service_names_itself_nowhere_for_it_is_installed_by_another_name() -> None:
    absolute = re.compile(r"""^\s*(from|import)\s+(app|migrations)\b|["'](app|migrations)\.\w""")
    named = [
        f"{file.relative_to(SOURCE)}:{number}: {line.strip()}"
        for folder in ("app", "migrations")
        for file in sorted((SOURCE / folder).rglob("*.py"))
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if absolute.search(line)
    ]
    assert named == []
