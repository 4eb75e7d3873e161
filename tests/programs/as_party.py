"""Commands of `wassay` that a party types."""

from pathlib import Path

from tests.e2e.service import Party
from tests.programs.typed import Run, typed


def wassay(party: Party, *arguments: object, folder: Path) -> Run:
    return typed(folder, party.environment, *arguments)


def said(run: Run) -> str:
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()
