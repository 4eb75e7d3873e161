"""Prometheus' own tool, which checks rules, configurations and metrics."""

import shutil
import subprocess
import sys
from pathlib import Path

MONITORING = Path(__file__).parents[1] / "deploy" / "monitoring"
BESIDE_PYTHON = Path(sys.executable).parent


def promtool(*arguments: str, given: str | None = None) -> str:
    """Run the tool in the folder of the alerts; return its output, and fail if it finds a fault."""
    program = shutil.which("promtool") or shutil.which("promtool", path=str(BESIDE_PYTHON))
    assert program, "`make promtool` installs it"
    done = subprocess.run(
        [program, *arguments],
        cwd=MONITORING,
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said
