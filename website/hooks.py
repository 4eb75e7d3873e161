"""Hooks of MkDocs: add pages that do not lie in docs/, and adapt Markdown written for GitHub."""

import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from website.built_links import faults
from website.command_reference import command_pages
from website.http_reference import http_pages
from website.problem_reference import problem_page
from website.python_reference import python_pages
from website.repository_pages import PAGES, ROOT, linked_files, site_path, with_site_links
from website.wide_layout import lower_widths

COMMENT = re.compile(r"^<!--.*?-->\n", re.M | re.S)
SENDER = re.compile(r"^```http (\w+)$", re.M)

STYLE = ROOT / "website" / "site.css"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages and files that lie elsewhere, and the generated pages."""
    files.remove(next(each for each in files if each.src_uri == "README.md"))
    for path, uri in PAGES.items():
        files.append(File.generated(config, uri, abs_src_path=str(ROOT / path)))
    for path in sorted(linked_files([each.src_uri for each in files.documentation_pages()])):
        files.append(File.generated(config, site_path(path), abs_src_path=str(ROOT / path)))
    files.append(
        File.generated(config, "site.css", abs_src_path=str(ROOT / "website" / "site.css"))
    )
    for uri, markdown in generated_pages():
        files.append(File.generated(config, uri, content=markdown))
    return files


def generated_pages() -> Iterator[tuple[str, str]]:
    """Yield the path and the Markdown of each page that is made from code."""
    for name, markdown in python_pages():
        yield f"reference/python/{name}", markdown
    for name, markdown in command_pages():
        yield f"reference/{name}", markdown
    for name, markdown in http_pages(ROOT / "openapi" / "openapi.json"):
        yield f"reference/http/{name}", markdown
    yield "reference/http/problems.md", problem_page()


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links to pages of the site, and drop what is only for tests."""
    if page.file.generated_by and page.file.src_uri not in PAGES.values():
        return markdown
    markdown = COMMENT.sub("", markdown)
    markdown = SENDER.sub(r'```http title="\1"', markdown)
    return with_site_links(markdown, page.file.src_uri)


def on_post_build(config: MkDocsConfig) -> None:
    """Lower the width of the full layout, and check the links of the built pages.

    Raises
    ------
    PluginError
        If a link leads nowhere, or a page loads a file from elsewhere.
    ValueError
        If the theme's files have no such width.
    """
    lower_widths(Path(config.site_dir))
    if found := list(faults(Path(config.site_dir))):
        raise PluginError("\n".join(found))
