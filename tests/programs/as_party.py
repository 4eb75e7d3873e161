"""Commands of `wassay` that a party types, and the points that parties have."""

from pathlib import Path

import numpy as np

from tests.e2e.service import Party
from tests.programs.typed import Run, typed


def wassay(party: Party, *arguments: object, folder: Path) -> Run:
    return typed(folder, party.environment, *arguments)


def said(run: Run) -> str:
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def save_points(folder: Path, random: np.random.Generator) -> None:
    """Write 20 points of a buyer to needed.npy, and 25 of a seller to offered.npy."""
    np.save(folder / "needed.npy", random.normal(size=(20, 2)))
    np.save(folder / "offered.npy", random.normal(size=(25, 2)))
