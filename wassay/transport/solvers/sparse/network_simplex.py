"""Primal network simplex on a sparse bipartite graph, compiled, with warm starts.

The nodes are the n rows, the m columns and the root; arcs lead from rows to columns.
"""

# A basis is a spanning tree. It is kept strongly feasible: every node can send flow to the root.
# This excludes cycling (Cunningham, A network simplex method, Mathematical Programming 11, 1976).

# An artificial arc joins every node to the root, at a cost of one penalty, which exceeds any sum of
# real costs. A cost or a potential is a pair of penalties and real cost, compared
# lexicographically, so that no large constant rounds the real cost away.

# Node indices are unsigned, because numba tests signed indices for being negative at every access.
# All compiled functions share this file, because numba invalidates its cache on disk by the file of
# the function itself and not by those of its callees.

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wassay.transport.compiled import compiled, compiled_into_callers

ROUNDING = 16 * float(np.finfo(np.float64).eps)
"""Reduced costs below this share of their terms' size count as zero."""

ARTIFICIAL = -1
"""Index of the arc to a node's parent if that arc is artificial."""

CANDIDATES, ARCS_PER_CANDIDATE = 64, 64
"""How many candidates every pivot prices again, and how many arcs yield one new candidate."""


class Arcs(NamedTuple):
    """Arcs, each from row node `tail` to column node `head`; artificial arcs join the root."""

    tail: NDArray[np.uint32]
    head: NDArray[np.uint32]
    cost: NDArray[np.float64]


class Tree(NamedTuple):
    """Spanning tree with flows and potentials, as one array per field, indexed by node.

    Attributes
    ----------
    parent : ndarray of int
        Parent node. Here and below, the index after the root's stands for none.
    arc : ndarray of int
        Index of the arc between the node and its parent, or ARTIFICIAL.
    upward : ndarray of bool
        Whether this arc leads to the parent.
    flow : ndarray of int
        Flow on this arc. Arcs outside the tree carry none.
    potential, penalty : ndarray of float and of int
        The potential, in real cost and in penalties. Along an arc, it falls by the arc's cost.
    depth : ndarray of int
        Number of arcs between the node and the root.
    first_child, next_sibling, previous_sibling : ndarray of int
        Doubly linked list of each node's children.
    """

    parent: NDArray[np.uint32]
    arc: NDArray[np.int32]
    upward: NDArray[np.bool_]
    flow: NDArray[np.int64]
    potential: NDArray[np.float64]
    penalty: NDArray[np.int32]
    depth: NDArray[np.int32]
    first_child: NDArray[np.uint32]
    next_sibling: NDArray[np.uint32]
    previous_sibling: NDArray[np.uint32]


@compiled
def initial_tree(supply: NDArray[np.int64], arcs: Arcs, preferred: NDArray[np.uint32]) -> Tree:
    """Build a strongly feasible spanning tree, from preferred arcs where possible.

    Parameters
    ----------
    supply : ndarray of int, shape (n + m,)
        Flow that each node sends, negative if it receives flow; sums to zero.
    arcs : Arcs
    preferred : ndarray of int
        Indices of arcs, such as those of a previous basis.

    Returns
    -------
    Tree
    """
    root, null = np.uint32(len(supply)), np.uint32(len(supply) + 1)
    tree = Tree(
        np.full(null + 1, null, np.uint32),
        np.full(null + 1, ARTIFICIAL, np.int32),
        np.ones(null + 1, np.bool_),
        np.zeros(null + 1, np.int64),
        np.zeros(null + 1),
        np.zeros(null + 1, np.int32),
        np.zeros(null + 1, np.int32),
        np.full(null + 1, null, np.uint32),
        np.full(null + 1, null, np.uint32),
        np.full(null + 1, null, np.uint32),
    )
    nodes = _breadth_first(tree, arcs, preferred)
    to_send = supply.copy()
    for node in nodes[::-1]:
        arc, sent = tree.arc[node], to_send[node]
        leads_up = arc != ARTIFICIAL and arcs.tail[arc] == node
        # Cut an arc whose flow would be negative, or zero away from the root.
        if arc != ARTIFICIAL and (sent >= 0 if leads_up else sent < 0):
            tree.upward[node] = leads_up
            to_send[tree.parent[node]] += sent
        else:
            tree.arc[node], tree.parent[node] = ARTIFICIAL, root
            tree.upward[node] = sent >= 0
        tree.flow[node] = abs(sent)
    for node in nodes:
        _insert_child(tree, tree.parent[node], node)
    recompute_potentials(tree, arcs)
    return tree


@compiled
def run_pivots(tree: Tree, arcs: Arcs, start: int, max_pivots: int) -> tuple[int, int]:
    """Pivot until no arc has a negative reduced cost, at most `max_pivots` times.

    Parameters
    ----------
    tree : Tree
        Changed in place.
    arcs : Arcs
    start : int
        Index of the first arc to scan.
    max_pivots : int

    Returns
    -------
    pivots : int
        Number of pivots; less than `max_pivots` only if the tree is optimal.
    start : int
        Index at which the next scan should begin.
    """
    queue = np.empty(len(tree.parent), np.uint32)
    # Until candidates are found, copies of an arc from node 0 to itself take their place.
    candidates = Arcs(
        np.zeros(CANDIDATES, np.uint32), np.zeros(CANDIDATES, np.uint32), np.zeros(CANDIDATES)
    )
    indices, oldest = np.zeros(CANDIDATES, np.int64), 0
    for pivots in range(max_pivots):
        entering, start, oldest = _price(tree, arcs, start, candidates, indices, oldest)
        if entering == ARTIFICIAL:
            return pivots, start
        _pivot(tree, arcs, entering, queue)
    return max_pivots, start


@compiled
def recompute_potentials(tree: Tree, arcs: Arcs) -> None:
    """Compute potentials and depths anew along the tree, without accumulated rounding."""
    null = len(tree.parent) - 1
    stack = np.empty(len(tree.parent), np.uint32)
    stack[0] = null - 1
    number = 1
    while number:
        number -= 1
        parent = stack[number]
        node = tree.first_child[parent]
        while node != null:
            arc, sign = tree.arc[node], 1 if tree.upward[node] else -1
            if arc == ARTIFICIAL:
                tree.potential[node], tree.penalty[node] = 0.0, sign
            else:
                tree.potential[node] = tree.potential[parent] + sign * arcs.cost[arc]
                tree.penalty[node] = tree.penalty[parent]
            tree.depth[node] = tree.depth[parent] + 1
            stack[number] = node
            number += 1
            node = tree.next_sibling[node]


@compiled
def _breadth_first(tree: Tree, arcs: Arcs, preferred: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Set parents and arcs along the preferred arcs; return the nodes, parents before children."""
    size = len(tree.parent) - 2
    root, null = np.uint32(size), np.uint32(size + 1)
    start = np.zeros(size + 1, np.int64)
    for arc in preferred:
        start[arcs.tail[arc]] += 1
        start[arcs.head[arc]] += 1
    start = np.cumsum(start)
    incident = np.empty(2 * len(preferred), np.uint32)
    for arc in preferred:
        for node in (arcs.tail[arc], arcs.head[arc]):
            start[node] -= 1
            incident[start[node]] = arc
    nodes = np.empty(size, np.uint32)
    count = 0
    # Root the trees at nodes of degree two or more: their excess flow then reaches the root
    # directly and not through a leaf.
    for min_degree in (2, 0):
        for first in range(size):
            degree = start[first + 1] - start[first]
            if tree.parent[first] != null or degree < min_degree:
                continue
            tree.parent[first] = root
            nodes[count] = first
            visited, count = count, count + 1
            while visited < count:
                node = nodes[visited]
                visited += 1
                for index in range(start[node], start[node + 1]):
                    arc = incident[index]
                    other = arcs.head[arc] if arcs.tail[arc] == node else arcs.tail[arc]
                    if tree.parent[other] == null:
                        tree.parent[other], tree.arc[other] = node, arc
                        nodes[count] = other
                        count += 1
    return nodes


@compiled_into_callers
def _price(
    tree: Tree, arcs: Arcs, start: int, candidates: Arcs, indices: NDArray[np.int64], oldest: int
) -> tuple[int, int, int]:
    """Find the arc that enters the basis.

    Parameters
    ----------
    tree : Tree
    arcs : Arcs
    start : int
        Index of the first arc to scan.
    candidates : Arcs
        Copies of arcs found before, changed in place: a new candidate replaces the oldest.
    indices : ndarray of int
        The candidates' indices among `arcs`, changed in place.
    oldest : int
        Index of the oldest candidate among `candidates`.

    Returns
    -------
    entering : int
        Index of the arc that enters, or ARTIFICIAL if the tree is optimal.
    start : int
        Index at which the next scan should begin.
    oldest : int
        Index of the oldest candidate after the scan.
    """
    # Blocks of arcs are scanned from `start` until one has an arc with a negative reduced cost. The
    # best of its arcs become candidates, and the best of all candidates enters.
    number = len(arcs.cost)
    block = int(np.sqrt(number)) + 1
    unseen, left, found = number, block, False
    while unseen > 0:
        # A block goes on at the first arc, so that no two scans have the same blocks: among equal
        # costs that takes five times the pivots.
        size = min(ARCS_PER_CANDIDATE, left, unseen, number - start)
        arc = _lowest(tree, arcs, start, start + size)
        if arc != ARTIFICIAL:
            candidates.tail[oldest], candidates.head[oldest] = arcs.tail[arc], arcs.head[arc]
            candidates.cost[oldest], indices[oldest] = arcs.cost[arc], arc
            oldest = oldest + 1 if oldest + 1 < CANDIDATES else 0
            found = True
        start = start + size if start + size < number else 0
        unseen -= size
        left -= size
        if left == 0:
            if found:
                break
            left = block
    chosen = _lowest(tree, candidates, 0, CANDIDATES)
    return ARTIFICIAL if chosen == ARTIFICIAL else indices[chosen], start, oldest


@compiled_into_callers
def _lowest(tree: Tree, arcs: Arcs, start: int, stop: int) -> int:
    """Return the index of the arc with the most negative reduced cost among start … stop − 1.

    If none is negative, return ARTIFICIAL.
    """
    lowest, penalty, potential = ARTIFICIAL, 0, 0.0
    for arc in range(start, stop):
        tail, head = arcs.tail[arc], arcs.head[arc]
        reduced_penalty = tree.penalty[head] - tree.penalty[tail]
        if reduced_penalty <= penalty:
            cost, from_tail, to_head = arcs.cost[arc], tree.potential[tail], tree.potential[head]
            reduced_cost = cost - from_tail + to_head
            if reduced_penalty < penalty or reduced_cost < potential:
                size = abs(cost) + abs(from_tail) + abs(to_head)
                if reduced_penalty < 0 or reduced_cost < -ROUNDING * size:
                    lowest, penalty, potential = arc, reduced_penalty, reduced_cost
    return lowest


@compiled_into_callers
def _pivot(tree: Tree, arcs: Arcs, entering: int, queue: NDArray[np.uint32]) -> None:
    """Push flow around the cycle that the entering arc closes, and drop a saturated arc.

    `queue` is working memory for all nodes.
    """
    tail, head = arcs.tail[entering], arcs.head[entering]
    top, sent, leaving, below_tail = _bottleneck(tree, tail, head)
    if sent > 0:
        _decrease_flow(tree, tail, top, sent)
        _decrease_flow(tree, head, top, -sent)
    potential = arcs.cost[entering] - tree.potential[tail] + tree.potential[head]
    penalty = tree.penalty[head] - tree.penalty[tail]
    if below_tail:
        _reroot(tree, tail, head, entering, True, sent, leaving)
        _shift_subtree(tree, tail, potential, penalty, queue)
    else:
        _reroot(tree, head, tail, entering, False, sent, leaving)
        _shift_subtree(tree, head, -potential, -penalty, queue)


@compiled_into_callers
def _bottleneck(tree: Tree, tail: int, head: int) -> tuple[int, int, int, bool]:
    """Find the arc that leaves the basis when an arc from `tail` to `head` enters.

    Returns
    -------
    top : int
        The top node of the cycle that the entering arc closes.
    sent : int
        The largest flow around this cycle.
    leaving : int
        The lower node of the leaving arc.
    below_tail : bool
        Whether the leaving arc is on the side of `tail`.
    """
    # Of several saturated arcs, the last one on the way around the cycle from its top leaves. This
    # keeps the tree strongly feasible.
    unlimited = np.iinfo(np.int64).max
    tail_limit = head_limit = unlimited
    tail_end, head_end = tail, head
    # First climb from the deeper end, then from both ends in step: choosing one of them at each
    # step would be a branch that is mispredicted half of the time.
    for _ in range(tree.depth[tail] - tree.depth[head]):
        flow = tree.flow[tail] if tree.upward[tail] else unlimited
        if flow < tail_limit:
            tail_limit, tail_end = flow, tail
        tail = tree.parent[tail]
    for _ in range(tree.depth[head] - tree.depth[tail]):
        flow = unlimited if tree.upward[head] else tree.flow[head]
        if flow <= head_limit:
            head_limit, head_end = flow, head
        head = tree.parent[head]
    while tail != head:
        flow = tree.flow[tail] if tree.upward[tail] else unlimited
        if flow < tail_limit:
            tail_limit, tail_end = flow, tail
        flow = unlimited if tree.upward[head] else tree.flow[head]
        if flow <= head_limit:
            head_limit, head_end = flow, head
        tail, head = tree.parent[tail], tree.parent[head]
    if head_limit <= tail_limit:
        return head, head_limit, head_end, False
    return tail, tail_limit, tail_end, True


@compiled_into_callers
def _decrease_flow(tree: Tree, node: int, top: int, amount: int) -> None:
    """Send `amount` less flow up from `node` to `top`; arcs that lead down carry more."""
    while node != top:
        tree.flow[node] += -amount if tree.upward[node] else amount
        node = tree.parent[node]


@compiled_into_callers
def _reroot(
    tree: Tree, node: int, parent: int, arc: int, upward: bool, flow: int, last: int
) -> None:
    """Attach `node` below `parent` by `arc`, and reverse the path from `node` up to `last`.

    `upward` and `flow` are the direction and the flow of `arc`.
    """
    while True:
        above = tree.parent[node]
        old_arc, old_upward, old_flow = tree.arc[node], tree.upward[node], tree.flow[node]
        _remove_child(tree, above, node)
        _insert_child(tree, parent, node)
        tree.parent[node] = parent
        tree.arc[node], tree.upward[node], tree.flow[node] = arc, upward, flow
        if node == last:
            return
        arc, upward, flow = old_arc, not old_upward, old_flow
        parent, node = node, above


@compiled_into_callers
def _insert_child(tree: Tree, parent: int, node: int) -> None:
    """Insert `node` as the first child of `parent`."""
    old_first = tree.first_child[parent]
    tree.next_sibling[node], tree.previous_sibling[node] = old_first, len(tree.parent) - 1
    tree.previous_sibling[old_first], tree.first_child[parent] = node, node


@compiled_into_callers
def _remove_child(tree: Tree, parent: int, node: int) -> None:
    """Remove `node` from the children of `parent`."""
    previous_sibling, next_sibling = tree.previous_sibling[node], tree.next_sibling[node]
    if tree.first_child[parent] == node:
        tree.first_child[parent] = next_sibling
    tree.next_sibling[previous_sibling], tree.previous_sibling[next_sibling] = (
        next_sibling,
        previous_sibling,
    )


@compiled_into_callers
def _shift_subtree(
    tree: Tree, top: int, potential: float, penalty: int, queue: NDArray[np.uint32]
) -> None:
    """Add `potential` and `penalty` to the potentials of `top` and below, and update the depths.

    `queue` is working memory for all nodes.
    """
    # Nodes are visited breadth-first: the next ones are then known long before they are visited, so
    # a processor reads many at once. A node's first child and next sibling are always written to
    # the queue, and the next write replaces a null: a branch would often be mispredicted.
    null = len(tree.parent) - 1
    tree.potential[top] += potential
    tree.penalty[top] += penalty
    tree.depth[top] = tree.depth[tree.parent[top]] + 1
    queue[0] = tree.first_child[top]
    number = 1 if queue[0] != null else 0
    visited = 0
    while visited < number:
        node = queue[visited]
        visited += 1
        tree.potential[node] += potential
        if penalty != 0:
            tree.penalty[node] += penalty
        tree.depth[node] = tree.depth[tree.parent[node]] + 1
        child, sibling = tree.first_child[node], tree.next_sibling[node]
        queue[number] = child
        number += child != null
        queue[number] = sibling
        number += sibling != null
