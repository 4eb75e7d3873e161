"""Small arrays as JSON, so that a page in a browser can send and read them."""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from . import npy
from .contents import POINTS, Contents
from .problems import MalformedArray, WrongShape

BYTES_A_NUMBER = 25
"""The longest a float64 is in JSON, with its separator."""

Numbers = list[float]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    weights: Numbers | None = Field(
        default=None, description="One a row, summing to 1; absent: uniform."
    )


class PointsBody(_Body):
    """A measure: points (n, d), one row a point."""

    points: list[Numbers] = Field(examples=[[[0.0, 1.0], [1.0, 0.5]]])


class CostsBody(_Body):
    """A cost block: costs (n, m), one row for each of the seller's points."""

    costs: list[Numbers] = Field(examples=[[[0.25, 1.0], [0.5, 0.0]]])


def body_model(contents: Contents) -> type[_Body]:
    """Return the model of a JSON body that holds these contents."""
    return PointsBody if contents is POINTS else CostsBody


def to_npy(body: bytes, contents: Contents) -> tuple[bytes, bool]:
    """Turn a JSON body into the float64 `.npy` bytes that are kept.

    Returns
    -------
    npy, weighted
        The weights, when there are any, become the last column.

    Raises
    ------
    MalformedArray
        The body is not JSON, or has other members or types than `PointsBody` or `CostsBody`.
    WrongShape
        The rows have different lengths or there are none, or not as many weights as rows.
    """
    try:
        parsed = body_model(contents).model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = "/".join(str(part) for part in first["loc"])
        raise MalformedArray(
            f"Expected JSON with {contents.name!r}, a list of rows of numbers, and optionally "
            f"'weights': {first['msg']}{' at ' + where if where else ''}.",
            expected={contents.name: [["number"]], "weights": ["number"]},
            location=list(first["loc"]),
        ) from None
    rows: list[Numbers] = getattr(parsed, contents.name)
    _check_rows(rows, parsed.weights, contents)
    array = np.array(rows, dtype="<f8")
    if parsed.weights is not None:
        array = np.column_stack([array, np.array(parsed.weights, dtype="<f8")])
    return npy.to_bytes(array), parsed.weights is not None


def from_npy(array: NDArray[Any], contents: Contents, *, weighted: bool) -> bytes:
    """Write a stored array as the JSON that would have uploaded it, entry for entry."""
    members: dict[str, Any] = {contents.name: array[:, :-1] if weighted else array}
    if weighted:
        members["weights"] = array[:, -1]
    return json.dumps({name: part.tolist() for name, part in members.items()}).encode()


def _check_rows(rows: list[Numbers], weights: Numbers | None, contents: Contents) -> None:
    if not rows or not rows[0]:
        raise WrongShape(
            f"Expected at least one row and one column of {contents.name}.",
            expected="(rows, columns), each at least 1",
            received=[len(rows), 0],
        )
    columns = len(rows[0])
    for index, row in enumerate(rows):
        if len(row) != columns:
            raise WrongShape(
                f"Expected {columns} numbers in every row, as in the first; "
                f"row {index} has {len(row)}.",
                expected=columns,
                received=len(row),
                index=[index],
            )
    if weights is not None and len(weights) != len(rows):
        raise WrongShape(
            f"Expected one weight a row, {len(rows)}; received {len(weights)}.",
            expected=len(rows),
            received=len(weights),
        )
