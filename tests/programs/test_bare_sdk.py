"""The SDK alone: without the solver, without the server, and without POSIX functions."""

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import ot
import pytest

from tests.e2e.service import NewParty, Party
from tests.programs.installed_packages import PLOT, SERVER, SOLVER, run_in, without
from wassay.disclosure_class import DisclosureClass

NO_POSIX = Path(__file__).with_name("no_posix.py").read_text()
FLOWS = Path(__file__).with_name("flows.py").read_text()
HEAVY = {"alembic", "dbos", "fastapi", "matplotlib", "numba", "ot", "scipy", "sqlalchemy"}
LOADED = "print(*{name.partition('.')[0] for name in sys.modules})"


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bare") / "packages"
    return without(folder, [*SOLVER, *SERVER, *PLOT])


def distance_of_the_flows() -> float:
    """Return W_2 of the points in flows.py, by POT."""
    random = np.random.default_rng(7)
    points, offered = random.normal(size=(40, 3)), random.normal(1, 1, size=(50, 3))
    return float(np.sqrt(ot.emd2([], [], ot.dist(points, offered))))


def default_flows(
    packages: Path, buyer: Party, seller: Party, folder: Path, before: str = ""
) -> dict[str, Any]:
    ran = run_in(
        packages,
        f"{before}\n{FLOWS}",
        *(buyer.key, seller.key, seller.account_id),
        folder=folder,
        environment=buyer.environment,
    )
    assert ran.returncode == 0, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    assert found["distance"] == pytest.approx(distance_of_the_flows(), rel=1e-9)
    assert (folder / "report.html").read_text().startswith("<!doctype html>")
    return found


@pytest.mark.parametrize(
    "program",
    [
        "import sys, wassay; wassay.Client",
        "import sys, wassay; wassay.Buyer; wassay.Seller; wassay.Measure",
        "import sys, contextlib, wassay.cli\nsys.argv = ['wassay', '--help']\n"
        "with contextlib.suppress(SystemExit): wassay.cli.main()",
        "import sys, contextlib, wassay.cli\nsys.argv = ['wassay', '--version']\n"
        "with contextlib.suppress(SystemExit): wassay.cli.main()",
    ],
)
def test_neither_the_sdk_nor_its_help_waits_for_solver_server_or_plots(program: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", f"{program}\n{LOADED}"], capture_output=True, text=True, check=True
    )
    loaded = set(ran.stdout.splitlines()[-1].split())
    assert "wassay" in loaded
    assert loaded & HEAVY == set()


def test_help_lists_the_services_commands_without_loading_them() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "wassay", "--help"], capture_output=True, text=True, check=True
    )
    listed = {line.split()[0] for line in ran.stdout.splitlines() if line.startswith("  ")}
    assert {"ask", "serve", "worker", "workers", "migrate", "accounts", "receipt-keys"} <= listed


def test_the_default_flows_need_no_solver(bare: Path, new_party: NewParty, tmp_path: Path) -> None:
    buyer, seller = new_party("buyer"), new_party("seller", publishes_key=False)
    found = default_flows(bare, buyer, seller, tmp_path)
    assert not HEAVY & set(found["loaded"])
    asked, answered = found["audits"]
    assert "up-to-isometry" in asked
    assert "up-to-isometry" in answered
    assert "solver" not in asked + answered


NEED_THE_SOLVER = (
    "wassay.transport.wasserstein(line, line)",
    "wassay.transport.project(line, wassay.Measure([[0.0], [1.0]]))",
    "wassay.transport.pairwise_distances([line, line])",
    "wassay.transport.clusters([[0, 1, 1.0, 2]], 1)",
    "wassay.transport.document(['a', 'b'], {'a': [0.0], 'b': [1.0]}); "
    "wassay.transport.word_movers_distance(['a'], ['b'], {'a': [0.0], 'b': [1.0]})",
    "wassay.Reference(2, 1, wassay.Gamma(1.0, 1.0), seed=1).measure()",
    "wassay.plot_dendrogram([[0, 1, 1.0, 2]], ['a', 'b'])",
)


@pytest.fixture(scope="module")
def reported(bare: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The error of each call that needs the solver, in a process without the solver."""
    program = (
        "import sys, wassay, wassay.transport\n"
        "line = wassay.Measure([[0.0], [2.0], [5.0]])\n"
        "for program in sys.argv[1:]:\n"
        "    try:\n        exec(program)\n"
        "    except wassay.SolverMissing as error:\n        print(error)\n"
        "    else:\n        print('no error')"
    )
    folder = tmp_path_factory.mktemp("calls")
    ran = run_in(bare, program, *NEED_THE_SOLVER, folder=folder, environment=os.environ)
    assert ran.returncode == 0, ran.stderr
    return dict(zip(NEED_THE_SOLVER, ran.stdout.splitlines(), strict=True))


@pytest.mark.parametrize("program", NEED_THE_SOLVER)
def test_calls_that_need_the_solver_report_the_extra(
    program: str, reported: dict[str, str]
) -> None:
    assert reported[program].endswith(" needs the solver: pip install 'wassay[solver]'")


@pytest.mark.parametrize("size", [1, 5])
def test_an_audit_says_what_it_could_not_compute_and_lowers_no_class(
    size: int, bare: Path, tmp_path: Path
) -> None:
    program = (
        "import numpy as np, wassay, wassay.audit\n"
        "from wassay.transport import Isometry, scale_hiding\n"
        "records = wassay.Measure(np.random.default_rng(1).normal(size=(60, 30)))\n"
        f"reference = wassay.Reference({size}, 30, wassay.Normal(), seed=1)\n"
        "isometry = Isometry(30, bytes(32), scale_hiding(records)).apply\n"
        "images = np.resize(reference.measure().points, records.points.shape)\n"
        "pushed = wassay.Measure(0.6 * records.points + 0.4 * images)\n"
        "sent = wassay.audit.BuyerMeasure(isometry(pushed), False, 'none', 0.4)\n"
        "found = wassay.audit.audit(records, sent, reference, isometry=isometry)\n"
        "print(*[each.disclosure_class.value for each in found.exposures])\n"
        "print(found)"
    )
    here = io.StringIO()
    with redirect_stdout(here):
        exec(program, {})  # noqa: S102 - the program above, with the solver
    ran = run_in(bare, program, folder=tmp_path, environment=os.environ)
    assert ran.returncode == 0, ran.stderr
    order = [each.value for each in DisclosureClass]
    levels = [
        [order.index(each) for each in text.splitlines()[0].split()]
        for text in (ran.stdout, here.getvalue())
    ]
    assert all(higher >= known for higher, known in zip(*levels, strict=True))
    assert "needs the solver: pip install 'wassay[solver]'" in ran.stdout
    assert "solver" not in here.getvalue()


def test_a_service_without_its_packages_says_which_extra_it_needs(
    bare: Path, tmp_path: Path
) -> None:
    program = (
        "import sys, wassay.cli, wassay.cli.lazy_commands\n"
        "from importlib.metadata import EntryPoint\n"
        "wassay.cli.lazy_commands.entry_points = lambda group: "
        "[EntryPoint('service', 'app.commands:commands', group)]\n"
        "sys.argv = ['wassay', *sys.argv[1:]]\nwassay.cli.main()"
    )
    (bare / "app").unlink(missing_ok=True)
    (bare / "app").symlink_to(Path(__file__).parents[2] / "app")
    served = run_in(bare, program, "serve", folder=tmp_path, environment=os.environ)
    helped = run_in(bare, program, "--help", folder=tmp_path, environment=os.environ)
    (bare / "app").unlink()
    assert served.returncode == 1
    assert served.stderr == "wassay: the service needs its packages: pip install 'wassay[server]'\n"
    assert helped.returncode == 0
    assert "serve" not in {line.split()[0] for line in helped.stdout.splitlines() if line.strip()}


def test_where_there_is_no_posix_the_sdk_works(
    bare: Path, new_party: NewParty, tmp_path: Path
) -> None:
    """The modules and functions that Windows lacks are removed on this machine."""
    # No Windows machine was at hand, so locking and replacing files on Windows is not tested.
    buyer, seller = new_party("buyer"), new_party("seller", publishes_key=False)
    default_flows(bare, buyer, seller, tmp_path, before=NO_POSIX)


def test_where_there_is_no_posix_the_solver_works(tmp_path: Path) -> None:
    program = (
        # Import the installed Linux version first, because it uses what is removed.
        f"import psutil\n{NO_POSIX}\nimport wassay, wassay.transport as transport\n"
        "print(transport.wasserstein(wassay.Measure([[0.0]]), wassay.Measure([[2.0]])).value)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ran.stdout, ran.returncode) == ("2.0\n", 0), ran.stderr


def test_without_posix_the_service_refuses_with_the_reason(tmp_path: Path) -> None:
    program = (
        f"{NO_POSIX}\nimport sys, wassay.cli\nsys.argv = ['wassay', 'serve']\nwassay.cli.main()"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert ran.stderr == (
        "wassay: the service needs a POSIX system, such as Linux or macOS. On Windows, run the "
        "service in WSL or in a container; the SDK runs on Windows, too\n"
    )
