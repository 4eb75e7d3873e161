"""`python -m app.openapi`: write openapi/openapi.json, or check that it is current."""

import argparse
import json
import sys
from pathlib import Path

from .main import create_app
from .settings import Settings

COMMITTED = Path(__file__).parents[1] / "openapi" / "openapi.json"


def description() -> str:
    """Return the OpenAPI description of this version of the service, as JSON."""
    document = create_app(Settings()).openapi()
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def main() -> int:
    """Write the description or, with `--check`, compare it with the committed one.

    Return the exit status: 1 if they differ, otherwise 0.
    """
    parser = argparse.ArgumentParser(prog="python -m app.openapi", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare without writing")
    if not parser.parse_args().check:
        COMMITTED.write_text(description(), encoding="utf-8")
        return 0
    if COMMITTED.exists() and COMMITTED.read_text(encoding="utf-8") == description():
        return 0
    sys.stderr.write("openapi/openapi.json is outdated: run `make openapi`.\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
