//? title: What may leave a tree of blocks, and in which order
//? page: ch11/tree.md
//? section: What goes
//? level: core
//? minutes: 35
//? call: check(evicted)
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

// The blocks of a prefix cache are the nodes of trees: a node's text goes on where its parent's ends, and what is in a
// block is of no use without all blocks before it. When the room is full, some have to go. Return the numbers of the
// nodes that go, in their order, one after the other until `wanted` of them are gone, or no more may go:
//
// - A node may go if it is a leaf, so that no node that's still there has it as its parent, and if no text holds
//   its block (`holders` is 0; the tree isn't counted).
// - Of those that may go, the one goes that was used longest ago. If two were used at the same time, it's the one with the
//   smaller number.
// - After that, another one may be a leaf.
//
// `Node` is in `exercise_kit::prefix`. A parent may have a larger number than its children, and it may have been used at
// any time. There can be several trees, or none.

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

//-- check
pub mod check {
    use exercise_kit::explained::{as_written, ask_each};
    use exercise_kit::prefix::Node;
    use exercise_kit::{Checked, Random};

    struct Given {
        nodes: Vec<Node>,
        wanted: usize,
    }

    type Gone = Vec<usize>;

    pub fn check(evicted: fn(&[Node], usize) -> Vec<usize>) -> Checked {
        let case = |(_, given): &(&str, Given)| {
            let nodes: Vec<String> =
                given.nodes.iter().enumerate().map(told).take(20).collect();
            format!("{} wanted, of {}", given.wanted, nodes.join("; "))
        };
        let answer = |(_, given): &(&str, Given)| evicted(&given.nodes, given.wanted);
        ask_each(given(), case, answer, |(_, given)| right(given), likely, as_written)
    }

    fn told((number, node): (usize, &Node)) -> String {
        let parent = node.parent.map_or("a root".into(), |parent| format!("behind {parent}"));
        let held = match node.holders {
            0 => String::new(),
            holders => format!(", held by {holders}"),
        };
        format!("{number}: {parent}, used at {}{held}", node.used)
    }

    /// The first ones can be drawn. In each, one thing more can go wrong.
    fn given() -> Vec<(&'static str, Given)> {
        let node = |parent, used| Node { parent, holders: 0, used };
        let held = |parent, used| Node { parent, holders: 1, used };
        let all = |likely, nodes: &[Node]| {
            (likely, Given { nodes: nodes.to_vec(), wanted: nodes.len() })
        };
        let mut given = vec![
            all("", &[node(None, 6), node(None, 4), node(None, 5)]),
            all(
                "one holder is a text already: the tree is not counted",
                &[node(None, 1), held(None, 2)],
            ),
            all(
                "a node goes before its children: what is in them is of no use without it",
                &[node(None, 1), node(Some(0), 2)],
            ),
            all(
                "a held node is a child too, and its parent is no leaf",
                &[node(None, 1), held(Some(0), 2)],
            ),
            all(
                "leaves go in rounds: one that has become a leaf meanwhile may be older",
                &[node(None, 2), node(Some(0), 3), node(None, 9)],
            ),
            all("", &[node(None, u64::MAX), node(None, 1 << 40), node(None, 1 << 32)]),
        ];
        let mut random = Random::new(113);
        given.extend((0..200).map(|_| ("", any(&mut random))));
        let mut wide = vec![node(None, 1)];
        wide.extend((0..600).map(|i| node(Some(0), i % 7 + 2)));
        given.push(all("", &wide));
        given
    }

    /// A few trees. Their nodes are numbered in any order.
    fn any(random: &mut Random) -> Given {
        let count = random.below(12);
        let mut numbers: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            numbers.swap(last, random.below(last + 1));
        }
        let mut nodes = vec![Node { parent: None, holders: 0, used: 0 }; count];
        for at in 0..count {
            let parent = random.below(at + 1);
            nodes[numbers[at]] = Node {
                parent: (parent < at).then(|| numbers[parent]),
                holders: [0, 0, 0, 0, 1, 2][random.below(6)],
                used: random.below(9) as u64,
            };
        }
        Given { nodes, wanted: random.below(count + 3) }
    }

    fn right(Given { nodes, wanted }: &Given) -> Gone {
        let mut gone = Gone::new();
        while gone.len() < *wanted {
            let mut stays = vec![false; nodes.len()];
            for (number, node) in nodes.iter().enumerate() {
                let is_there = !gone.contains(&number);
                stays[number] |= !is_there || node.holders > 0;
                if let Some(parent) = node.parent.filter(|_| is_there) {
                    stays[parent] = true;
                }
            }
            let all = (0..nodes.len()).filter(|number| !stays[*number]);
            let Some(oldest) = all.min_by_key(|number| (nodes[*number].used, *number)) else {
                break;
            };
            gone.push(oldest);
        }
        gone
    }

    /// Nothing was wrong but the order, or what went at all.
    fn likely(
        (reason, given): &(&'static str, Given),
        expected: &Gone,
        found: Option<&Gone>,
    ) -> &'static str {
        let is_parent =
            |number: &usize| given.nodes.iter().any(|node| node.parent == Some(*number));
        match found {
            Some(found)
                if expected.starts_with(found)
                    && expected[found.len()..].iter().any(is_parent) =>
            {
                "nodes become a leaf when their children have gone, and may go then"
            }
            _ => reason,
        }
    }
}
