use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Bound::{Included, Unbounded};
use std::sync::Arc;

use ground::text::{one_line, visible};
use ground::tokenizer::Tokenizer;

use crate::block_pool::{Block, BlockPool};
use crate::block_table::BlockTable;
use ch08_f16_cache::context::common_beginning;
use ch08_f16_cache::kernels::BLOCK_SIZE;

/// The rows of texts that were computed, each owner's apart. Texts that begin alike have the same blocks, as far as that goes.
pub struct PrefixCache {
    pool: Arc<BlockPool>,
    owners: Vec<Children>,
    time: u64,      // counts what is found and entered
    pub walks: u64, // through all of it, to forget something
}

/// By their tokens, in order. Only after 64 of them a text can go on.
type Children = BTreeMap<Box<[u32]>, Node>;

struct Node {
    block: Arc<Block>,
    used: u64, // the last time
    children: Children,
}

/// In the order in which blocks are forgotten: whether it's in use, when it was used last, and how deep it is. Whoever uses a
/// block uses those before it, too, so it comes before them.
type Age = (bool, u64, Reverse<usize>);

impl PrefixCache {
    pub fn new(pool: &Arc<BlockPool>, owners: usize) -> PrefixCache {
        let owners = (0..owners).map(|_| Children::new()).collect();
        PrefixCache { pool: pool.clone(), owners, time: 0, walks: 0 }
    }

    /// The rows of as many of these tokens as any of the owner's texts begins with.
    pub fn match_prefix(&mut self, owner: usize, ids: &[u32]) -> BlockTable {
        self.time += 1;
        let (mut blocks, mut length) = (Vec::new(), 0);
        let mut children = &mut self.owners[owner];
        while let Some((common, node)) = nearest(children, &ids[length..]) {
            node.used = self.time;
            blocks.push(node.block.clone());
            length += common;
            if common < BLOCK_SIZE {
                break;
            }
            children = &mut node.children;
        }
        BlockTable::with(&self.pool, blocks, length)
    }

    /// Takes over the blocks of a text that aren't here yet. For one that is, the table gets ours, and its own goes.
    pub fn insert(&mut self, owner: usize, ids: &[u32], table: &mut BlockTable) {
        self.time += 1;
        let mut children = &mut self.owners[owner];
        let ids = &ids[..ids.len().min(table.length())];
        for (tokens, block) in ids.chunks(BLOCK_SIZE).zip(table.blocks_mut()) {
            if !children.contains_key(tokens) {
                if tokens.len() < BLOCK_SIZE && Arc::strong_count(block) > 1 {
                    return; // a beginning of another text's block
                }
                // Shorter beginnings of it are of no more use.
                for length in 1..tokens.len() {
                    if children.get(&tokens[..length]).is_some_and(|node| !node.is_used()) {
                        children.remove(&tokens[..length]);
                    }
                }
                let node = Node { block: block.clone(), used: 0, children: Children::new() };
                children.insert(tokens.into(), node);
            }
            let node = children.get_mut(tokens).expect("it is here now");
            node.used = self.time;
            *block = node.block.clone();
            children = &mut node.children;
        }
    }

    /// Forgets so many blocks from the ends of texts, and says whether there was one. Of those that nobody is using, it's
    /// those that were used longest ago; if all are in use, it's one, the oldest of all, if that is wanted: it gives no block
    /// back.
    pub fn evict(&mut self, count: usize, in_use: bool) -> bool {
        self.walks += 1;
        let mut ages = Vec::new();
        self.owners.iter().for_each(|children| list_ages(children, 0, &mut ages));
        let idle = ages.iter().filter(|(is_used, ..)| !is_used).count();
        if ages.is_empty() || (idle == 0 && !in_use) {
            return false;
        }
        let (_, &mut last, _) = ages.select_nth_unstable(count.min(idle).max(1) - 1);
        self.owners.iter_mut().for_each(|children| forget(children, 0, last));
        true
    }

    /// All of an owner's texts, a line for each block.
    pub fn draw(&self, owner: usize, tokenizer: &Tokenizer) -> String {
        let mut lines = String::new();
        list(&self.owners[owner], 0, tokenizer, &mut lines);
        lines
    }
}

impl Node {
    fn is_used(&self) -> bool {
        Arc::strong_count(&self.block) > 1
    }

    fn age(&self, depth: usize) -> Age {
        (self.is_used(), self.used, Reverse(depth))
    }
}

/// The child that begins most like `rest`, if any does, and how far. In order, it's one of two neighbours.
fn nearest<'a>(children: &'a mut Children, rest: &[u32]) -> Option<(usize, &'a mut Node)> {
    let before = children.range::<[u32], _>((Unbounded, Included(rest))).next_back();
    let after = children.range::<[u32], _>((Included(rest), Unbounded)).next();
    let known = [before, after].into_iter().flatten();
    let known = known.map(|(tokens, _)| (common_beginning(tokens, rest), tokens.clone()));
    let (common, tokens) = known.max().filter(|(common, _)| *common > 0)?;
    Some((common, children.get_mut(&tokens)?))
}

fn list_ages(children: &Children, depth: usize, ages: &mut Vec<Age>) {
    for node in children.values() {
        ages.push(node.age(depth));
        list_ages(&node.children, depth + 1, ages);
    }
}

/// Drops what comes before `last`, and `last` itself.
fn forget(children: &mut Children, depth: usize, last: Age) {
    children.retain(|_, node| {
        forget(&mut node.children, depth + 1, last);
        node.age(depth) > last
    });
}

fn list(children: &Children, depth: usize, tokenizer: &Tokenizer, lines: &mut String) {
    for (tokens, node) in children {
        let bytes =
            tokens.iter().flat_map(|&id| tokenizer.printed_bytes(id).unwrap_or_default());
        let text = String::from_utf8_lossy(&bytes.copied().collect::<Vec<u8>>()).into_owned();
        let users = match Arc::strong_count(&node.block) - 1 {
            0 => String::new(),
            users => format!(", in use by {users}"),
        };
        let text = visible(&one_line(&text, 50));
        let _ = writeln!(lines, "{:1$}{2} tokens{users}: {text}", "", 2 * depth, tokens.len());
        list(&node.children, depth + 1, tokenizer, lines);
    }
}
