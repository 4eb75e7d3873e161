"""Pages of the public Python names; mkdocstrings puts their docstrings in."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True)
class Group:
    """A page of these names of a module, or of all that it lists, and of a few others."""

    title: str
    about: str
    module: str
    names: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    def page(self) -> str:
        """Return its Markdown."""
        told = "".join(f"::: {each}\n\n" for each in self.everything())
        return f"# {self.title}\n\n{self.about}\n\n{told}"

    def everything(self) -> list[str]:
        """Return the full names of what is on the page."""
        names = self.names or sorted(import_module(self.module).__all__)
        ours = [f"{self.module}.{each}" for each in names if not each.isupper()]
        return [*ours, *self.others]


PAGES = {
    "buyers.md": Group(
        "Buyers",
        "What a buyer calls, and the choices to pass.",
        "wassay",
        (
            *("Buyer", "BuyerPrivacy", "Protocol", "ReferenceLaw", "Labels", "Sample", "Request"),
            *("Measure", "Reference", "Constant", "Normal", "Normals", "Uniform", "Gamma"),
        ),
    ),
    "sellers.md": Group(
        "Sellers",
        "What a seller calls.",
        "wassay",
        ("Seller", "SellerPrivacy"),
    ),
    "answers.md": Group(
        "Answers",
        "What an evaluation returns. See [Read the answer](../../answers.md).",
        "wassay",
        (
            *("Evaluation", "Result", "Estimates", "SellerEstimate", "Coverage", "NoisedResult"),
            *("NoisedEstimates", "DetectionCurve", "plot_scores", "plot_dendrogram"),
        ),
    ),
    "clients.md": Group(
        "Clients",
        "A client speaks to one service with one API key. Its resources, such as "
        "`client.requests`, are thin wrappers of HTTP; what they return has the fields of "
        "[these objects](../http/objects.md).",
        "wassay",
        ("Client", "AsyncClient", "Profile"),
    ),
    "errors.md": Group(
        "Errors",
        "`WassayError` is the base of every error of the SDK.",
        "wassay.client",
        others=("wassay.SealingError", "wassay.ReceiptError", "wassay.BrokenLedger"),
    ),
    "recipes.md": Group(
        "Recipes", "How tables become points. See [Recipes](../../recipes.md).", "wassay.recipes"
    ),
    "listings.md": Group(
        "Listings", "Data dictionaries. See [Listings](../../listings.md).", "wassay.listings"
    ),
    "audit.md": Group(
        "Audit",
        "What receivers could compute from what is sent. See [Who learns what](../../trust.md).",
        "wassay.audit",
    ),
    "transport.md": Group(
        "Transport",
        "The mathematics by itself, without a service. See [Mathematics](../../mathematics.md).",
        "wassay.transport",
    ),
}


def python_pages() -> Iterator[tuple[str, str]]:
    """Yield the name and the Markdown of each page."""
    for name, group in PAGES.items():
        yield name, group.page()
