"""${message}."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql
${imports if imports else ""}

revision: str = "${up_revision}"
down_revision: str | None = ${f'"{down_revision}"' if down_revision else None}
branch_labels: str | Sequence[str] | None = ${repr(branch_labels)}
depends_on: str | Sequence[str] | None = ${repr(depends_on)}
compatible_since: str = "${up_revision}"  # the oldest revision whose code works with this one


def upgrade() -> None:
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    ${downgrades if downgrades else "pass"}
