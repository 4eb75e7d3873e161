"""`wassay receipt`, `wassay verify`: keep what the service signed, and check it without it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import wassay
from wassay.cli.errors import explained, of_file
from wassay.modes import MODES

if TYPE_CHECKING:
    from wassay.receipts import VerifiedReceipt

KEY_NOT_GIVEN = (
    "Nothing was changed since it was signed. Whose key that is, this does not show: compare it "
    "with the one that the service publishes, or pass that with --key."
)


@explained()
def receipt(
    evaluation: Annotated[str, typer.Argument(help="Its id.")],
    file: Annotated[Path, typer.Argument(help="A new file for the receipt.")],
) -> None:
    """Keep your receipt of an evaluation.

    The buyer's is whole, a seller's has their own part. Prints the public key that it is signed
    with.
    """
    from wassay.client.shared.receipts import read_receipt  # which other commands need not wait for

    with wassay.Client() as client:
        verified = client.run(read_receipt(client.flows, evaluation))
    with file.open("xb") as new:
        new.write(verified.content)
    typer.echo(verified.key.text)


@explained()
def verify(
    file: Annotated[Path, typer.Argument(help="A receipt, as `wassay receipt` kept it.")],
    key: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY", help="A public key of the service; give it more than once."),
    ] = None,
    result: Annotated[
        Path | None,
        typer.Option(help="The evaluation's result, as `wassay result --json` prints it."),
    ] = None,
    array: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="An uploaded array, to the byte; give it more than once."
        ),
    ] = None,
) -> None:
    """Verify a receipt; needs no service.

    Prints what it says. Ends with status 1 when anything is not as it was signed.
    """
    from wassay.receipts import VerificationKey  # which other commands need not wait for
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
    typer.echo(_told(verified))
    if result is not None:
        typer.echo(f"{result}: the result that was signed")
    for path, found in arrays.items():
        what = "the buyer's measure" if found.contribution_id is None else found.contribution_id
        at = "" if found.s is None else f" at s = {found.s:g}"
        typer.echo(f"{path}: {what}{at}")
    if key is None:
        typer.echo(KEY_NOT_GIVEN)


def _told(verified: VerifiedReceipt) -> str:
    said = verified.receipt
    gaps = [
        each.certificate.gap / (abs(each.certificate.primal) or 1.0) for each in said.certificates
    ]
    noise = (
        "" if said.epsilon is None else f", noise of ε = {said.epsilon:g} within {said.radius:g}"
    )
    coalitions = (
        f", {_counted(len(said.coalitions), 'further coalition')}" if said.coalitions else ""
    )
    sellers = {each.contribution_id for each in said.inputs} - {None}
    said_only = sum(each.mode in MODES and not MODES[each.mode].is_verified for each in said.inputs)
    from_sellers = (
        _counted(len(sellers), "contribution")
        if sellers or said.epsilon is None
        else "of sellers none, as answers carry noise"
    )
    lines = [
        f"evaluation    {said.evaluation_id} of request {said.request_id}",
        f"signed        {said.issued_at:%Y-%m-%d %H:%M:%S} UTC with {verified.key.id}",
        f"public key    {verified.key.text}",
        f"issued to     {said.issued_to} ({said.part})",
        f"parameters    p = {said.order}, s = {', '.join(f'{s:g}' for s in said.sweep)}, "
        f"weighted by {said.seller_weighting}{coalitions}, reference {said.reference.id} "
        f"({said.reference.disclosure}){noise}",
        f"inputs        {_counted(len(said.inputs) - said_only, 'array')}, {from_sellers}",
    ]
    if said_only:
        claims = _counted(said_only, "contribution")
        lines.append(f"unverified    {claims}: what the sellers say of themselves")
    if gaps:
        lines.append(f"certificates  {len(gaps)}, with gaps up to {max(gaps):.1e} of the cost")
    if said.result_digest is not None:
        lines.append(f"result        SHA-256 {said.result_digest}")
    if said.whole_digest is not None:
        lines.append(f"whole         SHA-256 {said.whole_digest} (the buyer's receipt)")
    software = ", ".join(f"{name} {number}" for name, number in said.software.items())
    return "\n".join([*lines, f"software      {software}"])


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
