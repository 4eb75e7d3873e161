"""Results as CSV, and one page that shows all of them."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

Cell: TypeAlias = str | int | float | None
Row: TypeAlias = Mapping[str, Cell]


@dataclass(frozen=True)
class Page:
    """The page and the folder of tables and pictures beside it.

    Attributes
    ----------
    path : Path
        Of the Markdown page; tables and pictures lie in a folder of its name.
    experiments : sequence of module
        Each with a TITLE, a text ABOUT, and what it leaves in the folder under its own name.
    """

    path: Path
    experiments: Sequence[ModuleType]

    def write(self) -> None:
        """Compose the page of what lies in the folder; what was not run is named as such."""
        folder = self.path.with_suffix("")
        done = [each for each in self.experiments if (folder / f"{name(each)}.csv").exists()]
        missing = [each.TITLE for each in self.experiments if each not in done]
        parts = [INTRODUCTION]
        if missing:
            parts.append("Not run: " + "; ".join(missing) + ".")
        for each in done:
            parts += [f"## {each.TITLE}", each.ABOUT.strip()]
            parts.append(_markdown(folder / f"{name(each)}.csv"))
            parts += [
                f"![{each.TITLE}]({folder.name}/{picture.name})"
                for picture in sorted(folder.glob(f"{name(each)}*.png"))
            ]
        self.path.write_text("\n\n".join(parts) + "\n")


INTRODUCTION = """# The paper's experiments, run again

Li & Pang, *Private Wasserstein Distance* (ICML 2025), report the numbers in the columns *paper*.
`make paper` runs the experiments again with this repository's code and writes this page, its tables
(CSV) and its pictures from what came out. DirectWad is the distance of the raw data, FedWad the
method the paper compares with, TriangleWad the paper's own, and Wassay this project's default: one
reference point and a secret isometry. All four use one exact solver. Seeds are fixed; times are
seconds of one core of whatever machine ran it, so read ratios, not times."""


def name(experiment: ModuleType) -> str:
    """An experiment's name on the command line and of its files."""
    return experiment.__name__.rsplit(".", 1)[-1]


def write_csv(path: Path, rows: Sequence[Row]) -> None:
    """Write rows with the columns of the first, numbers to five digits."""
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: _cell(value) for key, value in row.items()} for row in rows)


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def _markdown(path: Path) -> str:
    with path.open(newline="") as file:
        header, *rows = csv.reader(file)
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
