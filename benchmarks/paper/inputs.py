"""Read data sets from files that the caller names; nothing is downloaded."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


class MissingInputError(Exception):
    """An experiment needs a file that was not named."""


@dataclass(frozen=True)
class Inputs:
    """The data files, the folder of results, and whether to run a small version."""

    out: Path
    quick: bool
    cifar_path: Path | None = None
    mnist_path: Path | None = None
    fashion_path: Path | None = None
    adult_path: Path | None = None
    housing_path: Path | None = None
    words_path: Path | None = None
    texts_path: Path | None = None

    def image_sets(self, names: Iterable[str]) -> list[str]:
        """Return those of the given image sets that have a file."""
        named = {"CIFAR10": self.cifar_path, "MNIST": self.mnist_path, "Fashion": self.fashion_path}
        found = [name for name in names if named[name] is not None]
        if not found:
            raise MissingInputError("no --cifar, --mnist or --fashion given")
        return found

    def images(self, name: str) -> Points:
        """Return the images of a data set as rows, scaled to [−1, 1]."""
        return self.labelled_images(name)[0]

    def labelled_images(self, name: str) -> tuple[Points, NDArray[np.int64]]:
        """Return images scaled to [−1, 1], and their classes."""
        if name == "CIFAR10":
            with np.load(_given(self.cifar_path, "--cifar")) as file:
                pixels, labels = file["X"], file["y"]
        elif name == "MNIST":
            with gzip.open(_given(self.mnist_path, "--mnist"), "rt") as text:
                table = np.loadtxt(text, delimiter=",")
            pixels, labels = table[:, :-1], table[:, -1]
        else:
            folder = _given(self.fashion_path, "--fashion")
            pixels = _idx(folder / "t10k-images-idx3-ubyte.gz", 16).reshape(-1, 784)
            labels = _idx(folder / "t10k-labels-idx1-ubyte.gz", 8)
        rows = pixels.reshape(len(pixels), -1).astype(np.float64)
        return (rows / 255 - 0.5) / 0.5, labels.astype(np.int64)

    def adult(self) -> tuple[Points, NDArray[np.int64]]:
        """Return the standardised numeric columns of the Adult census, and who earns over 50 k."""
        numeric = (0, 2, 4, 10, 11, 12)
        path = _given(self.adult_path, "--adult")
        with path.open(newline="") as file:
            rows = [row for row in csv.reader(file, skipinitialspace=True) if len(row) == 15]
        values = np.array([[float(row[i]) for i in numeric] for row in rows])
        labels = np.array([row[14].startswith(">50K") for row in rows], dtype=np.int64)
        return (values - values.mean(axis=0)) / values.std(axis=0), labels

    def housing(self) -> tuple[Points, Points]:
        """Return the numeric features of houses, standardised, and their prices."""
        path = _given(self.housing_path, "--housing")
        with path.open(newline="") as file:
            _, *rows = csv.reader(file)
        columns = [_numbers(column) for column in zip(*rows, strict=True)]
        *features, prices = [column for column in columns if column is not None]
        table = np.column_stack(features)
        return (table - table.mean(axis=0)) / table.std(axis=0), prices

    def words(self) -> dict[str, NDArray[np.float32]]:
        """Read word vectors in word2vec's binary format."""
        with _given(self.words_path, "--words").open("rb") as file:
            count, dimension = map(int, file.readline().split())
            vectors = {}
            for _ in range(count):
                word = bytearray()
                while (byte := file.read(1)) != b" ":
                    word += byte
                vectors[word.decode(errors="replace").strip()] = np.frombuffer(
                    file.read(4 * dimension), dtype="<f4"
                )
        return vectors

    def texts(self) -> list[tuple[str, str]]:
        """Read classes and texts of a tab-separated corpus with three header lines."""
        path = _given(self.texts_path, "--texts")
        csv.field_size_limit(2**24)
        with path.open(newline="", encoding="utf-8", errors="replace") as file:
            rows = list(csv.reader(file, delimiter="\t"))[3:]
        return [(min(row, key=len), max(row, key=len)) for row in rows if len(row) > 1]


def _given(path: Path | None, option: str) -> Path:
    if path is None:
        raise MissingInputError(f"no {option} given")
    return path


def _numbers(column: Sequence[str]) -> Points | None:
    """Convert a column to numbers; None if it has other values, or is constant."""
    try:
        values = np.array([float(cell) for cell in column])
    except ValueError:
        return None
    return values if np.isfinite(values).all() and np.ptp(values) > 0 else None


def _idx(path: Path, header: int) -> NDArray[np.uint8]:
    with gzip.open(path) as file:
        return np.frombuffer(file.read(), dtype=np.uint8)[header:]
