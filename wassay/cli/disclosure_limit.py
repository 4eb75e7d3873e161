"""The option that overrides the limit on disclosures, and the audit that commands print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from wassay.disclosure_class import DisclosureClass

if TYPE_CHECKING:
    from wassay.audit import Audit


MaxDisclosure = Annotated[
    DisclosureClass | None,
    typer.Option(
        help="The most that any single receiver may learn about your points. By default the limit "
        "in your profile or, if it has none, up-to-isometry."
    ),
]


def print_audit(audit: Audit) -> None:
    """Print an audit to standard error."""
    typer.echo(audit, err=True)
