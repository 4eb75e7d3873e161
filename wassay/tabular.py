"""Show tables in notebooks, and export them to data frames and files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wassay.control_characters import escape_control_characters, escape_line
from wassay.errors import PackageMissing
from wassay.table import table

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

MOST_ROWS_SHOWN = 50
"""The largest number of rows that a notebook or shell shows; exports have all rows."""

Columns = dict[str, list[Any]]


class Tabular(ABC):
    """Base of classes whose instances can be shown and exported as tables.

    Subclasses return their columns from `to_dict`, and may override `__str__`.
    """

    __slots__ = ()

    @abstractmethod
    def to_dict(self) -> Columns:
        """Return the columns by name.

        Returns
        -------
        dict of str to list
            Each list has one value for each row; None stands for an unknown value.
        """

    def to_pandas(self) -> pd.DataFrame:
        """Return the table as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        PackageMissing
            If pandas is not installed.
        """
        frame: pd.DataFrame = _module("pandas").DataFrame(self.to_dict())
        return frame

    def to_polars(self) -> pl.DataFrame:
        """Return the table as a polars DataFrame.

        Returns
        -------
        polars.DataFrame

        Raises
        ------
        PackageMissing
            If polars is not installed.
        """
        frame: pl.DataFrame = _module("polars").DataFrame(self.to_dict(), strict=False)
        return frame

    def to_csv(self, path: str | Path) -> None:
        """Write the table to a CSV file with a line of column names; unknown values are empty.

        A text that looks like a formula gets an apostrophe in front.

        Parameters
        ----------
        path : path
            The file; an existing file is replaced.
        """
        import csv  # as in `_escaped`

        columns = self.to_dict()
        with Path(path).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(columns)
            writer.writerows([_spreadsheet_cell(cell) for cell in row] for row in _rows(columns))

    def to_parquet(self, path: str | Path) -> None:
        """Write the table to a Parquet file.

        Parameters
        ----------
        path : path
            The file; an existing file is replaced.

        Raises
        ------
        PackageMissing
            If pyarrow is not installed; the extra `tables` installs it.
        """
        arrow, parquet = _module("pyarrow"), _module("pyarrow.parquet")
        parquet.write_table(arrow.table(self.to_dict()), path)

    def shown(self) -> Columns:
        """Return the columns that notebooks and shells show; by default all columns.

        Returns
        -------
        dict of str to list
        """
        return self.to_dict()

    def notes(self) -> Sequence[str]:
        """Return the sentences to show below the table; by default none.

        Returns
        -------
        sequence of str
        """
        return ()

    def __str__(self) -> str:
        columns = self.shown()
        rows = [[_text_cell(cell) for cell in row] for row in _rows(columns)]
        more = len(rows) - MOST_ROWS_SHOWN
        lines = [
            table(list(columns), rows[:MOST_ROWS_SHOWN]) if columns else "no rows",
            *([f"… and {more} more rows"] if more > 0 else []),
            *map(escape_line, self.notes()),
        ]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        """Return HTML for notebooks, with at most the first `MOST_ROWS_SHOWN` rows."""
        notes = "".join(f"<p>{_html_cell(note)}</p>" for note in self.notes())
        return html_table(self.shown(), type(self).__name__) + notes


def html_table(columns: Mapping[str, Sequence[Any]], caption: str) -> str:
    """Return the first `MOST_ROWS_SHOWN` rows as an HTML table, with all text escaped."""
    rows = _rows(columns)
    head = "".join(f'<th scope="col">{_escaped(name)}</th>' for name in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{_html_cell(cell)}</td>" for cell in row) + "</tr>"
        for row in rows[:MOST_ROWS_SHOWN]
    )
    more = len(rows) - MOST_ROWS_SHOWN
    note = f"<p>… and {more:,} more rows; to_pandas() has all.</p>" if more > 0 else ""
    return (
        f"<table><caption>{_escaped(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>{note}"
    )


def html_facts(facts: Mapping[str, Any], caption: str) -> str:
    """Return an HTML table with a row for each name and value; None values are left out."""
    body = "".join(
        f'<tr><th scope="row">{_escaped(name)}</th><td>{_html_cell(value)}</td></tr>'
        for name, value in facts.items()
        if value is not None
    )
    return f"<table><caption>{_escaped(caption)}</caption><tbody>{body}</tbody></table>"


def records_to_columns(records: Sequence[Mapping[str, Any]]) -> Columns:
    """List the values of each key of the first record; all records must have its keys."""
    names = list(records[0]) if records else []
    return {name: [record[name] for record in records] for name in names}


def _rows(columns: Mapping[str, Sequence[Any]]) -> list[tuple[Any, ...]]:
    return list(zip(*columns.values(), strict=True))


def _escaped(text: str) -> str:
    # Imported here, because every model imports this module, and few programs write HTML.
    from html import escape

    return escape(text)


def _html_cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    return _escaped(escape_control_characters(str(value)))


def _spreadsheet_cell(value: Any) -> Any:
    # Sellers choose their labels, and a spreadsheet runs formulas.
    is_formula = isinstance(value, str) and value[:1] in {"=", "+", "-", "@", "\t", "\r"}
    return f"'{value}" if is_formula else value


def _text_cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _module(name: str) -> Any:
    """Import an optional package; raise `PackageMissing` if it is not installed."""
    import importlib

    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        package = name.partition(".")[0]
        wanted = "'wassay[tables]'" if package == "pyarrow" else package
        raise PackageMissing(
            f"expected {package}, which is not installed: pip install {wanted}", name=error.name
        ) from error
