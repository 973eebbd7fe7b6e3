use ground::tokenizer::Tokenizer;

/// Some tokens of a vocabulary: a bit for each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenSet(Vec<u64>);

impl TokenSet {
    pub fn new(vocab: usize) -> TokenSet {
        TokenSet(vec![0; vocab.div_ceil(64)])
    }

    pub fn insert(&mut self, id: u32) {
        self.0[id as usize / 64] |= 1 << (id % 64);
    }

    pub fn contains(&self, id: u32) -> bool {
        self.0.get(id as usize / 64).is_some_and(|bits| bits >> (id % 64) & 1 == 1)
    }

    pub fn extend(&mut self, others: &TokenSet) {
        self.0.iter_mut().zip(&others.0).for_each(|(bits, more)| *bits |= more);
    }

    /// Makes all other tokens impossible.
    pub fn apply(&self, logits: &mut [f32]) {
        for (index, logits) in logits.chunks_mut(64).enumerate() {
            match self.0.get(index).copied().unwrap_or(0) {
                u64::MAX => {}
                0 => logits.fill(f32::NEG_INFINITY),
                bits => {
                    let all = logits.iter_mut().enumerate();
                    let others = all.filter(|(bit, _)| bits >> bit & 1 == 0);
                    others.for_each(|(_, logit)| *logit = f32::NEG_INFINITY);
                }
            }
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> {
        (0..self.0.len() as u32 * 64).filter(move |&id| self.contains(id))
    }
}

/// The bytes of tokens, with those beginnings that they share once. What goes on from a node comes right after it.
struct Nodes(Vec<Node>);

struct Node {
    byte: u8,
    depth: u32,  // bytes before this one
    token: u32,  // that ends here, or NONE
    behind: u32, // the first node that doesn't go on from this one
}

const NONE: u32 = u32::MAX;

/// The tokens that a text can be made of. Control tokens add nothing to a text, so they aren't among them.
pub struct TokenTrie {
    bytes: Vec<Box<[u8]>>,  // of each token
    twins: Vec<(u32, u32)>, // a token whose bytes are those of another, and the other
    all: Nodes,
    rest: Nodes,          // without the plain ones
    plain: Vec<TokenSet>, // all of whose characters mean themselves in a JSON string, at most so many
    /// No token that isn't plain has more characters before a quote ends the string that they are in.
    pub reach: usize,
}

impl TokenTrie {
    pub fn new(tokenizer: &Tokenizer) -> TokenTrie {
        let bytes = |id| tokenizer.printed_bytes(id).unwrap_or_default().into();
        TokenTrie::of((0..tokenizer.vocab_size() as u32).map(bytes).collect())
    }

    /// Of the bytes of each token, in the order of their ids.
    pub fn of(bytes: Vec<Box<[u8]>>) -> TokenTrie {
        let text = |id: u32| &*bytes[id as usize];
        let mut ids: Vec<u32> = (0..bytes.len() as u32).collect();
        ids.retain(|&id| !text(id).is_empty());
        ids.sort_by_key(|&id| (text(id), id));
        let mut twins = Vec::new();
        ids.dedup_by(|id, first| {
            let is_twin = text(*id) == text(*first);
            twins.extend(is_twin.then_some((*id, *first)));
            is_twin
        });
        let all = Nodes::of(ids.iter().map(|&id| (id, text(id))));
        let (mut plain, mut rest) = (vec![TokenSet::new(bytes.len())], Vec::new());
        let (mut counts, mut reach) = (Vec::new(), 0);
        for id in ids {
            match plain_characters(text(id)) {
                Some(count) => counts.push((count, id)),
                None => {
                    reach = reach.max(string_characters(text(id)));
                    rest.push((id, text(id)));
                }
            }
        }
        let rest = Nodes::of(rest.into_iter());
        counts.sort_unstable();
        for (count, id) in counts {
            while plain.len() <= count {
                plain.push(plain[plain.len() - 1].clone());
            }
            plain[count].insert(id);
        }
        let mut trie = TokenTrie { twins, all, rest, plain: Vec::new(), reach, bytes };
        plain.iter_mut().for_each(|set| trie.add_twins(set));
        trie.plain = plain;
        trie
    }

    pub fn vocab(&self) -> usize {
        self.bytes.len()
    }

    /// What a token adds to the text.
    pub fn bytes(&self, id: u32) -> &[u8] {
        self.bytes.get(id as usize).map_or(&[], |bytes| bytes)
    }

    /// Tokens of at most so many characters, all of which mean themselves in a JSON string.
    pub fn plain(&self, most: usize) -> &TokenSet {
        &self.plain[most.min(self.plain.len() - 1)]
    }

    /// The tokens whose bytes can be taken, one after another, from `start` on; `rest` leaves plain ones out.
    pub fn allowed<S: Copy>(
        &self,
        rest: bool,
        start: S,
        step: impl FnMut(S, u8) -> Option<S>,
    ) -> TokenSet {
        let mut set = TokenSet::new(self.vocab());
        let nodes = if rest { &self.rest } else { &self.all };
        nodes.walk(start, &mut set, step);
        self.add_twins(&mut set);
        set
    }

    fn add_twins(&self, set: &mut TokenSet) {
        for &(id, twin) in &self.twins {
            if set.contains(twin) {
                set.insert(id);
            }
        }
    }
}

impl Nodes {
    /// Of distinct texts in the order of their bytes.
    fn of<'t>(texts: impl Iterator<Item = (u32, &'t [u8])>) -> Nodes {
        let (mut nodes, mut path): (Vec<Node>, Vec<usize>) = Default::default();
        let mut before: &[u8] = &[];
        for (token, text) in texts {
            let shared = text.iter().zip(before).take_while(|(a, b)| a == b).count();
            let end = nodes.len() as u32;
            path.drain(shared..).for_each(|node| nodes[node].behind = end);
            for (depth, &byte) in text.iter().enumerate().skip(shared) {
                path.push(nodes.len());
                nodes.push(Node { byte, depth: depth as u32, token: NONE, behind: 0 });
            }
            nodes.last_mut().expect("it isn't empty").token = token;
            before = text;
        }
        let end = nodes.len() as u32;
        path.into_iter().for_each(|node| nodes[node].behind = end);
        Nodes(nodes)
    }

    fn walk<S: Copy>(
        &self,
        start: S,
        set: &mut TokenSet,
        mut step: impl FnMut(S, u8) -> Option<S>,
    ) {
        let (mut states, mut at) = (vec![start], 0);
        while let Some(node) = self.0.get(at) {
            states.truncate(node.depth as usize + 1);
            match step(states[node.depth as usize], node.byte) {
                Some(state) => {
                    if node.token != NONE {
                        set.insert(node.token);
                    }
                    states.push(state);
                    at += 1;
                }
                None => at = node.behind as usize,
            }
        }
    }
}

/// How many characters, if all of them are whole and mean themselves between the quotes of a JSON string.
fn plain_characters(text: &[u8]) -> Option<usize> {
    let text = std::str::from_utf8(text).ok()?;
    let is_plain = |c: char| c >= ' ' && c != '"' && c != '\\';
    text.chars().all(is_plain).then(|| text.chars().count())
}

/// How many characters of a JSON string it can have at most, before a quote ends that. A control character is in none.
fn string_characters(text: &[u8]) -> usize {
    let (mut count, mut at) = (0, 0);
    while let Some(&byte) = text.get(at).filter(|byte| **byte != b'"') {
        if byte < b' ' {
            return 0;
        }
        at += if byte == b'\\' { 2 } else { 1 };
        count += 1;
    }
    count
}
