"""Folders of packages for an interpreter without `site`: the installed ones, except some."""

import subprocess
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

import numpy as np

SITE_PACKAGES = Path(np.__file__).parents[1]
SOURCE = Path(__file__).parents[2]

SOLVER = ("llvmlite", "numba", "ot", "psutil", "scipy")
SERVER = ("alembic", "dbos", "fastapi", "obstore", "prometheus_client", "sqlalchemy", "uvicorn")
PLOT = ("matplotlib", "mpl_toolkits", "seaborn")


def without(folder: Path, packages: Collection[str]) -> Path:
    """Link the SDK and all installed packages, except `packages`, into a folder."""
    folder.mkdir()
    for installed in SITE_PACKAGES.iterdir():
        if installed.name not in packages and installed.suffix not in {".pth", ".dist-info"}:
            (folder / installed.name).symlink_to(installed)
    (folder / "wassay").unlink(missing_ok=True)
    (folder / "wassay").symlink_to(SOURCE / "wassay")
    return folder


def run_in(
    packages: Path, program: str, *arguments: str, folder: Path, environment: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    """Run a program that can import only the packages in a folder."""
    return subprocess.run(
        [sys.executable, "-S", "-P", "-c", program, *arguments],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(packages)},
        capture_output=True,
        text=True,
        check=False,
    )
