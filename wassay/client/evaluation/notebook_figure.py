"""A matplotlib figure that every notebook shows. Importing this module needs matplotlib."""

from io import BytesIO

from matplotlib.figure import Figure


class NotebookFigure(Figure):
    """A figure that notebooks show as the value of a cell, whichever backend matplotlib uses."""

    # Notebooks show figures of pyplot without this, but such figures stay in memory until closed.

    def _repr_png_(self) -> bytes:
        """Return the figure as a PNG."""
        png = BytesIO()
        self.savefig(png, format="png", dpi=150)
        return png.getvalue()
