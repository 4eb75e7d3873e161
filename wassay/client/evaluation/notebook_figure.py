"""A matplotlib figure that every notebook shows; importing this needs matplotlib."""

from io import BytesIO

from matplotlib.figure import Figure


class NotebookFigure(Figure):
    """A figure that is shown as the value of a cell, whichever backend matplotlib uses.

    Without pyplot, nobody registers figures with the notebook, and pyplot would keep every figure
    until it is closed.
    """

    def _repr_png_(self) -> bytes:
        """Return the figure as a PNG."""
        png = BytesIO()
        self.savefig(png, format="png", dpi=150)
        return png.getvalue()
