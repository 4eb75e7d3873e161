"""`wassay verify`: verify a receipt without the service."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wassay.cli.errors import explained, of_file
from wassay.cli.files_and_ids import require_receipt_file
from wassay.control_characters import escape_line
from wassay.modes import MODES

if TYPE_CHECKING:
    from wassay.receipts import VerifiedReceipt


KEY_NOT_GIVEN = (
    "The receipt is unchanged since it was signed. To know that the service signed it, compare the "
    "public key below with the key that the service publishes, or pass the published key as --key."
)

WEIGHTED = {"points": "by points", "equal": "equally", "given": "by the buyer"}


@explained()
def verify(
    file: Annotated[
        Path,
        typer.Argument(
            help="A receipt that `wassay receipt` saved.", callback=require_receipt_file
        ),
    ],
    key: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY",
            help="A public key of the service, as GET /v1/receipt-keys lists them. One of these "
            "must have signed the receipt. Repeatable.",
        ),
    ] = None,
    result: Annotated[
        Path | None,
        typer.Option(
            help="Check that the receipt is for this result: a file with the output of "
            "`wassay result --json`."
        ),
    ] = None,
    array: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="An uploaded array, byte for byte: check that the evaluation used it. Repeatable.",
        ),
    ] = None,
) -> None:
    """Verify a receipt without the service, and print what it certifies.

    Exits with status 1 if the receipt, the result or an array differs from what was signed.
    """
    # Imported here, because other commands do not need it.
    from wassay.receipts import VerificationKey
    from wassay.receipts import verify as verified_receipt

    keys = None if key is None else [VerificationKey.from_text(text) for text in key]
    with of_file(file):
        verified = verified_receipt(file.read_bytes(), keys)
    if result is not None:
        with of_file(result):
            verified.require_result(result.read_bytes())
    arrays = {}
    for path in array or ():
        with of_file(path):
            arrays[path] = verified.input_of(path.read_bytes())
    for line in _summary(verified):
        _print_line(line)
    if result is not None:
        _print_line(f"{result}: the result that was signed")
    for path, found in arrays.items():
        what = "the buyer's measure" if found.contribution_id is None else found.contribution_id
        at = "" if found.s is None else f" at s = {found.s:g}"
        _print_line(f"{path}: {what}{at}")
    # Print the verdict last: a forged receipt could contain text that looks like a verdict.
    if key is None:
        _print_line(KEY_NOT_GIVEN)
    _print_line(f"verified with the public key {verified.key.text} ({verified.key.id})")


def _print_line(text: str) -> None:
    """Print text in one line, with control characters and line breaks escaped."""
    typer.echo(escape_line(text))


def _summary(verified: VerifiedReceipt) -> list[str]:
    signed = verified.receipt
    gaps = [
        each.certificate.gap / (abs(each.certificate.primal) or 1.0) for each in signed.certificates
    ]
    noise = (
        ""
        if signed.epsilon is None
        else f", noise of ε = {signed.epsilon:g} within {signed.radius:g}"
    )
    coalitions = (
        f", {_counted(len(signed.coalitions), 'further coalition')}" if signed.coalitions else ""
    )
    sellers = {each.contribution_id for each in signed.inputs} - {None}
    unverified = sum(
        each.mode in MODES and not MODES[each.mode].is_verified for each in signed.inputs
    )
    from_sellers = (
        _counted(len(sellers), "contribution")
        if sellers or signed.epsilon is None
        else "no arrays of sellers, because distances have noise"
    )
    lines = [
        f"evaluation    {signed.evaluation_id} of request {signed.request_id}",
        f"signed        {signed.issued_at:%Y-%m-%d %H:%M:%S} UTC",
        f"issued to     {signed.issued_to} ({signed.part})",
        f"parameters    p = {signed.order}, s = {', '.join(f'{s:g}' for s in signed.sweep)}, "
        f"weighted {WEIGHTED[signed.seller_weighting]}{coalitions}, "
        f"reference {signed.reference.id} ({signed.reference.disclosure}){noise}",
        f"inputs        {_counted(len(signed.inputs) - unverified, 'array')}, {from_sellers}",
    ]
    if unverified:
        claims = _counted(unverified, "contribution")
        lines.append(f"unverified    {claims}: scalars that the sellers computed themselves")
    if gaps:
        lines.append(f"certificates  {len(gaps)}, with gaps up to {max(gaps):.1e} of the cost")
    if signed.result_digest is not None:
        lines.append(f"result        SHA-256 {signed.result_digest}")
    if signed.whole_digest is not None:
        lines.append(f"whole         SHA-256 {signed.whole_digest} (the buyer's receipt)")
    software = ", ".join(f"{name} {number}" for name, number in signed.software.items())
    return [*lines, f"software      {software}"]


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
