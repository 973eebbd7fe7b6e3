//? recognised: the tree is not counted
//? why: Takes one holder for the tree, as `Arc::strong_count` would count it. Here that one is a text.

use exercise_kit::prefix::Node;

pub fn evicted(nodes: &[Node], wanted: usize) -> Vec<usize> {
    let mut children = vec![0; nodes.len()];
    for parent in nodes.iter().filter_map(|node| node.parent) {
        children[parent] += 1;
    }
    let mut gone = Vec::new();
    while gone.len() < wanted {
        let may_go = |number: &usize| {
            children[*number] == 0 && nodes[*number].holders <= 1 && !gone.contains(number)
        };
        let all = (0..nodes.len()).filter(may_go);
        let Some(oldest) = all.min_by_key(|number| nodes[*number].used) else { break };
        gone.push(oldest);
        if let Some(parent) = nodes[oldest].parent {
            children[parent] -= 1;
        }
    }
    gone
}
