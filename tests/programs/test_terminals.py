"""What commands print where the terminal's encoding lacks some of our characters."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.e2e.service import WASSAY
from tests.programs.typed import typed

POINTS = np.random.default_rng(0).normal(size=(30, 3))


def printed(variables: dict[str, str], *arguments: object) -> tuple[bytes, bytes]:
    inherited = {name: value for name, value in os.environ.items() if name[:2] != "LC"}
    ran = subprocess.run(
        [*WASSAY, *map(str, arguments)],
        env={**inherited, "PYTHONWARNINGS": "ignore", **variables},
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in ran.stderr, ran.stderr
    return ran.stdout, ran.stderr


@pytest.mark.parametrize(
    ("variables", "encoding"),
    [
        ({"PYTHONIOENCODING": "latin-1"}, "latin-1"),
        ({"PYTHONIOENCODING": "cp1252"}, "cp1252"),
        ({"PYTHONIOENCODING": "koi8-r"}, "koi8-r"),
        ({"PYTHONIOENCODING": "utf-8"}, "utf-8"),
        ({"LANG": "C"}, "utf-8"),
        ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, "utf-8"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else value,
)
def test_a_table_is_printed_whatever_the_encoding(
    tmp_path: Path, variables: dict[str, str], encoding: str
) -> None:
    np.save(tmp_path / "points.npy", POINTS)
    table, _ = printed(variables, "audit", tmp_path / "points.npy", "--epsilon", "1")
    shown = table.decode(encoding)
    assert "the service and a seller together" in shown
    assert "over several evaluations, the epsilons add up" in shown


def test_the_tables_that_a_program_of_ones_own_prints_are_latin_1(tmp_path: Path) -> None:
    np.save(tmp_path / "points.npy", POINTS)
    unspelled = typed(tmp_path, {}, "audit", "points.npy", "--epsilon", "1").stdout
    assert "epsilons add up" in unspelled
    unspelled.encode("latin-1")


def test_characters_that_an_encoding_lacks_are_spelled_out() -> None:
    program = (
        "from wassay.cli.terminal import spell_what_cannot_be_encoded as spell\n"
        "spell()\nprint('σ = 2 ± 1 × 3 – Müller 李 \\udcff')"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=True,
    )
    said = "sigma = 2 ± 1 × 3 - Müller \\u674e \\udcff\n"
    assert ran.stdout.decode("latin-1") == said


def test_an_error_names_a_file_that_the_terminal_cannot_write(tmp_path: Path) -> None:
    _, said = printed({"PYTHONIOENCODING": "latin-1"}, "audit", tmp_path / "σ–李.npy")
    assert b"sigma-\\u674e.npy does not exist" in said
