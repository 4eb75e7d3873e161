"""Where files of the repository lie on the site, and the links between them."""

import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = {
    "README.md": "index.md",
    "docs/README.md": "pages.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
}
"""Pages that lie elsewhere than under docs/, or under another name."""
MADE_FROM = {
    "wassay/cli/__init__.py": "reference/commands.md",
    "app/commands/__init__.py": "reference/operator_commands.md",
}
"""Source files that pages link to, and the pages that the site makes from them."""
FILES = re.compile(r"(?:LICENSE|(?:openapi|examples|tests)/.*)")
"""Other files that pages link to; the site has a copy of those that are linked."""
LINK = re.compile(r"(?<=\]\()(?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?(?=\))")
_NAMES = {on_site: in_repository for in_repository, on_site in PAGES.items()}


def repository_path(page: str) -> str:
    """Return where a page of the site comes from."""
    return _NAMES.get(page, f"docs/{page}")


def site_path(path: str) -> str:
    """Return where a file of the repository lies on the site.

    Raises
    ------
    ValueError
        If the site does not have it.
    """
    if path in PAGES:
        return PAGES[path]
    if path in MADE_FROM:
        return MADE_FROM[path]
    if path.startswith("docs/"):
        return path.removeprefix("docs/")
    if FILES.fullmatch(path):
        return f"files/{path}"
    raise ValueError(f"expected a page, or a file that the site may copy; received {path}")


def with_site_links(markdown: str, page: str) -> str:
    """Make a page's links lead to where their targets lie on the site."""
    here = posixpath.dirname(repository_path(page))

    def replaced(found: re.Match[str]) -> str:
        target = found["target"]
        if re.match(r"[a-z]+:", target):
            return found[0]
        path = site_path(posixpath.normpath(posixpath.join(here, target)))
        return posixpath.relpath(path, posixpath.dirname(page) or ".") + (found["anchor"] or "")

    return LINK.sub(replaced, markdown)


def linked_files(pages: list[str]) -> set[str]:
    """Return the files of the repository outside of docs/ that these pages link to."""
    found = set()
    for page in pages:
        source = repository_path(page)
        for link in LINK.finditer((ROOT / source).read_text(encoding="utf-8")):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(source), link["target"]))
            if FILES.fullmatch(path):
                found.add(path)
    return found
