"""`wassay ledger`: verify the caller's ledger of disclosures, online or from a file."""

from pathlib import Path
from typing import Annotated

import typer

import wassay
from wassay.cli.errors import explained, of_file
from wassay.control_characters import escape_in_json


@explained()
def ledger(
    file: Annotated[
        Path | None,
        typer.Argument(help="A file with the output of --json, to verify without a service."),
    ] = None,
    head: Annotated[
        str | None,
        typer.Option(help="The head of an earlier reading, which the ledger must still contain."),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print the rows as JSON, one row in each line.")
    ] = False,
) -> None:
    """Verify your ledger, and print what others can compute about your data.

    Without a file, your profile keeps the ledger's head, so that the next call notices changed or
    removed rows. The last line prints the head: keep a copy elsewhere.
    """
    from wassay.disclosures import combine
    from wassay.ledger import head_of, read_rows, verify
    from wassay.table import table

    if file is None:
        from wassay.client.shared.identity import Identity

        with wassay.Client() as client:
            profile = wassay.Profile()
            account_id = Identity(client, profile).account_id()
            rows = verify(
                client.disclosures.ledger(head=head), head=profile.ledger_head(account_id)
            )
            profile.keep_ledger_head(account_id, head_of(rows))
    else:
        with of_file(file):
            rows = verify(read_rows(file.read_bytes()), head=head)
    if json:
        for row in rows:
            typer.echo(escape_in_json(row.model_dump_json()))
        return
    if rows:
        columns = ("dataset", "seen by", "learns", "questions", "ε", "rows")
        cells = [
            (
                seen.dataset,
                seen.viewer_organisation or "the service",
                seen.disclosure_class.value + (f" of rank {seen.rank}" if seen.rank else ""),
                str(seen.questions),
                "no bound" if seen.epsilon is None else f"{seen.epsilon:g}",
                str(seen.disclosures),
            )
            for seen in combine(rows)
        ]
        typer.echo(table(columns, cells))
    typer.echo(f"{len(rows)} rows, head {head_of(rows)}")
