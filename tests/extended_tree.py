"""The source as docs/extending.md extends it: `python -m tests.extended_tree` checks it."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "extending.md"
COPIED = {
    "app": "app",
    "docs/howto": "docs/howto",
    "migrations": "app/migrations",
    "openapi": "openapi",
    "pyproject.toml": "pyproject.toml",
    "wassay": "wassay",
}
"""Where files and folders are in the copy."""


def modules() -> dict[str, str]:
    """Return the content of each new module on the page, keyed by its path."""
    return _blocks("python")


def edits() -> dict[str, str]:
    """Return the page's changes to existing files: a diff without line numbers, keyed by path."""
    return _blocks("diff")


def edited(content: str, diff: str) -> str:
    """Apply a diff; lines `@@` separate its parts, each of which must fit in exactly one place."""
    for part in diff.split("@@\n"):
        lines = part.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] in " -")
        new = "".join(line[1:] for line in lines if line[0] in " +")
        assert content.count(old) == 1, f"expected once in the file, as the page says:\n{old}"
        content = content.replace(old, new)
    return content


def extend_copy(tree: Path) -> list[str]:
    """Copy the source to a folder, extend the copy, and return the paths of new and changed files.

    In the copy, as in an installation, `wassay.server` is the service.
    """
    for name, place in COPIED.items():
        source, target = ROOT / name, tree / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy2(source, target)
    (tree / "wassay" / "server").symlink_to(tree / "app")
    for path, content in modules().items():
        (tree / path).write_text(content)
    for path, diff in edits().items():
        (tree / path).write_text(edited((tree / path).read_text(), diff))
    return [*modules(), *edits()]


def _blocks(language: str) -> dict[str, str]:
    """Return the page's blocks in a language, whose first line is `# path`, keyed by this path."""
    blocks = re.findall(rf"^```{language}\n# (\S+)\n(.*?)^```$", PAGE.read_text(), re.M | re.S)
    found = dict(blocks)
    assert len(found) == len(blocks), "expected one block for each file"
    return found


def main() -> int:
    """Check style and types of the extended source; return the exit status."""
    tools = Path(sys.executable).parent
    with TemporaryDirectory() as folder:
        tree = Path(folder)
        python = [path for path in extend_copy(tree) if path.endswith(".py")]
        if (ROOT / ".mypy_cache").exists():
            shutil.copytree(ROOT / ".mypy_cache", tree / ".mypy_cache")
        checks = (["ruff", "format", "--check"], ["ruff", "check"], ["mypy"])
        return max(
            subprocess.run([tools / tool, *options, *python], cwd=tree, check=False).returncode
            for tool, *options in checks
        )


if __name__ == "__main__":
    sys.exit(main())
