//? recognised: whole branch
//? why: Goes on up the branch as long as the parent has no other child. What is near the trunk was used by more texts, and perhaps just now.

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
        let Some(oldest) = all.min_by_key(|number| nodes[*number].used) else { break };
        let mut next = Some(oldest);
        while let Some(number) = next {
            if children[number] > 0 || nodes[number].holders > 0 || gone.len() == wanted {
                break;
            }
            gone.push(number);
            next = nodes[number].parent;
            if let Some(parent) = next {
                children[parent] -= 1;
            }
        }
    }
    gone
}
