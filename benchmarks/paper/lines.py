"""Draw tables as line charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from matplotlib.figure import Figure


@dataclass(frozen=True)
class Lines:
    """A line chart of a table.

    Attributes
    ----------
    x : str
        Column of the horizontal axis.
    y : sequence of str
        Columns of the vertical axes, one panel each.
    by : str
        Column with one line for each value.
    where : mapping of str to str
        Filter: only rows with these cells.
    logarithmic : sequence of str
        Columns with a logarithmic axis, on which absolute values are drawn.
    least : float
        Smaller values are not drawn.
    """

    x: str
    y: Sequence[str]
    by: str
    where: Mapping[str, str] = field(default_factory=dict)
    logarithmic: Sequence[str] = ()
    least: float = float("-inf")

    def draw(self, rows: Sequence[Mapping[str, str]], path: Path) -> None:
        """Plot the rows of a CSV file."""
        chosen = [row for row in rows if all(row[key] == cell for key, cell in self.where.items())]
        figure = Figure(figsize=(4.5 * len(self.y), 3.5), layout="constrained")
        panels = figure.subplots(1, len(self.y), squeeze=False)[0]
        names = list(dict.fromkeys(row[self.by] for row in chosen))
        for panel, column in zip(panels, self.y, strict=True):
            for name in names:
                points = [
                    row
                    for row in chosen
                    if row[self.by] == name and row[column] and float(row[column]) >= self.least
                ]
                along = [float(row[self.x]) for row in points]
                heights = [self.height(row, column) for row in points]
                panel.plot(along, heights, "o-", markersize=3)
            panel.set_xlabel(self.x)
            panel.set_ylabel(column)
            if self.x in self.logarithmic:
                panel.set_xscale("log")
            if column in self.logarithmic:
                panel.set_yscale("log")
        lines = panels[0].get_lines()
        figure.legend(lines, names, title=self.by, loc="outside right center", fontsize=7)
        figure.savefig(path, dpi=90)

    def height(self, row: Mapping[str, str], column: str) -> float:
        """Return the ordinate of a point; a logarithmic axis has the absolute value."""
        value = float(row[column])
        return abs(value) if column in self.logarithmic else value
