"""Take the picture of a real report for the first page, in a real Chromium.

``make report-picture`` runs the demo, then this.
"""

import sys
from io import BytesIO
from pathlib import Path

from PIL import Image

from tests.browser import chromium

WIDTH = 1000
LAST = "figure.nearness"
"""The first of these elements is the last that the picture shows."""

MARGIN = 12
COLOURS = 64
"""The colours of the picture: few keep the file small."""


def main(report: Path, picture: Path) -> None:
    """Open a report in a browser, and write its part up to the picture of its sellers."""
    with chromium() as browser:
        page = browser.new_page(viewport={"width": WIDTH, "height": 900}, color_scheme="light")
        page.goto(report.resolve().as_uri())
        figure = page.locator(LAST).first.bounding_box()
        if figure is None:
            raise ValueError(f"expected {LAST} in the report, received none: name a report's file")
        height = figure["y"] + figure["height"] + MARGIN
        content = page.screenshot(
            clip={"x": 0, "y": 0, "width": WIDTH, "height": height}, full_page=True
        )
    image = Image.open(BytesIO(content)).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(picture, optimize=True)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
