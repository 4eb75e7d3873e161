"""`wassay receipt`: save a receipt to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained
from wassay.cli.options import EvaluationId


@explained()
def receipt(
    evaluation: EvaluationId,
    file: Annotated[Path, typer.Argument(help="The file to create.")],
) -> None:
    """Save your receipt of an evaluation to a file.

    Prints the public key that verifies the receipt. A buyer's receipt covers the whole evaluation;
    a seller's covers only their own contribution.
    """
    # Imported here, because other commands do not need it.
    from wassay.client.shared.receipt_reading import read_receipt

    with wassay.Client() as client:
        verified = client.run(read_receipt(client.flows, evaluation))
    with file.open("xb") as new:
        new.write(verified.content)
    typer.echo(verified.key.text)
