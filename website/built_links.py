"""Check a built site: links lead to what is there, and nothing is loaded from elsewhere."""

from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"script": "src", "img": "src", "source": "src", "iframe": "src", "link": "href"}
"""Elements that a browser loads by itself, and the attribute that says from where."""


class BuiltPage(HTMLParser):
    """The links of a page, what it loads, and the anchors that it has."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors: set[str] = {""}
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element loads or links to, and its anchor."""
        values = {name: value for name, value in attrs if value is not None}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag in LOADED and LOADED[tag] in values:
            self.loaded.append(values[LOADED[tag]])


def faults(folder: Path) -> Iterator[str]:
    """Yield a sentence for each link that leads nowhere, and each file loaded from elsewhere."""
    pages = {
        path: BuiltPage(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.html"))
    }
    for path, page in pages.items():
        if path.name == "404.html":  # its links are absolute, because it is shown at any path
            continue
        where = path.relative_to(folder)
        for address in page.loaded:
            if urlsplit(address).netloc:
                yield f"{where}: expected no file from elsewhere, received {address}"
        for address in page.links + page.loaded:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                yield f"{where}: expected a file, received the link {address}"
            elif target in pages and unquote(parts.fragment) not in pages[target].anchors:
                yield f"{where}: expected an anchor, received the link {address}"
