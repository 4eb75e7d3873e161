"""A matplotlib figure that every notebook shows; importing this needs matplotlib."""

from io import BytesIO

from matplotlib.figure import Figure


class NotebookFigure(Figure):
    """A figure that is shown as the value of a cell, whichever backend matplotlib uses.

    Figures are made without pyplot, which would keep each one in memory until somebody closes it.
    So nothing else registers them with the notebook.
    """

    def _repr_png_(self) -> bytes:
        """Return the figure as a PNG."""
        png = BytesIO()
        self.savefig(png, format="png", dpi=150)
        return png.getvalue()
