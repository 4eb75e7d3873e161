"""What commands print if the terminal's encoding lacks some of our characters."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from tests.e2e.service import WASSAY
from tests.programs.typed import typed

POINTS = np.random.default_rng(0).normal(size=(30, 3))


def printed(
    variables: dict[str, str], command: list[str], said: bytes = b""
) -> tuple[bytes, bytes]:
    inherited = {name: value for name, value in os.environ.items() if name[:2] != "LC"}
    ran = subprocess.run(
        command,
        env={**inherited, "PYTHONWARNINGS": "ignore", **variables},
        input=said,
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in ran.stderr, ran.stderr
    return ran.stdout, ran.stderr


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A table as a command prints it in UTF-8."""
    folder = tmp_path_factory.mktemp("points")
    np.save(folder / "points.npy", POINTS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return typed(folder, {}, "audit", "points.npy", "--epsilon", "1").stdout


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
    table: str, variables: dict[str, str], encoding: str
) -> None:
    program = (
        "import sys\n"
        "from wassay.cli.terminal_encoding import spell_what_cannot_be_encoded as spell\n"
        "spell()\nprint(sys.stdin.buffer.read().decode())"
    )
    written, _ = printed(variables, [sys.executable, "-c", program], table.encode())
    shown = written.decode(encoding)
    assert "the service and a seller together" in shown
    assert "over several evaluations, the epsilons add up" in shown


def test_a_command_prints_its_table_in_the_encoding_of_the_terminal(tmp_path: Path) -> None:
    np.save(tmp_path / "points.npy", POINTS)
    command = [*WASSAY, "audit", str(tmp_path / "points.npy"), "--epsilon", "1"]
    written, _ = printed({"PYTHONIOENCODING": "cp1252"}, command)
    assert "the service and a seller together" in written.decode("cp1252")


def test_the_tables_that_a_program_of_ones_own_prints_are_latin_1(table: str) -> None:
    assert "epsilons add up" in table
    table.encode("latin-1")


def test_characters_that_an_encoding_lacks_are_spelled_out() -> None:
    program = (
        "from wassay.cli.terminal_encoding import spell_what_cannot_be_encoded as spell\n"
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
    command = [*WASSAY, "audit", str(tmp_path / "σ–李.npy")]
    _, said = printed({"PYTHONIOENCODING": "latin-1"}, command)
    assert b"sigma-\\u674e.npy does not exist" in said
