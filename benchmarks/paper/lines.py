"""Pictures of tables: lines through the rows of an experiment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from matplotlib.figure import Figure


@dataclass(frozen=True)
class Lines:
    """What to draw of a table.

    Attributes
    ----------
    x : str
        The column along.
    y : sequence of str
        The columns upwards, one panel each.
    by : str
        The column that tells lines apart.
    where : mapping of str to str
        Only rows with these cells.
    logarithmic : sequence of str
        Columns whose axes are.
    least : float
        Values below it are not drawn.
    """

    x: str
    y: Sequence[str]
    by: str
    where: Mapping[str, str] = field(default_factory=dict)
    logarithmic: Sequence[str] = ()
    least: float = float("-inf")

    def draw(self, rows: Sequence[Mapping[str, str]], path: Path) -> None:
        """Draw the rows of a CSV file."""
        chosen = [row for row in rows if all(row[key] == cell for key, cell in self.where.items())]
        figure = Figure(figsize=(4.5 * len(self.y), 3.5), layout="constrained")
        panels = figure.subplots(1, len(self.y), squeeze=False)[0]
        for panel, column in zip(panels, self.y, strict=True):
            for name in dict.fromkeys(row[self.by] for row in chosen):
                points = [
                    (float(row[self.x]), float(row[column]))
                    for row in chosen
                    if row[self.by] == name and row[column] and float(row[column]) >= self.least
                ]
                if points:
                    panel.plot(*zip(*points, strict=True), "o-", markersize=3, label=name)
            panel.set_xlabel(self.x)
            panel.set_ylabel(column)
            if self.x in self.logarithmic:
                panel.set_xscale("log")
            if column in self.logarithmic:
                panel.set_yscale("log")
            panel.legend(title=self.by, fontsize=7)
        figure.savefig(path, dpi=90)
