"""List all attacks, and choose the one that reveals most."""

from wassay.audit.attacks.attack import Attack, AttackResult, Target
from wassay.audit.attacks.column_attack import ColumnAttack
from wassay.audit.attacks.curves import CURVES
from wassay.audit.attacks.distances import DISTANCES
from wassay.audit.attacks.groups import GROUPS
from wassay.audit.attacks.guessed_push import GUESSED_PUSH
from wassay.audit.attacks.half_way import HALF_WAY
from wassay.audit.attacks.independent_components import INDEPENDENT_COMPONENTS
from wassay.audit.attacks.known_push import KNOWN_PUSH
from wassay.audit.attacks.known_record import KNOWN_RECORD
from wassay.audit.attacks.lattice import LATTICE
from wassay.audit.attacks.most_normal_axes import MOST_NORMAL_AXES
from wassay.audit.attacks.noised_distances import NOISED_DISTANCES
from wassay.audit.attacks.origin import ORIGIN
from wassay.audit.attacks.own_noisiest import OWN_NOISIEST
from wassay.audit.attacks.own_scores import OWN_SCORES
from wassay.audit.attacks.planes import PLANES
from wassay.audit.attacks.population_axes import POPULATION_AXES
from wassay.audit.attacks.principal_axes import PRINCIPAL_AXES
from wassay.audit.attacks.pushed_points import PUSHED_POINTS
from wassay.audit.attacks.quadratics import QUADRATICS
from wassay.audit.attacks.ranks import RANKS
from wassay.audit.attacks.reflection import REFLECTION
from wassay.audit.attacks.repetitions import REPETITIONS
from wassay.audit.attacks.row_order import ROW_ORDER
from wassay.audit.attacks.scalars import SCALARS
from wassay.audit.attacks.scores import SCORES
from wassay.audit.attacks.several_groups import SEVERAL_GROUPS
from wassay.audit.attacks.surfaces import SURFACES
from wassay.audit.attacks.three_cost_blocks import THREE_COST_BLOCKS
from wassay.audit.attacks.two_pushes import TWO_PUSHES
from wassay.audit.attacks.whole_numbers import WHOLE_NUMBERS
from wassay.transport import TransportError

ATTACKS: tuple[Attack, ...] = (
    THREE_COST_BLOCKS,
    TWO_PUSHES,
    KNOWN_PUSH,
    KNOWN_RECORD,
    GUESSED_PUSH,
    PUSHED_POINTS,
    SCORES,
    OWN_SCORES,
    RANKS,
    OWN_NOISIEST,
    REFLECTION,
    HALF_WAY,
    DISTANCES,
    NOISED_DISTANCES,
    SCALARS,
)
"""All attacks on records, in the order in which they run: of two that reveal equally much, the
cheaper runs first."""

COLUMN_ATTACKS: tuple[ColumnAttack, ...] = (
    ORIGIN,
    PRINCIPAL_AXES,
    POPULATION_AXES,
    INDEPENDENT_COMPONENTS,
    REPETITIONS,
    LATTICE,
    WHOLE_NUMBERS,
    PLANES,
    MOST_NORMAL_AXES,
    GROUPS,
    SEVERAL_GROUPS,
    CURVES,
    SURFACES,
    QUADRATICS,
    ROW_ORDER,
)
"""All attacks on columns. Each is tried, and the best reading of each column counts."""


def most_revealing(target: Target) -> AttackResult | None:
    """Run the attacks that a receiver can run, and return the result that reveals most.

    An attack that raises `TransportError` counts as revealing `Target.most`.

    Returns
    -------
    AttackResult or None
        None if no attack applies.
    """
    worst: AttackResult | None = None
    for attack in ATTACKS:
        if not attack.needs <= target.knowledge or _reached(worst, attack, target):
            continue
        try:
            result = attack.run(target)
        except TransportError as error:
            # Theory shows what the attack reveals, even if this computation did not finish.
            result = AttackResult(target.most, f"the attack broke off: {error}")
        if result is None:
            continue
        if worst is None or result.disclosure_class.reveals_more_than(worst.disclosure_class):
            worst = result
    return worst


def _reached(worst: AttackResult | None, attack: Attack, target: Target) -> bool:
    """Return whether the attack can reveal no more than `worst`, the worst result so far."""
    if worst is None:
        return False
    reached = worst.disclosure_class
    return not (
        attack.reaches.reveals_more_than(reached) and target.most.reveals_more_than(reached)
    )
