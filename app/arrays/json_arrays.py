"""Send and receive small arrays as JSON, for callers without NumPy, such as browsers."""

import hashlib
import json
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wassay.strict_json import distinct_members

from ..http.validation_messages import echo, expectation
from . import npy
from .entry_validation import POINTS, Contents
from .problems import MalformedArray, WrongShape

_BYTES_PER_NUMBER = len("-1.2345678901234567e-123, ")
_BYTES_PER_ROW = len("[]")  # no comma follows a row's last number, but one follows the row
_BYTES_PER_BODY = len('{"points": [], "weights": []}')

Numbers = list[float]


def _with_example(schema: dict[str, Any], body: type["_Body"]) -> None:
    schema["examples"] = [body.example]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, json_schema_extra=_with_example)

    example: ClassVar[dict[str, Any]]

    weights: Numbers | None = Field(
        default=None, description="One weight per row, with sum 1. Absent: uniform weights."
    )


class PointsBody(_Body):
    """A measure: its points (n, d), one per row, and perhaps their weights."""

    example: ClassVar[dict[str, Any]] = {"points": [[0.0, 1.0], [1.0, 0.5]]}

    points: list[Numbers]


class CostsBody(_Body):
    """A cost block: costs (n, m) of the seller's n points to the buyer's m, and perhaps weights."""

    example: ClassVar[dict[str, Any]] = {"costs": [[0.25, 1.0], [0.5, 0.0]]}

    costs: list[Numbers]


def body_model(contents: Contents) -> type[_Body]:
    """Return the Pydantic model of a JSON body with points or with costs, as `contents` says."""
    return PointsBody if contents == POINTS else CostsBody


def to_npy(body: bytes, contents: Contents) -> tuple[bytes, bool]:
    """Convert a JSON body to float64 `.npy` bytes.

    `contents` says whether the body has points or costs.

    Returns
    -------
    npy, weighted
        The bytes, and whether the array's last column holds weights.

    Raises
    ------
    MalformedArray
        If the body is not JSON, has a member twice, or does not have the points or costs that
        `contents` names.
    WrongShape
        If there are no rows or no columns, the rows differ in length, or the numbers of rows and
        weights differ.
    """
    try:
        parsed = body_model(contents).model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=True)[0]
        location = "/".join(map(str, first["loc"]))
        raise MalformedArray(
            f"Expected JSON with {contents.name!r}, a list of rows of numbers, and optionally "
            f"'weights'{', but in ' + location if location else ''}: {expectation(first)}; "
            f"received {echo(first['input'])}.",
            expected={contents.name: [["number"]], "weights": ["number"]},
            location=list(first["loc"]),
        ) from None
    try:
        json.loads(body, object_pairs_hook=distinct_members)
    except ValueError as error:
        raise MalformedArray(
            "Expected JSON that all parsers read alike; received JSON that some read differently: "
            f"{error}."
        ) from None
    rows: list[Numbers] = getattr(parsed, contents.name)
    _check_rows(rows, parsed.weights, contents)
    array = np.array(rows, dtype="<f8")
    if parsed.weights is not None:
        array = np.column_stack([array, np.array(parsed.weights, dtype="<f8")])
    return npy.to_bytes(array), parsed.weights is not None


def convert(file: Path, contents: Contents) -> tuple[str, bool]:
    """Replace the JSON body in a file by the same array in `.npy`.

    `contents` says whether the body has points or costs.

    Returns
    -------
    digest, weighted
        The SHA-256 of the `.npy` bytes, and whether the array's last column holds weights.

    Raises
    ------
    MalformedArray
        If the body is not JSON, has a member twice, or does not have the points or costs that
        `contents` names.
    WrongShape
        If there are no rows or no columns, the rows differ in length, or the numbers of rows and
        weights differ.
    """
    content, weighted = to_npy(file.read_bytes(), contents)
    file.write_bytes(content)
    return hashlib.sha256(content).hexdigest(), weighted


def largest_body(rows: int, columns: int, *, weighted: bool) -> int:
    """Return how many bytes the JSON body of an array can have at most.

    `columns` does not count the weights.
    """
    numbers = rows * (columns + weighted)
    return _BYTES_PER_BODY + rows * _BYTES_PER_ROW + numbers * _BYTES_PER_NUMBER


def from_npy(array: NDArray[Any], contents: Contents, *, weighted: bool) -> bytes:
    """Convert a stored array to a JSON body, without loss.

    `weighted` says whether the last column of the array holds weights.
    """
    members: dict[str, Any] = {contents.name: array[:, :-1] if weighted else array}
    if weighted:
        members["weights"] = array[:, -1]
    return json.dumps({name: member.tolist() for name, member in members.items()}).encode()


def _check_rows(rows: list[Numbers], weights: Numbers | None, contents: Contents) -> None:
    if not rows or not rows[0]:
        raise WrongShape(
            f"Expected at least one row and one column of {contents.name}; received none.",
            expected="(rows, columns), each at least 1",
            received=[len(rows), 0],
        )
    columns = len(rows[0])
    for index, row in enumerate(rows):
        if len(row) != columns:
            raise WrongShape(
                f"Expected {columns} numbers in every row, as in the first; received {len(row)} "
                f"in row {index} (counted from 0).",
                expected=columns,
                received=len(row),
                index=[index],
            )
    if weights is not None and len(weights) != len(rows):
        raise WrongShape(
            f"Expected one weight per row, {len(rows)}; received {len(weights)}.",
            expected=len(rows),
            received=len(weights),
        )
