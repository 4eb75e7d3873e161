"""`wassay ask`: open a request."""

from __future__ import annotations

from errno import EEXIST
from os import strerror
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

import wassay
from wassay.cli.disclosure_limit import MaxDisclosure, print_audit
from wassay.cli.errors import explained
from wassay.cli.invitations import NAMES, share_key, suppress_key_warnings
from wassay.cli.options import ClassColumn, KeepOrder, PointsFile, Weights
from wassay.cli.protocol_options import LawOfReference, Sweep, law_of, swept
from wassay.cli.sample_options import SampleBy, SampleRows, SampleSeed, sample_of
from wassay.control_characters import escape_control_characters, escape_line
from wassay.models import Mode, Order
from wassay.modes import MODES

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


NOBODY = "Nobody can contribute before you invite sellers: wassay invite {request_file} SELLER"


@explained()
def ask(
    file: PointsFile,
    request_file: Annotated[
        Path,
        typer.Argument(
            help="The file to create, with your t0 and the reference's key. You need this file to "
            "read the result."
        ),
    ],
    title: Annotated[str, typer.Option(help="The title that sellers read.")],
    description: Annotated[str, typer.Option(help="Details for sellers.")] = "",
    t0: Annotated[
        float | None,
        typer.Option(help="Your private push, in (0, 1); by default random."),
    ] = None,
    seller: Annotated[
        list[str] | None,
        typer.Option(metavar="SELLER", help=f"A seller to invite: {NAMES} Repeatable."),
    ] = None,
    everyone: Annotated[
        bool, typer.Option("--everyone", help="Let every seller contribute.")
    ] = False,
    open_reference: Annotated[
        bool,
        typer.Option(
            "--open",
            help="Give the service the reference's seed: its operator can then compute "
            "everybody's raw points.",
        ),
    ] = False,
    reveals_measure: Annotated[
        bool,
        typer.Option(
            "--reveals-measure",
            help="Accept cost blocks and scalars too. Sellers who use these modes download your "
            "pushed points, and can compute your raw points.",
        ),
    ] = False,
    classes: Annotated[
        Path | None,
        typer.Option(
            help="A .npy file with the class of each point, to score sellers' labels or, with "
            "--reveals-measure, to compare labelled data. The service can tell which points share "
            "a class."
        ),
    ] = None,
    class_column: ClassColumn = None,
    weights: Weights = None,
    sample: SampleRows = None,
    sample_seed: SampleSeed = None,
    sample_by: SampleBy = None,
    recipe: Annotated[
        Path | None,
        typer.Option(
            help="A file that `Recipe.save` wrote, with the recipe that makes points of rows. By "
            "default a recipe is fitted on a table with named columns.",
        ),
    ] = None,
    no_recipe: Annotated[
        bool,
        typer.Option(
            "--no-recipe",
            help="Compare the columns of a table in their own units, without a recipe.",
        ),
    ] = False,
    match_names: Annotated[
        bool,
        typer.Option(
            "--match-names",
            help="Compare each class only with the seller's class of the same name. The service "
            "and the sellers can read the names of your classes.",
        ),
    ] = False,
    reveals_scores: Annotated[
        bool,
        typer.Option(
            "--reveals-scores",
            help="Let sellers read the exact scores of their own points, if all other sellers show "
            "scores. A seller with enough points can compute your pushed points from these.",
        ),
    ] = False,
    keep_order: KeepOrder = False,
    dimensions: Annotated[
        int | None,
        typer.Option(
            metavar="R",
            help="Project all points in secret and at random to this number of dimensions. "
            "Receivers then learn less about points, and distances are lower bounds.",
        ),
    ] = None,
    epsilon: Annotated[
        float | None,
        typer.Option(
            help="Ask for distances with noise: one evaluation then spends this ε of differential "
            "privacy. Needs --radius.",
        ),
    ] = None,
    radius: Annotated[
        float | None,
        typer.Option(
            help="With --epsilon: clip sellers' pushed points to a ball of this radius, centred "
            "at the mean of your pushed points."
        ),
    ] = None,
    order: Annotated[
        int,
        typer.Option(help="The p of W_p: 2, or 1 for the word mover's distance of texts."),
    ] = 2,
    sweep: Sweep = "3",
    reference: LawOfReference = None,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact",
            help="With --reference: split each point into a part for each of the K reference "
            "points to which it is pushed, instead of pushing it as a whole. Each side then sends "
            "up to n + K − 1 parts of its n points.",
        ),
    ] = False,
    max_disclosure: MaxDisclosure = None,
) -> None:
    """Open a request for data like yours, and invite sellers.

    Prints the request's id. Prints to standard error the recipe, and what each receiver could
    compute about your points.
    """
    # Imported here, because it loads numpy, which other commands do not need.
    from wassay.cli.point_files import comparable_rows

    if file.suffix == ".json" and request_file.suffix != ".json":
        raise wassay.WassayError(
            f"expected your points and then a new file for the request, received {file} and "
            f"{request_file}: swap the two files"
        )
    if request_file.exists():
        raise FileExistsError(EEXIST, strerror(EEXIST), str(request_file))
    if recipe is not None and no_recipe:
        raise wassay.WassayError("expected --recipe or --no-recipe, received both: leave one out")
    points, labels, agreed = comparable_rows(
        file,
        classes=classes,
        class_column=class_column,
        weights=weights,
        recipe=recipe,
        fits=not no_recipe,
        sample=sample_of(sample, sample_seed, sample_by),
    )
    suppress_key_warnings()
    if agreed is not None:
        typer.echo(escape_control_characters(agreed.describe()) + "\n", err=True)
    with wassay.Client() as client:
        request = wassay.Buyer(client).ask(
            points,
            title=title,
            description=description,
            sellers=seller or (),
            recipe=agreed,
            labels=_labels(labels, match_names=match_names),
            audience="everyone" if everyone else "invited",
            privacy=wassay.BuyerPrivacy(
                sealed=not open_reference,
                reveals_measure=reveals_measure,
                reveals_scores=reveals_scores,
                dimensions=dimensions,
                epsilon=epsilon,
                radius=radius,
                keeps_order=keep_order,
                max_disclosure=max_disclosure,
            ),
            protocol=wassay.Protocol(
                t0=t0,
                sweep=swept(sweep),
                order=cast("Order", order),
                reference=law_of(reference),
                interpolation="exact" if exact else "barycentric",
                modes=_modes(
                    order,
                    reveals_measure=reveals_measure,
                    labelled=labels is not None or _has_labels(agreed),
                ),
            ),
            on_audit=print_audit,
        )
        try:
            request.save(request_file)
        except BaseException:
            # Cancel the request, because its result cannot be read without the saved t0.
            request.cancel()
            raise
        share_key(request, request_file)
    if not (seller or (everyone and open_reference)):
        typer.echo(NOBODY.format(request_file=request_file), err=True)
    typer.echo(escape_line(request.id))


def _has_labels(recipe: wassay.Recipe | None) -> bool:
    return recipe is not None and any(field.role == "label" for field in recipe.public.fields)


def _labels(labels: ArrayLike | None, *, match_names: bool) -> wassay.Labels | None:
    if labels is not None:
        return wassay.Labels(labels, match_names=match_names)
    if match_names:
        raise wassay.WassayError(
            "--match-names needs the classes of your points: name them by --classes or "
            "--class-column, or leave --match-names out"
        )
    return None


def _modes(order: int, *, reveals_measure: bool, labelled: bool) -> tuple[Mode, ...]:
    of_order = {name: terms for name, terms in MODES.items() if order in terms.orders}
    if labelled:
        return tuple(
            name
            for name, terms in of_order.items()
            if (terms.takes_labels if reveals_measure else terms.scores_labels)
        )
    return tuple(
        name for name, terms in of_order.items() if reveals_measure or not terms.reveals_measure
    )
