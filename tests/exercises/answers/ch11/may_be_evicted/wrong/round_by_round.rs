//? recognised: in rounds
//? why: Lets all leaves go in their order, and looks for new ones after that. One that has become a leaf meanwhile may be older than those that still wait.

use exercise_kit::prefix::Node;

pub fn evicted(nodes: &[Node], wanted: usize) -> Vec<usize> {
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
        let mut round: Vec<usize> = all.collect();
        if round.is_empty() {
            break;
        }
        round.sort_by_key(|number| nodes[*number].used);
        round.truncate(wanted - gone.len());
        for number in round {
            gone.push(number);
            if let Some(parent) = nodes[number].parent {
                children[parent] -= 1;
            }
        }
    }
    gone
}
