"""Run the tutorials on a service of their own; write what they print into pages and notebooks."""

import os
import sys
import tempfile
from pathlib import Path

from examples.digits.processes import Processes
from examples.digits.service import open_accounts, start_service
from examples.tutorials.execution import executed
from examples.tutorials.notebook import notebook
from examples.tutorials.page import pages, parse, render


def main() -> None:
    """Rewrite the pages and their notebooks, or those whose names are given."""
    chosen = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name, Processes() as processes:
        folder = Path(name)
        address = start_service(processes, folder)
        operator = open_accounts(folder, address, {"operator": "admin"})["operator"]
        os.environ.update(operator.environment)
        for page in pages():
            if not chosen or page.stem in chosen:
                print(f"runs {page.name}")
                parts = executed(list(parse(page.read_text(encoding="utf-8"))))
                page.write_text(render(parts), encoding="utf-8")
                page.with_suffix(".ipynb").write_text(notebook(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
