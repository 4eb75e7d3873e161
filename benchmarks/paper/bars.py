"""Draw tables as bar charts, with a group of bars for each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from matplotlib.figure import Figure

from benchmarks.paper.report import PAPER

CROWDED = 70
"""Number of letters that do not fit side by side under one panel."""


@dataclass(frozen=True)
class Bars:
    """A bar chart of a table.

    Attributes
    ----------
    groups : sequence of str
        Columns that label a group of bars.
    columns : sequence of str
        Columns with one bar in every group.
    title : str
        Label of the axis.
    panels : str
        Column whose values have a panel each; one panel for all if empty.
    where : mapping of str to str
        Filter: only rows with these cells.
    shares_of : str
        Column that bars are divided by; none if empty. The paper's bars are divided by the paper's.
    logarithmic : bool
    """

    groups: Sequence[str]
    columns: Sequence[str]
    title: str
    panels: str = ""
    where: Mapping[str, str] = field(default_factory=dict)
    shares_of: str = ""
    logarithmic: bool = False

    def draw(self, rows: Sequence[Mapping[str, str]], path: Path) -> None:
        """Plot the rows of a CSV file."""
        chosen = [row for row in rows if all(row[key] == cell for key, cell in self.where.items())]
        panels: dict[str, list[Mapping[str, str]]] = {}
        for row in chosen:
            panels.setdefault(row[self.panels] if self.panels else "", []).append(row)
        width = max(3.2 * len(panels), 7)
        figure = Figure(figsize=(width, 3.5), layout="constrained")
        axes = figure.subplots(1, len(panels), squeeze=False, sharey=True)[0]
        for axis, (panel, members) in zip(axes, panels.items(), strict=True):
            thickness = 0.8 / len(self.columns)
            for place, column in enumerate(self.columns):
                at = [group + (place + 0.5) * thickness - 0.4 for group in range(len(members))]
                heights = [self.height(row, column) for row in members]
                axis.bar(at, heights, thickness, label=column, **_look(self.columns, column))
            names = ["\n".join(row[key] for key in self.groups) for row in members]
            names = [name.replace("), ", "),\n") for name in names]
            crowded = len(names) * max(map(len, "\n".join(names).split("\n"))) > CROWDED
            axis.set_xticks(range(len(members)), names, fontsize=7, rotation=90 if crowded else 0)
            axis.set_xlabel(", ".join(self.groups))
            axis.set_title(panel, fontsize=9)
            if self.logarithmic:
                axis.set_yscale("log")
        axes[0].set_ylabel(self.title)
        handles, labels = axes[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside right center", fontsize=7)
        figure.savefig(path, dpi=90)

    def height(self, row: Mapping[str, str], column: str) -> float:
        """Return the height of a bar; NaN if the cell is not a number."""
        if not row[column]:
            return float("nan")
        value = float(row[column])
        if not self.shares_of:
            return value
        return value / float(row[self.shares_of + (PAPER if column.endswith(PAPER) else "")])


def _look(columns: Sequence[str], column: str) -> dict[str, str]:
    """Return the style of a column; the paper's has the colour of ours, hatched."""
    ours = column.removesuffix(PAPER)
    if ours == column or ours not in columns:
        return {"color": f"C{columns.index(column)}"}
    return {"color": f"C{columns.index(ours)}", "edgecolor": "white", "hatch": "////"}
