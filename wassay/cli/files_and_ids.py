"""Refuse an id that was given in place of a file, or a file in place of an id."""

import re
from pathlib import Path

import typer

_KINDS = {
    "acc": "an account",
    "con": "a contribution",
    "evl": "an evaluation",
    "lst": "a listing",
    "ref": "a reference",
    "req": "a request",
}
_ID = re.compile(rf"({'|'.join(_KINDS)})_[0-9a-z]{{4,}}")


def require_request_file(file: Path) -> Path:
    """Return a path to a saved request; refuse an id that was given instead.

    Raises
    ------
    typer.BadParameter
        If `file` is an id and no file has this name.
    """
    return _require_file(
        file,
        "the file that `wassay ask` wrote, such as request.json",
        "that file holds your t0 and your keys, which the service does not have",
    )


def require_receipt_file(file: Path) -> Path:
    """Return a path to a saved receipt; refuse an id that was given instead.

    Raises
    ------
    typer.BadParameter
        If `file` is an id and no file has this name.
    """
    return _require_file(
        file,
        "the file of a receipt",
        "`wassay receipt EVALUATION receipt.json` saves it",
    )


def require_evaluation_id(given: str) -> str:
    """Return the id of an evaluation; refuse the name of a file that was given instead.

    Raises
    ------
    typer.BadParameter
        If `given` is the name of a file, or has a suffix, such as .json.
    """
    if not _ID.fullmatch(given) and (Path(given).suffix or Path(given).exists()):
        raise typer.BadParameter(
            f"expected the id of an evaluation, which begins with evl_, received a file, {given}: "
            "pass the id that `wassay evaluate` printed instead"
        )
    return given


def _require_file(file: Path, expected: str, advice: str) -> Path:
    found = _ID.fullmatch(str(file))
    if found and not file.exists():
        raise typer.BadParameter(
            f"expected {expected}, received the id of {_KINDS[found[1]]}, {file}: {advice}"
        )
    return file
