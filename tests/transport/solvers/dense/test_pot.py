"""POT's solver loads without the rest of POT, which others still get."""

import sys
from importlib import import_module
from pathlib import Path

import ot
import pytest

from wassay.transport.solvers.dense.pot import emd, without_package


def test_it_is_the_solver_that_pot_exports() -> None:
    assert emd is ot.emd


def test_a_module_loads_without_its_package_which_runs_when_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "postponed"
    package.mkdir()
    (package / "__init__.py").write_text("from . import rest\nfrom .part import here\nall = 3\n")
    (package / "rest.py").write_text("")
    (package / "part.py").write_text("here = 2\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert without_package("postponed.part").here == 2
    assert "postponed.rest" not in sys.modules
    whole = import_module("postponed")
    assert (whole.here, whole.all, whole.rest) == (2, 3, sys.modules["postponed.rest"])
    with pytest.raises(AttributeError, match="'postponed' has no attribute 'nothing'"):
        whole.nothing  # noqa: B018


def test_a_package_that_is_missing_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match="'there_is_none'"):
        without_package("there_is_none.part")
