//? title: What may leave a tree of blocks, and in which order
//? page: ch11/tree.md
//? section: What goes
//? level: core
//? minutes: 35
//? call: check(answer::evicted)
//? hint 1: Draw a trunk of two nodes with three leaves, give each a time, and let a text hold one of the leaves. Cross out node after node. When does the trunk's second node become a leaf, and does it ever?
//? hint 2: Which nodes may go is another question after each one that has gone, so it has to be asked again each time. For that it's enough to know how many children of each node are still there: a node that somebody holds stays, and so it's a child for ever.
//? hint 3: `let mut children = vec![0; nodes.len()];`, and each node that has a parent adds one there. In a loop: of all nodes that are still there, with no children and `holders == 0`, the one with the smallest `(used, number)`. If there is none, or there are enough, return. Otherwise it goes, and `children` of its parent is one less.
//? why: A block is of use only with everything before it, since its keys and values were computed after those. So a tree
//?   loses its blocks from the ends of its branches, and what's in use keeps all that is before it without holding it: a
//?   held node never goes, so its parent never becomes a leaf. Nobody has to be told what is pinned. The order is by time,
//?   but only among those that may go now, and each one that goes may make its parent one of them, perhaps an older one than
//?   all the others. A list that's sorted once doesn't know that.
//?   The times themselves have to be right, too. In a real cache, a node that was split by a hit kept the time from before it, so
//?   that what had just been used went first.

//! The blocks of a prefix cache are the nodes of trees: a node's text goes on where its parent's ends, and what is in a
//! block is of no use without all blocks before it. When the room is full, some have to go. Return the numbers of the
//! nodes that go, in their order, one after the other until `wanted` of them are gone, or no more may go:
//!
//! - A node may go if it is a leaf, so that no node that's still there has it as its parent, and if no text holds
//!   its block (`holders` is 0; the tree isn't counted).
//! - Of those that may go, the one goes that was used longest ago. If two were used at the same time, it's the one with the
//!   smaller number.
//! - After that, another one may be a leaf.
//!
//! `Node` is in `exercise_kit::prefix`. A parent may have a larger number than its children, and it may have been used at
//! any time. There can be several trees, or none.

use exercise_kit::prefix::Node;

pub fn evicted(nodes: &[Node], wanted: usize) -> Vec<usize> {
    //-- starter
    // todo!()
    //-- solution
    let mut children = vec![0; nodes.len()];
    for parent in nodes.iter().filter_map(|node| node.parent) {
        children[parent] += 1;
    }
    let mut gone = Vec::new();
    while gone.len() < wanted {
        let may_go = |number: &usize| {
            children[*number] == 0 && nodes[*number].holders == 0 && !gone.contains(number)
        };
        let all = (0..nodes.len()).filter(may_go);
        let Some(oldest) = all.min_by_key(|number| nodes[*number].used) else { break };
        gone.push(oldest);
        if let Some(parent) = nodes[oldest].parent {
            children[parent] -= 1;
        }
    }
    gone
    //-- end
}
