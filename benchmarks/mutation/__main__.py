"""Count how many small changes of the core modules the tests notice.

`python -m benchmarks.mutation [--sample 10] [module.py …]` also prints the changes that survive.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import multiprocessing
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.mutation.mutants import mutants

TRANSPORT = "tests/transport/"
TESTS: dict[str, list[str]] = {
    "wassay/sampling.py": ["tests/test_sampling.py"],
    "wassay/sealed_boxes.py": ["tests/test_sealed_boxes.py"],
    "wassay/reference_key.py": ["tests/test_reference_key.py"],
    "wassay/receipts.py": ["tests/test_receipts.py", "tests/cli/commands/test_verify.py"],
    "wassay/disclosures.py": ["tests/test_disclosures.py"],
    "wassay/ledger.py": ["tests/test_ledger.py"],
    "wassay/client/buyer/private_push.py": ["tests/client/buyer/test_private_push.py"],
    "wassay/client/connection/retries.py": [
        "tests/client/connection/test_responses.py",
        "tests/client/connection/test_retries.py",
    ],
    "wassay/client/evaluation/plots.py": ["tests/client/evaluation/test_plots.py"],
    "wassay/received_curves.py": [
        "tests/client/evaluation/test_plots.py",
        "tests/client/evaluation/test_estimates.py",
    ],
    "wassay/report/curve_plots.py": ["tests/report", "tests/client/evaluation/test_plots.py"],
    "wassay/transport/concealing/isometry.py": [f"{TRANSPORT}concealing/test_isometry.py"],
    "wassay/transport/scoring/label_scores.py": [f"{TRANSPORT}scoring/test_label_scores.py"],
    "wassay/transport/scoring/outliers.py": [
        f"{TRANSPORT}market/test_clustering.py",
        f"{TRANSPORT}market/test_ties.py",
    ],
    "wassay/transport/scoring/scores.py": [
        f"{TRANSPORT}scoring/test_scores.py",
        f"{TRANSPORT}scoring/test_score_invariance.py",
        f"{TRANSPORT}market/test_ties.py",
    ],
    "wassay/transport/sweeps/polynomial_fit.py": [
        f"{TRANSPORT}sweeps/test_polynomial_fit.py",
        f"{TRANSPORT}sweeps/test_curve.py",
    ],
    "wassay/transport/sweeps/curve.py": [
        f"{TRANSPORT}sweeps/test_curve.py",
        f"{TRANSPORT}sweeps/test_curve_in_bracket.py",
    ],
    "wassay/transport/sweeps/intervals.py": [
        f"{TRANSPORT}sweeps/test_intervals.py",
        f"{TRANSPORT}sweeps/test_curve_in_bracket.py",
    ],
    "wassay/transport/market/ties.py": [f"{TRANSPORT}market/test_ties.py"],
    "wassay/transport/market/shapley.py": [f"{TRANSPORT}market/test_shapley.py"],
    "wassay/transport/market/purchases.py": [
        f"{TRANSPORT}market/test_valuation.py",
        f"{TRANSPORT}market/test_ties.py",
    ],
    "wassay/transport/solvers/solution.py": [
        f"{TRANSPORT}solvers/test_solve.py",
        f"{TRANSPORT}costs/test_rounding.py",
    ],
    "wassay/transport/solvers/certify/candidate.py": [f"{TRANSPORT}solvers/test_solve.py"],
    "app/evaluations/privacy/laplace_mechanism.py": [
        "tests/app/evaluations/test_laplace_mechanism.py"
    ],
    "app/accounts/caps.py": ["tests/app/accounts/test_caps.py"],
    "app/evaluations/privacy/cap_check.py": [
        "tests/app/evaluations/test_epsilon_cap.py",
        "tests/app/evaluations/test_cap_check.py",
    ],
    "app/ledger/service.py": ["tests/app/ledger"],
    "app/jobs/liveness.py": ["tests/jobs/test_liveness.py", "tests/jobs/test_worker_registry.py"],
    "app/jobs/slots.py": ["tests/jobs/test_slots.py"],
}
PRELOADED = (
    "alembic.command",
    "dbos",
    "fastapi",
    "hypothesis",
    "httpx",
    "ot",
    "scipy.stats",
    "xdist.remote",
)
# Pytest warns that it cannot rewrite the libraries that were imported before it.
OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
LONGEST_PROCESSOR_SECONDS = 300
# Bounded, because threads may wait for ever.
LONGEST_WAIT_SECONDS = 60.0
"""The seconds that a run may take besides ten times those of the unchanged tests."""


def main() -> None:
    """Score the modules that the command line names, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("modules", nargs="*", help=f"of {', '.join(TESTS)}; default: all")
    parser.add_argument("--sample", type=int, default=10, help="changes of each module")
    options = parser.parse_args()
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    for name in PRELOADED:
        importlib.import_module(name)
    tested = killed = 0
    with _copy_of_the_tree():
        for module in options.modules or TESTS:
            survivors, count = score(module, options.sample)
            tested, killed = tested + count, killed + count - len(survivors)
            print(f"{module}: {count - len(survivors)} of {count} killed", flush=True)
            for survivor in survivors:
                print(f"    {survivor}", flush=True)
    print(f"{killed} of {tested} killed")


def score(module: str, sample: int) -> tuple[list[str], int]:
    """Return the changes of a module that survived, and how many were tested."""
    path = Path(module)
    source = path.read_text(encoding="utf-8")
    changes = mutants(source)
    random.Random(1).shuffle(changes)  # noqa: S311 - no secret
    began = time.monotonic()
    if not _passes(TESTS[module]):
        raise SystemExit(f"{' '.join(TESTS[module])} fail without any change of {module}")
    longest = LONGEST_WAIT_SECONDS + 10 * (time.monotonic() - began)
    survivors = []
    for change in changes[:sample]:
        path.write_text(change.source, encoding="utf-8")
        if _passes(TESTS[module], longest):
            survivors.append(f"line {change.line}: {change.before} -> {change.after}")
    path.write_text(source, encoding="utf-8")
    return survivors, len(changes[:sample])


def _passes(tests: list[str], longest: float | None = None) -> bool:
    """Return whether tests pass within `longest` seconds, in a fork that shares the imports."""
    process = multiprocessing.get_context("fork").Process(target=_run, args=(tests,))
    process.start()
    process.join(longest)
    if process.is_alive():
        process.kill()
        process.join()
    return process.exitcode == 0


def _run(tests: list[str]) -> None:
    # Limit processor time, so that on a busy machine only tests that never end are killed.
    resource.setrlimit(resource.RLIMIT_CPU, (LONGEST_PROCESSOR_SECONDS,) * 2)
    sys.dont_write_bytecode = True
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    sys.exit(pytest.main([*OPTIONS, *tests]))


@contextlib.contextmanager
def _copy_of_the_tree() -> Iterator[None]:
    """Work in a copy of all files that git does not ignore; the working tree stays as it is."""
    files = subprocess.check_output(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607 - the developer's git
        text=True,
    ).rstrip("\0")
    with tempfile.TemporaryDirectory(prefix="wassay-mutants-") as folder:
        for file in files.split("\0"):
            (Path(folder) / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, Path(folder) / file)
        with contextlib.chdir(folder):
            # Import from the copy, although the environment has the working tree installed.
            sys.path.insert(0, folder)
            yield


if __name__ == "__main__":
    main()
