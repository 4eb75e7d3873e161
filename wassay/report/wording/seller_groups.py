"""Sentences on what other sellers add."""

from collections.abc import Sequence
from typing import Literal

from markupsafe import Markup

from wassay.report.number_format import whole
from wassay.report.wording.names import name, names

SIZES = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}
"""The sizes of groups in words."""

COMPARE_GROUPS = Markup(
    " To compare them, run <code>evaluation.buy(…)</code> (<code>wassay buy</code>)."
)
"""A sentence about how to compare more groups."""


def best_group(alone: str, distance: str, group: Markup, nearer: str, share: float) -> Markup:
    """Say which group of sellers is nearest, and how much nearer than the seller `alone`.

    `distance` is this seller's, and `nearer` the group's; `share` is their difference, as a share
    of `distance`.
    """
    percent = f"{100 * share:.0f} %" if share >= 0.01 else "less than 1 %"
    return Markup(
        "{} alone: {}. {}: {}, which is {} nearer. A part of that can come from more rows alone."
    ).format(name(alone), distance, group, nearer, percent)


def group_of(members: Sequence[str], others: Sequence[str]) -> Markup:
    """Name a group of sellers by its members, or by the others if these are fewer."""
    if not others:
        if len(members) == 2:
            return Markup("Both together")
        return Markup("All {} together").format(whole(len(members)))
    if len(others) < len(members):
        return Markup("All but {}").format(names(others))
    return Markup("With {}").format(names(members))


def nothing_added(seller: str, groups: int) -> Markup:
    """Say that none of the compared groups is nearer than one seller alone.

    `seller` is its label, and `groups` the number of groups.
    """
    text = "the group that was" if groups == 1 else f"none of the {whole(groups)} groups that were"
    verb = "is not nearer" if groups == 1 else "is nearer"
    return Markup("Nothing: {} compared {} than {} alone.").format(text, verb, name(seller))


def adds_unknown(groups: int, uncompared: str, is_noised: bool) -> Markup:
    """Say that no compared group is nearer than one seller, and which groups were not compared.

    `uncompared` comes from `uncompared_groups`. Unless distances have noise (`is_noised`), say how
    to compare more groups.
    """
    compared = "the group that was" if groups == 1 else f"the {whole(groups)} groups that were"
    text = Markup("Not known: {} compared {} no nearer, but {} compared.").format(
        compared, "is" if groups == 1 else "are", uncompared
    )
    return text if is_noised else text + COMPARE_GROUPS


def perhaps_nearer_still(uncompared: str, is_noised: bool) -> Markup:
    """Say that a group that was not compared may be nearer still.

    `uncompared` comes from `uncompared_groups`. Unless distances have noise (`is_noised`), say how
    to compare more groups.
    """
    text = Markup("Another group may be nearer still: {} compared.").format(uncompared)
    return text if is_noised else text + COMPARE_GROUPS


def uncompared_groups(sizes: Sequence[int], is_any_compared: bool) -> str:
    """Return words to write before "compared", such as "groups of two to four were not".

    `sizes` are the sizes of which not every group was compared, ascending.
    """
    ends = [SIZES.get(size, whole(size)) for size in (sizes[0], sizes[-1])]
    span = ends[0] if len(sizes) == 1 else " to ".join(ends)
    return f"not all groups of {span} were" if is_any_compared else f"groups of {span} were not"


def without_each(
    changes: Sequence[tuple[str, str]], direction: Literal["nearer", "farther"]
) -> Markup:
    """Say how much nearer or farther all sellers together are if one of them is left out.

    `changes` has a label and a change for each such seller.
    """
    (seller, change), *rest = changes
    first = Markup("Without {}, all the others together are {} {}.")
    return first.format(name(seller), change, direction) + Markup("").join(
        Markup(" Without {}: {}.").format(name(seller), change) for seller, change in rest
    )


def no_groups(is_by_scalars: bool) -> Markup:
    """Say that no group was compared.

    If `is_by_scalars`, give the reason: sellers sent scalars, which cannot be combined.
    """
    if is_by_scalars:
        return Markup("Not known: sellers who send scalars cannot be combined.")
    return Markup("Not computed: no group of sellers was compared.")
