"""Show the site's navigation from 1100 pixels on; the theme hides it in a menu below 1220."""

from pathlib import Path

CHANGED = {"76.25em": "68.75em", "76.234375em": "68.734375em"}
"""The theme's widths in its style sheets and its script, in units of 16 pixels, and ours."""


def lower_widths(site: Path) -> None:
    """Rewrite the widths in the theme's files of a built site.

    Raises
    ------
    ValueError
        If the style sheets or the script have none, as in another version of the theme.
    """
    for kind in ("stylesheets/main.*.css", "stylesheets/palette.*.css", "javascripts/bundle.*.js"):
        found = 0
        for file in (site / "assets").glob(kind):
            text = file.read_text(encoding="utf-8")
            for theirs, ours in CHANGED.items():
                found += text.count(theirs)
                text = text.replace(theirs, ours)
            file.write_text(text, encoding="utf-8")
        if not found:
            raise ValueError(
                f"expected the width {' or '.join(CHANGED)} in the theme's {kind}, received none: "
                "look up from which width it shows the navigation"
            )
