"""A next revision of the schema, such as a next version of the service would have."""

from pathlib import Path

HEAD = "0001"
NEXT = "0002"
REVISION = """
import sqlalchemy as sa
from alembic import op

revision = "{next}"
down_revision = "{head}"
branch_labels = depends_on = None
compatible_since = "{compatible_since}"

def upgrade():
    op.add_column("listings", sa.Column("of_the_next_version", sa.String()))

def downgrade():
    op.drop_column("listings", "of_the_next_version")
"""


def add_revision(migrations: Path, compatible_since: str) -> None:
    """Write a migration, which adds a column, into a folder of migrations."""
    content = REVISION.format(head=HEAD, next=NEXT, compatible_since=compatible_since)
    (migrations / "versions" / f"{NEXT}_the_next.py").write_text(content)
