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
    use exercise_kit::explained::{Mistake, as_written, ask_all};
    use exercise_kit::prefix::Node;
    use exercise_kit::{Checked, Random};

    struct Given {
        nodes: Vec<Node>,
        wanted: usize,
    }

    type Gone = Vec<usize>;

    pub fn check(evicted: fn(&[Node], usize) -> Vec<usize>) -> Checked {
        let case = |given: &Given| {
            let nodes: Vec<String> = given.nodes.iter().enumerate().map(told).collect();
            format!("{} wanted, of {}", given.wanted, nodes.join("; "))
        };
        let answer = |given: &Given| evicted(&given.nodes, given.wanted);
        ask_all(given(), case, answer, right, &mistakes(), as_written)
    }

    fn told((number, node): (usize, &Node)) -> String {
        let parent = node.parent.map_or("a root".into(), |parent| format!("behind {parent}"));
        let held = match node.holders {
            0 => String::new(),
            holders => format!(", held by {holders}"),
        };
        format!("{number}: {parent}, used at {}{held}", node.used)
    }

    /// The first ones can be drawn.
    fn given() -> Vec<Given> {
        let node = |parent, used| Node { parent, holders: 0, used };
        let held = |parent, used| Node { parent, holders: 1, used };
        let all = |nodes: &[Node]| Given { nodes: nodes.to_vec(), wanted: nodes.len() };
        let trunk = [
            node(None, 1),
            node(Some(0), 2),
            node(Some(1), 9),
            node(Some(1), 5),
            node(Some(1), 7),
        ];
        let mut given = vec![
            all(&[]),
            all(&[node(None, 4)]),
            all(&[node(None, 6), node(None, 4), node(None, 5)]),
            all(&[node(Some(1), 2), node(None, 1)]),
            all(&[node(None, 1), held(Some(0), 2), node(None, 3)]),
            // What becomes a leaf is older than another leaf, and in the second one it isn't.
            all(&[node(None, 2), node(Some(0), 3), node(None, 9)]),
            all(&[node(None, 8), node(Some(0), 3), node(None, 5)]),
            all(&trunk),
            all(&[node(None, 4), node(None, 4), node(None, 3), node(None, 4)]),
            all(&[Node { holders: 3, ..node(None, 1) }, node(None, 2)]),
            all(&[
                node(None, u64::MAX),
                node(None, 1 << 40),
                node(None, 3),
                node(Some(2), 1 << 32),
            ]),
        ];
        for wanted in 0..4 {
            given.push(Given { nodes: trunk.to_vec(), wanted });
        }
        // As many children as a byte can't count.
        let children = (0..256).map(|used| node(Some(0), 2 + used));
        given.push(all(&[node(None, 1)].into_iter().chain(children).collect::<Vec<_>>()));
        let mut random = Random::new(113);
        for _ in 0..200 {
            given.push(any(&mut random));
        }
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

    /// Which nodes go, in parts that a mistake replaces.
    #[derive(Clone, Copy)]
    struct Way {
        is_held: fn(&Node) -> bool,
        /// Whether it keeps its parent.
        keeps: fn(&Node) -> bool,
        /// How many go before leaves are looked for once more.
        at_once: usize,
        looks_again: bool,
    }

    const RIGHT: Way = Way {
        is_held: |node| node.holders > 0,
        keeps: |_| true,
        at_once: 1,
        looks_again: true,
    };

    fn gone(Given { nodes, wanted }: &Given, way: Way) -> Gone {
        let mut gone: Gone = Vec::new();
        loop {
            let is_leaf = |number: usize| {
                let keeps = |(child, node): (usize, &Node)| {
                    node.parent == Some(number) && !gone.contains(&child) && (way.keeps)(node)
                };
                !nodes.iter().enumerate().any(keeps)
            };
            let may_go = |number: &usize| {
                !gone.contains(number) && is_leaf(*number) && !(way.is_held)(&nodes[*number])
            };
            let mut all: Gone = (0..nodes.len()).filter(may_go).collect();
            all.sort_by_key(|number| (nodes[*number].used, *number));
            let is_last = all.is_empty() || !way.looks_again;
            gone.extend(all.into_iter().take(way.at_once));
            if is_last || gone.len() >= *wanted {
                gone.truncate(*wanted);
                return gone;
            }
        }
    }

    fn right(given: &Given) -> Gone {
        gone(given, RIGHT)
    }

    fn mistakes() -> Vec<Mistake<Given, Gone>> {
        vec![
            ("a node goes before its children: what is in them is of no use without it", |g| {
                gone(g, Way { keeps: |_| false, ..RIGHT })
            }),
            ("nodes become a leaf when their children have gone, and may go then", |g| {
                gone(g, Way { at_once: usize::MAX, looks_again: false, ..RIGHT })
            }),
            ("leaves go in rounds: one that has become a leaf meanwhile may be older", |g| {
                gone(g, Way { at_once: usize::MAX, ..RIGHT })
            }),
            ("a held node is a child too, and its parent is no leaf", |g| {
                gone(g, Way { keeps: |node| node.holders == 0, ..RIGHT })
            }),
            ("one holder is a text already: the tree is not counted", |g| {
                gone(g, Way { is_held: |node| node.holders > 1, ..RIGHT })
            }),
        ]
    }
}
