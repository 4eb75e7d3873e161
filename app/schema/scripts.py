"""Find the scripts of the migrations, and configure Alembic to run them."""

from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import JSON, Connection

from ..database import UtcDateTime
from ..tables import METADATA

_SERVICE = Path(__file__).parents[1]
SCRIPTS = next(
    # The scripts are inside the service's package once installed, and beside it in the source tree.
    folder
    for folder in (_SERVICE / "migrations", _SERVICE.parent / "migrations")
    if (folder / "env.py").is_file()
)


def configuration(connection: Connection | None = None) -> Config:
    """Return Alembic's configuration. Only migrations need the connection."""
    config = Config()
    location = str(SCRIPTS).replace("%", "%%")  # Config reads % as the start of a placeholder
    config.set_main_option("script_location", location)
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    config.attributes["options"] = {
        "target_metadata": METADATA,
        "include_object": _is_ours,
        "render_item": _render_type,
        "compare_type": True,
    }
    return config


def scripts() -> ScriptDirectory:
    """Return the scripts of all migrations that this version of the service knows."""
    return ScriptDirectory.from_config(configuration())


def _is_ours(
    _object: object, name: str | None, kind: str, _reflected: bool, _compared: object
) -> bool:
    """Return False for the tables of the job library, which the library migrates itself."""
    return kind != "table" or name is None or name in METADATA.tables


def _render_type(kind: str, value: Any, _context: object) -> str | bool:
    """Return a column's type, `UtcDateTime` or JSON, as source text for a migration.

    For other types, and other kinds of object, return False, so that Alembic renders them itself.
    """
    if kind != "type":
        return False
    if isinstance(value, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if isinstance(value, JSON):
        return 'sa.JSON().with_variant(postgresql.JSONB(), "postgresql")'
    return False
