"""The network simplex for transport over listed pairs, compiled; it can start from any basis.

Nodes are the n rows, the m columns, the root, and last *nobody*, who is the parent, child or
neighbour of a node that has none. Arcs lead from rows to columns. Besides there is an arc between
every node and the root, in either direction, which is not listed: it costs a *penalty*, more than
any sum of costs. Costs and potentials are therefore pairs that are compared penalty first, so that
no large number drowns the small ones.

A basis is a spanning tree. It is *strongly feasible*: from every node some flow could be sent to
the root, so arcs that lead away from the root carry flow. Pivots that keep it so cannot cycle
(Cunningham 1976).

Nodes have unsigned numbers, since for others numba asks at every access whether they count from an
array's end. All that is compiled is in one file, since what it keeps on disk is renewed only when
a function's own file changes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wassay.transport.solvers.compiled import compiled

ROUNDING = 16 * float(np.finfo(np.float64).eps)
"""A reduced cost this small, beside what it is the difference of, is zero."""

UNLISTED = -1


class Arcs(NamedTuple):
    """The listed arcs, each from node `tail` to node `head`."""

    tail: NDArray[np.uint32]
    head: NDArray[np.uint32]
    cost: NDArray[np.float64]


class Tree(NamedTuple):
    """For every node: how it hangs below its parent, and its potential.

    Attributes
    ----------
    parent : ndarray of int
    arc : ndarray of int
        To the parent, or UNLISTED.
    upward : ndarray of bool
        Whether it leads to the parent.
    flow : ndarray of int
        On it; all other arcs carry nothing.
    price, penalty : ndarray of float and of int
        The potential. Arcs of the tree cost just what it falls by along them.
    depth : ndarray of int
        Arcs up to the root.
    child, after, before : ndarray of int
        A first child, and the neighbours among the parent's children.
    """

    parent: NDArray[np.uint32]
    arc: NDArray[np.int32]
    upward: NDArray[np.bool_]
    flow: NDArray[np.int64]
    price: NDArray[np.float64]
    penalty: NDArray[np.int32]
    depth: NDArray[np.int32]
    child: NDArray[np.uint32]
    after: NDArray[np.uint32]
    before: NDArray[np.uint32]


@compiled
def initial_tree(supply: NDArray[np.int64], arcs: Arcs, wanted: NDArray[np.uint32]) -> Tree:
    """A strongly feasible tree of the wanted arcs, as far as flow and their number allow.

    Parameters
    ----------
    supply : ndarray of int, shape (n + m,)
        What every node sends, and, where negative, takes; sums to zero.
    arcs : Arcs
    wanted : ndarray of int
        Arcs, best a tree or several; of arcs that close a cycle one is left out.
    """
    root, nobody = np.uint32(len(supply)), np.uint32(len(supply) + 1)
    tree = Tree(
        np.full(nobody + 1, nobody, np.uint32),
        np.full(nobody + 1, UNLISTED, np.int32),
        np.ones(nobody + 1, np.bool_),
        np.zeros(nobody + 1, np.int64),
        np.zeros(nobody + 1),
        np.zeros(nobody + 1, np.int32),
        np.zeros(nobody + 1, np.int32),
        np.full(nobody + 1, nobody, np.uint32),
        np.full(nobody + 1, nobody, np.uint32),
        np.full(nobody + 1, nobody, np.uint32),
    )
    order = _searched(tree, arcs, wanted)
    to_send = supply.copy()
    for node in order[::-1]:
        arc, sent = tree.arc[node], to_send[node]
        leads_up = arc != UNLISTED and arcs.tail[arc] == node
        # An arc that would carry less than nothing, or leads away from the root and carries
        # nothing, is cut: the node hangs from the root then.
        if arc != UNLISTED and (sent >= 0 if leads_up else sent < 0):
            tree.upward[node] = leads_up
            to_send[tree.parent[node]] += sent
        else:
            tree.arc[node], tree.parent[node] = UNLISTED, root
            tree.upward[node] = sent >= 0
        tree.flow[node] = abs(sent)
    for node in order:
        _adopt(tree, tree.parent[node], node)
    reprice(tree, arcs)
    return tree


@compiled
def improve(tree: Tree, arcs: Arcs, start: int, most: int) -> tuple[int, int]:
    """Pivot until no listed arc has a negative reduced cost, or `most` times.

    Arcs are looked at in blocks of about the square root of their number, one after the other; the
    worst of the first block that has any enters.

    Parameters
    ----------
    tree : Tree
        Changed in place.
    arcs : Arcs
    start : int
        Arc at which to begin looking.
    most : int

    Returns
    -------
    tuple of int
        The number of pivots, less than `most` at the optimum, and where looking would go on.
    """
    waiting = np.empty(len(tree.parent), np.uint32)
    for pivots in range(most):
        entering, start = _worst_of_a_block(tree, arcs, start)
        if entering == UNLISTED:
            return pivots, start
        _pivot(tree, arcs, entering, waiting)
    return most, start


@compiled
def reprice(tree: Tree, arcs: Arcs) -> None:
    """Compute potentials and depths from the tree alone, so that no rounding adds up."""
    nobody = len(tree.parent) - 1
    waiting = np.empty(len(tree.parent), np.uint32)
    waiting[0] = nobody - 1
    number = 1
    while number:
        number -= 1
        parent = waiting[number]
        node = tree.child[parent]
        while node != nobody:
            arc, sign = tree.arc[node], 1 if tree.upward[node] else -1
            if arc == UNLISTED:
                tree.price[node], tree.penalty[node] = 0.0, sign
            else:
                tree.price[node] = tree.price[parent] + sign * arcs.cost[arc]
                tree.penalty[node] = tree.penalty[parent]
            tree.depth[node] = tree.depth[parent] + 1
            waiting[number] = node
            number += 1
            node = tree.after[node]


@compiled
def _searched(tree: Tree, arcs: Arcs, wanted: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """All nodes, parents first, after a breadth-first search has set parents and arcs."""
    size = len(tree.parent) - 2
    root, nobody = np.uint32(size), np.uint32(size + 1)
    start = np.zeros(size + 1, np.int64)
    for arc in wanted:
        start[arcs.tail[arc]] += 1
        start[arcs.head[arc]] += 1
    start = np.cumsum(start)
    incident = np.empty(2 * len(wanted), np.uint32)
    for arc in wanted:
        for node in (arcs.tail[arc], arcs.head[arc]):
            start[node] -= 1
            incident[start[node]] = arc
    order = np.empty(size, np.uint32)
    found = 0
    # Not from the end of an arc but from where several meet: flow that is left over there is then
    # sent to the root by itself, and not by way of one of the ends.
    for fewest in (2, 0):
        for first in range(size):
            arcs_there = start[first + 1] - start[first]
            if tree.parent[first] != nobody or arcs_there < fewest:
                continue
            tree.parent[first] = root
            order[found] = first
            looked_at, found = found, found + 1
            while looked_at < found:
                node = order[looked_at]
                looked_at += 1
                for place in range(start[node], start[node + 1]):
                    arc = incident[place]
                    other = arcs.head[arc] if arcs.tail[arc] == node else arcs.tail[arc]
                    if tree.parent[other] == nobody:
                        tree.parent[other], tree.arc[other] = node, arc
                        order[found] = other
                        found += 1
    return order


@compiled
def _worst_of_a_block(tree: Tree, arcs: Arcs, start: int) -> tuple[int, int]:
    number = len(arcs.cost)
    block = int(np.sqrt(number)) + 1
    worst, penalty, price = UNLISTED, 0, 0.0
    arc, left = start, block
    for _ in range(number):
        tail, head = arcs.tail[arc], arcs.head[arc]
        own_penalty = tree.penalty[head] - tree.penalty[tail]
        if own_penalty <= penalty:
            cost, from_tail, to_head = arcs.cost[arc], tree.price[tail], tree.price[head]
            own = cost - from_tail + to_head
            if own_penalty < penalty or own < price:
                size = abs(cost) + abs(from_tail) + abs(to_head)
                if own_penalty < 0 or own < -ROUNDING * size:
                    worst, penalty, price = arc, own_penalty, own
        arc += 1
        if arc == number:
            arc = 0
        left -= 1
        if left == 0:
            if worst != UNLISTED:
                break
            left = block
    return worst, arc


@compiled
def _pivot(tree: Tree, arcs: Arcs, entering: int, waiting: NDArray[np.uint32]) -> None:
    """Send flow around the cycle that an arc closes, and drop the arc that this empties.

    Of several the last on the way around from the cycle's top is dropped, which keeps the tree
    strongly feasible.
    """
    tail, head = arcs.tail[entering], arcs.head[entering]
    top, sent, leaving, below_tail = _bottleneck(tree, tail, head)
    if sent > 0:
        _send(tree, tail, top, sent)
        _send(tree, head, top, -sent)
    price = arcs.cost[entering] - tree.price[tail] + tree.price[head]
    penalty = tree.penalty[head] - tree.penalty[tail]
    if below_tail:
        _rehang(tree, tail, head, entering, True, sent, leaving)
        _reprice_below(tree, tail, price, penalty, waiting)
    else:
        _rehang(tree, head, tail, entering, False, sent, leaving)
        _reprice_below(tree, head, -price, -penalty, waiting)


@compiled
def _bottleneck(tree: Tree, tail: int, head: int) -> tuple[int, int, int, bool]:
    """The cycle's top, what can be sent around, and the node below whose parent it ends."""
    most_by_tail = most_by_head = np.iinfo(np.int64).max
    first_by_tail, last_by_head = tail, head
    while tail != head:
        if tree.depth[tail] >= tree.depth[head]:
            if tree.upward[tail] and tree.flow[tail] < most_by_tail:
                most_by_tail, first_by_tail = tree.flow[tail], tail
            tail = tree.parent[tail]
        else:
            if not tree.upward[head] and tree.flow[head] <= most_by_head:
                most_by_head, last_by_head = tree.flow[head], head
            head = tree.parent[head]
    if most_by_head <= most_by_tail:
        return head, most_by_head, last_by_head, False
    return tail, most_by_tail, first_by_tail, True


@compiled
def _send(tree: Tree, node: int, top: int, amount: int) -> None:
    """Take an amount from what flows from a node up to the top."""
    while node != top:
        tree.flow[node] += -amount if tree.upward[node] else amount
        node = tree.parent[node]


@compiled
def _rehang(
    tree: Tree, node: int, parent: int, arc: int, upward: bool, flow: int, last: int
) -> None:
    """Hang a node below another parent by an arc, and what was above it, up to `last`, below it."""
    while True:
        above = tree.parent[node]
        old_arc, old_upward, old_flow = tree.arc[node], tree.upward[node], tree.flow[node]
        _disown(tree, above, node)
        _adopt(tree, parent, node)
        tree.parent[node] = parent
        tree.arc[node], tree.upward[node], tree.flow[node] = arc, upward, flow
        if node == last:
            return
        arc, upward, flow = old_arc, not old_upward, old_flow
        parent, node = node, above


@compiled
def _adopt(tree: Tree, parent: int, node: int) -> None:
    """Make a node the first among a parent's children."""
    eldest = tree.child[parent]
    tree.after[node], tree.before[node] = eldest, len(tree.parent) - 1
    tree.before[eldest], tree.child[parent] = node, node


@compiled
def _disown(tree: Tree, parent: int, node: int) -> None:
    """Take a node from among a parent's children."""
    before, after = tree.before[node], tree.after[node]
    if tree.child[parent] == node:
        tree.child[parent] = after
    tree.after[before], tree.before[after] = after, before


@compiled
def _reprice_below(
    tree: Tree, top: int, price: float, penalty: int, waiting: NDArray[np.uint32]
) -> None:
    """Add to the potentials of a node and of all below it, and set their depths."""
    nobody = len(tree.parent) - 1
    tree.price[top] += price
    tree.penalty[top] += penalty
    tree.depth[top] = tree.depth[tree.parent[top]] + 1
    waiting[0] = top
    number = 1
    while number:
        number -= 1
        parent = waiting[number]
        depth = tree.depth[parent] + 1
        node = tree.child[parent]
        while node != nobody:
            tree.price[node] += price
            if penalty != 0:
                tree.penalty[node] += penalty
            tree.depth[node] = depth
            if tree.child[node] != nobody:
                waiting[number] = node
                number += 1
            node = tree.after[node]
