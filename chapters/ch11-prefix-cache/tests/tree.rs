//! The tree beside a plain list of all that was entered: what is found, what is forgotten and what is kept is what the
//! list says, and every row that a text has belongs to all of its tokens up to there. No model is needed: a row says of
//! which beginning of which text it is.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, LazyLock};

use ch11_prefix_cache::block_pool::BlockPool;
use ch11_prefix_cache::block_table::BlockTable;
use ch11_prefix_cache::cache::{KvCache, KvType};
use ch11_prefix_cache::kernels::BLOCK_SIZE;
use ch11_prefix_cache::prefix_cache::PrefixCache;
use ground::config::Config;
use ground::random::SplitMix64;
use ground::tokenizer::Tokenizer;
use ndarray::Array2;
use proptest::prelude::*;
use test_support::qwen3_0_6b;

const LAYERS: usize = 2;
const HEAD_DIM: usize = 4; // one head: a row is as wide
const OWNERS: usize = 2;

fn pool_of(blocks: usize) -> Arc<BlockPool> {
    let config = Config { layers: LAYERS, kv_heads: 1, head_dim: HEAD_DIM, ..qwen3_0_6b() };
    BlockPool::new(&config, KvType::F32, blocks)
}

/// For each token what all of them up to there come to: texts that differ before it have another.
fn beginnings(ids: &[u32]) -> Vec<u64> {
    let mut all = 0;
    let mut add = |&id: &u32| {
        all = SplitMix64::number(all, u64::from(id) + 1);
        all
    };
    ids.iter().map(&mut add).collect()
}

/// The numbers of a row in a layer: keys or values.
fn number(beginning: u64, layer: usize, part: usize, column: usize) -> f32 {
    let place = (layer * 2 + part) * HEAD_DIM + column;
    (SplitMix64::number(beginning, place as u64) >> 40) as f32
}

/// Computes the rows of the tokens that it has none of, in so many layers: if these aren't all, the pass ends early.
fn compute(table: &mut BlockTable, ids: &[u32], layers: usize) {
    let (length, beginnings) = (table.length(), beginnings(ids));
    let new = &beginnings[length..];
    for layer in 0..layers.min(LAYERS) {
        let [k, v] = [0, 1].map(|part| {
            Array2::from_shape_fn((new.len(), HEAD_DIM), |(row, column)| {
                number(new[row], layer, part, column)
            })
        });
        table.write(layer, (k.view(), v.view())).expect("it is reserved");
    }
    if layers >= LAYERS {
        table.advance(new.len());
    }
}

fn assert_rows(table: &BlockTable, ids: &[u32], what: &str) {
    let beginnings = beginnings(&ids[..table.length()]);
    for (index, beginnings) in beginnings.chunks(BLOCK_SIZE).enumerate() {
        for layer in 0..LAYERS {
            let block = table.block(layer, index).expect("it has these rows");
            let found = block.rows(beginnings.len(), 1, HEAD_DIM);
            for (part, found) in found.iter().enumerate() {
                for ((row, column), &found) in found.indexed_iter() {
                    let expected = number(beginnings[row], layer, part, column);
                    let row = index * BLOCK_SIZE + row;
                    assert!(found == expected, "{what}: a wrong row: {row}, layer {layer}");
                }
            }
        }
    }
}

/// Rows that others have computed, and no more of them than were found.
fn assert_hit(table: &BlockTable, ids: &[u32], what: &str) {
    assert_rows(table, ids, what);
    for (index, these) in ids[..table.length()].chunks(BLOCK_SIZE).enumerate() {
        let block = table.block(0, index).expect("it has these rows");
        assert_eq!(block.rows, these.len(), "{what}: rows of another text");
    }
}

fn common(a: &[u32], b: &[u32]) -> usize {
    (0..a.len().min(b.len())).find(|&at| a[at] != b[at]).unwrap_or(a.len().min(b.len()))
}

/// A text that is being written.
struct Text {
    owner: usize,
    ids: Vec<u32>,
    table: BlockTable,
}

impl Text {
    /// Which blocks it has: where they are.
    fn places(&mut self) -> Vec<usize> {
        self.table.blocks_mut().iter().map(|block| Arc::as_ptr(block).addr()).collect()
    }
}

/// A block in the tree, as the list has it.
#[derive(Clone, Debug)]
struct Entry {
    path: Vec<u32>, // all tokens up to the block's last
    place: usize,
    used: u64,
}

impl Entry {
    fn parent(&self) -> &[u32] {
        &self.path[..(self.path.len() - 1) / BLOCK_SIZE * BLOCK_SIZE]
    }
}

/// The tree, texts that use it, and what is expected of both.
struct World {
    pool: Arc<BlockPool>,
    prefix_cache: PrefixCache,
    texts: Vec<Text>,
    asked: Vec<Vec<u32>>,             // all texts so far
    entered: [Vec<Vec<u32>>; OWNERS], // all that was ever entered
    entries: [Vec<Entry>; OWNERS],    // what is there now
    time: u64,
    has_forgotten: bool,
}

impl World {
    fn new(blocks: usize) -> World {
        let pool = pool_of(blocks);
        World {
            prefix_cache: PrefixCache::new(&pool, OWNERS),
            pool,
            texts: Vec::new(),
            asked: Vec::new(),
            entered: Default::default(),
            entries: Default::default(),
            time: 0,
            has_forgotten: false,
        }
    }

    fn users(&mut self, place: usize) -> usize {
        let has = |text: &mut Text| text.places().iter().filter(|at| **at == place).count();
        self.texts.iter_mut().map(has).sum()
    }

    /// A new text, with the rows that are found of its tokens.
    fn find(&mut self, owner: usize, ids: &[u32], what: &str) -> usize {
        let before = self.pool.in_use();
        let table = self.prefix_cache.match_prefix(owner, ids);
        let found = table.length();
        self.time += 1;
        assert_eq!(self.pool.in_use(), before, "{what}: nothing is copied to find something");
        let longest = |texts: &mut dyn Iterator<Item = &Vec<u32>>| {
            texts.map(|text| common(text, ids)).max().unwrap_or(0)
        };
        let here = longest(&mut self.entries[owner].iter().map(|entry| &entry.path));
        assert_eq!(found, here, "{what}: the longest common beginning");
        let ever = longest(&mut self.entered[owner].iter());
        assert!(found <= ever, "{what}: more than was ever entered");
        assert!(found == ever || self.has_forgotten, "{what}: {ever} were entered once");
        assert_hit(&table, ids, what);
        let mut text = Text { owner, ids: ids.to_vec(), table };
        // Which blocks were used is what the tree says, as long as these have the rows.
        let places = text.places();
        assert_eq!(places.len(), found.div_ceil(BLOCK_SIZE), "{what}: blocks of the hit");
        for (index, place) in places.into_iter().enumerate() {
            let known = &ids[..found.min((index + 1) * BLOCK_SIZE)];
            let is_it = |entry: &&mut Entry| entry.place == place;
            let entry = self.entries[owner].iter_mut().find(is_it);
            let entry = entry.unwrap_or_else(|| panic!("{what}: a block that isn't here"));
            assert!(entry.path.starts_with(known), "{what}: another text's block");
            entry.used = self.time;
        }
        self.asked.push(ids.to_vec());
        self.texts.push(text);
        found
    }

    /// Room for the rest of a text, as the engine makes it. If there is none, nothing happens.
    fn reserve(&mut self, which: usize, what: &str) -> bool {
        loop {
            let text = &mut self.texts[which];
            let (new, before) = (text.ids.len() - text.table.length(), self.pool.in_use());
            if text.table.reserve(new).is_ok() {
                return true;
            }
            assert_eq!(self.pool.in_use(), before, "{what}: refused, and nothing is taken");
            let lacks = text.table.lacks(new);
            if !self.evict(lacks, what) {
                return false;
            }
        }
    }

    fn enter(&mut self, which: usize, what: &str) {
        self.time += 1;
        let text = &mut self.texts[which];
        let (owner, ids) = (text.owner, text.ids[..text.table.length()].to_vec());
        let before = text.places();
        self.prefix_cache.insert(owner, &ids, &mut text.table);
        let after = text.places();
        assert_eq!((before.len(), text.table.length()), (after.len(), ids.len()), "{what}");
        for (index, chunk) in ids.chunks(BLOCK_SIZE).enumerate() {
            let path = ids[..index * BLOCK_SIZE + chunk.len()].to_vec();
            let known = self.entries[owner].iter().position(|entry| entry.path == path);
            if let Some(known) = known {
                let entry = &mut self.entries[owner][known];
                entry.used = self.time;
                assert_eq!(after[index], entry.place, "{what}: two copies of block {index}");
                continue;
            }
            let place = before[index];
            assert_eq!(after[index], place, "{what}: block {index} is another");
            let others = self.users(place) > 1;
            let is_here = self.entries.iter().flatten().any(|entry| entry.place == place);
            if chunk.len() < BLOCK_SIZE && (others || is_here) {
                break; // a longer text's block
            }
            // A beginning that nobody uses makes room for what begins like it.
            let idle: Vec<usize> =
                self.entries[owner].iter().map(|entry| entry.place).collect();
            let idle: HashSet<usize> =
                idle.into_iter().filter(|&place| self.users(place) == 0).collect();
            self.entries[owner].retain(|entry| {
                let is_shorter = path.starts_with(&entry.path)
                    && entry.parent() == &path[..index * BLOCK_SIZE]
                    && entry.path.len() < path.len();
                !(is_shorter && idle.contains(&entry.place))
            });
            self.entries[owner].push(Entry { path, place, used: self.time });
        }
        self.entered[owner].push(ids);
    }

    /// One leaf after the other, each the oldest of those that nobody uses; only the first may be in use.
    fn evict(&mut self, count: usize, what: &str) -> bool {
        let (mut gone, mut freed) = (0, 0);
        while gone < count {
            let mut leaves = Vec::new();
            for owner in 0..OWNERS {
                for entry in self.entries[owner].clone() {
                    let goes_on = |other: &Entry| other.parent() == entry.path;
                    if !self.entries[owner].iter().any(goes_on) {
                        leaves.push((self.users(entry.place) > 0, entry.used, entry.place));
                    }
                }
            }
            let goes = leaves.into_iter().min().filter(|(is_used, ..)| gone == 0 || !is_used);
            let Some((is_used, _, place)) = goes else { break };
            (gone, freed) = (gone + 1, freed + usize::from(!is_used));
            self.entries.iter_mut().for_each(|all| all.retain(|entry| entry.place != place));
            self.has_forgotten = true;
            if is_used {
                break;
            }
        }
        let before = self.pool.in_use();
        assert_eq!(self.prefix_cache.evict(count), gone > 0, "{what}: whether there was one");
        assert_eq!(before - self.pool.in_use(), freed, "{what}: idle ones go first");
        gone > 0
    }

    /// What is true at all times.
    fn assert_all(&mut self, what: &str) {
        let mut users: BTreeMap<usize, (usize, usize)> = BTreeMap::new(); // tables, entries
        for text in &mut self.texts {
            text.places().into_iter().for_each(|place| users.entry(place).or_default().0 += 1);
        }
        for entry in self.entries.iter().flatten() {
            users.entry(entry.place).or_default().1 += 1;
        }
        assert_eq!(self.pool.in_use(), users.len(), "{what}: blocks in use");
        assert!(self.pool.in_use() <= self.pool.blocks, "{what}: more than there are");
        assert!(users.values().all(|(_, entries)| *entries <= 1), "{what}: a block twice");
        for text in &mut self.texts {
            for block in text.table.blocks_mut() {
                let (tables, entries) = users[&Arc::as_ptr(block).addr()];
                assert_eq!(Arc::strong_count(block), tables + entries, "{what}: who has it");
            }
            assert_rows(&text.table, &text.ids, what);
        }
        for owner in 0..OWNERS {
            let mut entries: Vec<&Entry> = self.entries[owner].iter().collect();
            entries.sort_by(|a, b| a.path.cmp(&b.path));
            let lines: String = entries
                .iter()
                .map(|entry| drawn(entry, users[&entry.place].0) + "\n")
                .collect();
            assert_eq!(
                self.prefix_cache.draw(owner, &TOKENIZER),
                lines,
                "{what}: what is drawn"
            );
        }
    }
}

static TOKENIZER: LazyLock<Tokenizer> = LazyLock::new(|| {
    let file = ground::embedded::tiny_qwen3().expect("it opens");
    Tokenizer::from_gguf(&file).expect("it has one")
});

/// Tokens of one letter each.
static LETTERS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let is = |id: u32, letter: u8| TOKENIZER.printed_bytes(id).is_ok_and(|it| it == [letter]);
    let id = |letter: u8| (0..4000).find(|&id| is(id, letter)).expect("a token for a letter");
    (b'a'..=b'c').map(id).collect()
});

/// The line of a block: its last tokens, of which 50 letters are shown.
fn drawn(entry: &Entry, users: usize) -> String {
    let depth = entry.parent().len() / BLOCK_SIZE;
    let tokens = &entry.path[entry.parent().len()..];
    let letter =
        |id: &u32| LETTERS.iter().position(|letter| letter == id).map(|at| b'a' + at as u8);
    let text: Vec<u8> = tokens.iter().filter_map(letter).take(50).collect();
    let users = if users > 0 { format!(", in use by {users}") } else { String::new() };
    let more = match tokens.len().saturating_sub(50) {
        0 => String::new(),
        more => format!("... and {more} more bytes"),
    };
    let text = String::from_utf8(text).expect("letters");
    format!("{}{} tokens{users}: {text}{more}", "  ".repeat(depth), tokens.len())
}

/// What can happen to a tree.
#[derive(Clone, Debug)]
enum Move {
    /// A text that begins as an earlier one does, asked by this owner: what is found, and nothing more.
    Find {
        owner: usize,
        like: usize,
        up_to: usize,
        more: usize,
        seed: u64,
    },
    /// So many more tokens, and their rows; of a pass that ends early only in some layers.
    Compute {
        text: usize,
        more: usize,
        seed: u64,
        layers: usize,
    },
    Enter {
        text: usize,
    },
    Evict(usize),
    Drop {
        text: usize,
    },
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let count = || prop::sample::select(vec![0, 1, 1, 2, 5, 40, 62, 63, 64, 65, 66, 128, 130]);
    let find = (0..OWNERS, any::<usize>(), prop_oneof![count(), 0..260usize], count(), 0..9u64);
    let layers = prop::sample::select(vec![1, LAYERS, LAYERS, LAYERS, LAYERS]);
    let more = prop::sample::select(vec![0, 0, 1, 1, 2, 5, 40, 64]);
    let text = any::<usize>;
    let one = prop_oneof![
        6 => find.prop_map(|(owner, like, up_to, more, seed)| Move::Find { owner, like, up_to, more, seed }),
        9 => (text(), more, 0..9u64, layers)
            .prop_map(|(text, more, seed, layers)| Move::Compute { text, more, seed, layers }),
        8 => text().prop_map(|text| Move::Enter { text }),
        1 => (1..5usize).prop_map(Move::Evict),
        4 => text().prop_map(|text| Move::Drop { text }),
    ];
    prop::collection::vec(one, 1..60)
}

/// Few letters, so that texts part late and meet often.
fn letters(count: usize, seed: u64) -> impl Iterator<Item = u32> {
    let mut random = SplitMix64::new(seed);
    (0..count).map(move |_| LETTERS[random.below(8).saturating_sub(5)])
}

fn happens(blocks: usize, may_evict: bool, moves: &[Move]) {
    const LONGEST: usize = 280;
    let mut world = World::new(blocks);
    for (step, a_move) in moves.iter().enumerate() {
        let what = format!("step {step}, {a_move:?}");
        let count = world.texts.len();
        match *a_move {
            Move::Find { owner, like, up_to, more, seed } => {
                let like = like % (world.asked.len() + 1);
                let mut ids = world.asked.get(like).cloned().unwrap_or_default();
                ids.truncate(up_to);
                ids.extend(letters(more, seed));
                world.find(owner, &ids, &what);
                if !may_evict && blocks - world.pool.in_use() < 8 {
                    return; // where nothing may be forgotten, this is the end
                }
            }
            Move::Evict(count) if may_evict => drop(world.evict(count, &what)),
            Move::Compute { text, more, seed, layers } if count > 0 => {
                let which = text % count;
                let ids = &mut world.texts[which].ids;
                let before = ids.len();
                ids.extend(letters(more.min(LONGEST.saturating_sub(before)), seed));
                if !world.reserve(which, &what) {
                    world.texts[which].ids.truncate(before);
                } else if let Text { ids, table, .. } = &mut world.texts[which]
                    && ids.len() > table.length()
                {
                    compute(table, ids, layers);
                }
            }
            Move::Enter { text } if count > 0 => world.enter(text % count, &what),
            Move::Drop { text } if count > 0 => drop(world.texts.swap_remove(text % count)),
            _ => {}
        }
        world.assert_all(&what);
    }
    // The tree first, or the texts first: who is left has its rows.
    let World { pool, prefix_cache, mut texts, .. } = world;
    if moves.len().is_multiple_of(2) {
        drop(prefix_cache);
        texts.iter().for_each(|text| assert_rows(&text.table, &text.ids, "without the tree"));
        texts.clear();
    } else {
        texts.clear();
        drop(prefix_cache);
    }
    assert_eq!(pool.in_use(), 0, "all are gone");
}

fn any_moves(cases: u32, blocks: std::ops::Range<usize>, may_evict: bool) {
    let config =
        ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) };
    proptest!(config, |(blocks in blocks, moves in moves())| {
        happens(blocks, may_evict, &moves);
    });
}

#[test]
fn a_hit_is_the_longest_common_beginning_with_all_that_was_ever_entered() {
    any_moves(120, 400..401, false);
}

#[test]
fn a_small_room_forgets_what_was_used_least_recently_and_nothing_else() {
    any_moves(250, 1..12, true);
}

#[test]
#[ignore = "cargo prove: four thousand histories"]
fn many_more_histories() {
    any_moves(1000, 400..401, false);
    any_moves(3000, 1..14, true);
}

/// These letters one after the other, so many of each.
fn spelled(parts: &[(char, usize)]) -> Vec<u32> {
    let letter = |letter: char| LETTERS[letter as usize - 'a' as usize];
    let run = |&(of, count): &(char, usize)| std::iter::repeat_n(letter(of), count);
    parts.iter().flat_map(run).collect()
}

/// A text whose rows are all computed.
fn computed(pool: &Arc<BlockPool>, ids: &[u32]) -> BlockTable {
    let mut table = BlockTable::new(pool);
    table.reserve(ids.len()).expect("there is room");
    compute(&mut table, ids, LAYERS);
    table
}

/// The same, in the tree and in use by nobody.
fn entered(pool: &Arc<BlockPool>, prefix_cache: &mut PrefixCache, owner: usize, ids: &[u32]) {
    prefix_cache.insert(owner, ids, &mut computed(pool, ids));
}

/// How far a text is found, with its rows.
fn found(prefix_cache: &mut PrefixCache, owner: usize, ids: &[u32]) -> usize {
    let table = prefix_cache.match_prefix(owner, ids);
    assert_hit(&table, ids, "found");
    table.length()
}

/// Another engine had a prompt of which there was nothing left to compute, and asked its model about no tokens. The tree
/// finds all of a text; the engine asks for all but the last token (found.rs).
#[test]
fn a_text_that_is_here_whole_is_found_whole() {
    let pool = pool_of(100);
    let mut prefix_cache = PrefixCache::new(&pool, 1);
    let ids: Vec<u32> = letters(200, 1).collect();
    for length in [1, 2, 63, 64, 65, 127, 128, 129, 200] {
        entered(&pool, &mut prefix_cache, 0, &ids[..length]);
        assert_eq!(found(&mut prefix_cache, 0, &ids[..length]), length);
        assert_eq!(found(&mut prefix_cache, 0, &ids[..length - 1]), length - 1);
        assert_eq!(found(&mut prefix_cache, 0, &ids), length, "and no further");
        // Whoever goes on from there writes into a copy.
        let mut table = prefix_cache.match_prefix(0, &ids[..length - 1]);
        let other = [&ids[..length - 1], &spelled(&[('b', 9), ('c', 60)])].concat();
        table.reserve(other.len() - table.length()).expect("there is room");
        compute(&mut table, &other, LAYERS);
        assert_rows(&table, &other, "the other");
        assert_eq!(
            found(&mut prefix_cache, 0, &ids[..length]),
            length,
            "the first is as it was"
        );
    }
}

/// Another engine found blocks whose rows were still to come.
#[test]
fn what_is_not_computed_yet_is_not_found() {
    let pool = pool_of(100);
    let mut prefix_cache = PrefixCache::new(&pool, 1);
    let ids: Vec<u32> = letters(200, 2).collect();
    let mut table = BlockTable::new(&pool);
    table.reserve(200).expect("there is room");
    prefix_cache.insert(0, &ids, &mut table);
    assert_eq!(found(&mut prefix_cache, 0, &ids), 0, "blocks without rows");
    compute(&mut table, &ids[..100], LAYERS);
    compute(&mut table, &ids, 1); // the second chunk has come as far as the first layer
    prefix_cache.insert(0, &ids, &mut table);
    assert_eq!(found(&mut prefix_cache, 0, &ids), 100, "rows of one layer");
    // Another one goes on from there while the half chunk is in the block that both see.
    let mut other = prefix_cache.match_prefix(0, &ids);
    let its = [&ids[..100], &spelled(&[('c', 100)])].concat();
    other.reserve(100).expect("there is room");
    compute(&mut other, &its, LAYERS);
    prefix_cache.insert(0, &its, &mut other);
    // And so does the first one.
    table.reserve(100).expect("there is room");
    compute(&mut table, &ids, LAYERS);
    prefix_cache.insert(0, &ids, &mut table);
    for (table, ids) in [(&table, &ids), (&other, &its)] {
        assert_rows(table, ids, "both");
        assert_eq!(found(&mut prefix_cache, 0, ids), 200);
    }
}

/// Another engine split a block when a part of it was used, and left the part as old as it had been: what had just been
/// used was forgotten first.
#[test]
fn what_was_used_in_part_is_as_young_as_what_was_used_whole() {
    for used in [1, 10, 64, 70, 127] {
        let pool = pool_of(100);
        let mut prefix_cache = PrefixCache::new(&pool, 1);
        let old = spelled(&[('a', 128)]);
        let young = spelled(&[('b', 128)]);
        entered(&pool, &mut prefix_cache, 0, &old);
        entered(&pool, &mut prefix_cache, 0, &young);
        assert_eq!(found(&mut prefix_cache, 0, &old[..used]), used);
        // Of the block that was not used, the older one goes first; then those that were not used at all.
        let order: Vec<[usize; 2]> = (0..4)
            .map(|_| {
                assert!(prefix_cache.evict(1));
                // What is here is seen without using it.
                let lines = prefix_cache.draw(0, &TOKENIZER);
                let blocks =
                    |letter| lines.lines().filter(|line| line.contains(letter)).count();
                [blocks(": a"), blocks(": b")]
            })
            .collect();
        let expected = match used {
            ..=64 => [[1, 2], [1, 1], [1, 0], [0, 0]],
            _ => [[2, 1], [2, 0], [1, 0], [0, 0]],
        };
        assert_eq!(order, expected, "{used}");
        assert!(!prefix_cache.evict(1), "nothing is left");
        assert_eq!(pool.in_use(), 0);
    }
}

/// What is in use frees nothing when it's forgotten, however old it is.
#[test]
fn idle_ends_go_before_those_in_use() {
    let pool = pool_of(100);
    let mut prefix_cache = PrefixCache::new(&pool, 2);
    let [a, b, c] = ['a', 'b', 'c'].map(|letter| spelled(&[(letter, 100)]));
    for (owner, ids) in [(0, &a), (1, &b), (0, &c)] {
        entered(&pool, &mut prefix_cache, owner, ids);
    }
    let table = prefix_cache.match_prefix(0, &a);
    found(&mut prefix_cache, 1, &b);
    found(&mut prefix_cache, 0, &c);
    for left in [5, 4, 3, 2] {
        assert!(prefix_cache.evict(1));
        assert_eq!(pool.in_use(), left, "each time a block is free");
    }
    assert_eq!([&b, &c].map(|ids| found(&mut prefix_cache, 0, ids)), [0, 0]);
    assert_rows(&table, &a, "in use");
    assert!(
        prefix_cache.evict(1) && prefix_cache.evict(1) && !prefix_cache.evict(1),
        "then the others, from the end"
    );
    assert_eq!(pool.in_use(), 2, "whose blocks stay with those who use them");
    assert_rows(&table, &a, "in use");
    drop(table);
    assert_eq!(pool.in_use(), 0);
}

/// However many blocks a long prompt lacks, they are found by looking at all blocks once.
#[test]
fn a_long_prompt_looks_through_the_tree_once() {
    let pool = pool_of(100);
    let mut prefix_cache = PrefixCache::new(&pool, 1);
    let text = |seed| letters(640, seed).collect::<Vec<_>>();
    (0..10).for_each(|seed| entered(&pool, &mut prefix_cache, 0, &text(seed)));
    let (mut table, rows) = (BlockTable::new(&pool), 90 * BLOCK_SIZE);
    while table.reserve(rows).is_err() {
        assert!(prefix_cache.evict(table.lacks(rows)), "nothing is left");
    }
    assert_eq!((prefix_cache.walks, pool.in_use()), (1, 100));
    assert_eq!(found(&mut prefix_cache, 0, &text(9)), 640, "the youngest stays");
}

/// Another engine kept each copy of what was computed twice.
#[test]
fn two_that_computed_the_same_end_in_the_same_blocks() {
    let pool = pool_of(100);
    let mut prefix_cache = PrefixCache::new(&pool, 1);
    let ids: Vec<u32> = letters(200, 3).collect();
    let mut tables: Vec<BlockTable> = (0..3).map(|_| computed(&pool, &ids)).collect();
    assert_eq!(pool.in_use(), 12);
    tables.iter_mut().for_each(|table| prefix_cache.insert(0, &ids, table));
    assert_eq!(pool.in_use(), 4, "three copies of four blocks");
    tables.iter().for_each(|table| assert_rows(table, &ids, "shared"));
    // What one of them writes next, the others don't see.
    let longer = [&ids[..], &spelled(&[('c', 5)])].concat();
    tables[0].reserve(5).expect("there is room");
    compute(&mut tables[0], &longer, LAYERS);
    tables[1..].iter().for_each(|table| assert_rows(table, &ids, "the others"));
    // Its end takes the place of the shorter one as soon as nobody uses that.
    assert_eq!(pool.in_use(), 5);
    tables.truncate(1);
    prefix_cache.insert(0, &longer, &mut tables[0]);
    assert_eq!(pool.in_use(), 4, "a beginning that nobody needs");
    assert_eq!(found(&mut prefix_cache, 0, &longer), 205);
}

/// FNV-1a in 64 bits, as many use it: by tokens.
fn hash(ids: &[u32]) -> u64 {
    let add = |all: u64, &id: &u32| (all ^ u64::from(id)).wrapping_mul(0x0100_0000_01b3);
    ids.iter().fold(0xcbf2_9ce4_8422_2325, add)
}

/// Other engines know a block by 64 bits of its hash, and never look at its tokens. Whoever can choose both texts finds two
/// of one hash, and reads what the other's keys and values say. Here are two of one FNV hash: a hundred thousand tries.
/// Theirs may take longer; a tree that compares tokens needs no luck.
#[test]
fn texts_of_one_hash_are_told_apart() {
    let mut random = SplitMix64::new(4);
    let mut pairs: BTreeMap<u64, [u32; 2]> = BTreeMap::new();
    // Two beginnings that agree in the upper half: a third token settles the lower one.
    let (a, b) = loop {
        let pair = [random.draw() as u32, random.draw() as u32];
        if let Some(other) = pairs.insert(hash(&pair) >> 32, pair) {
            break (pair, other);
        }
    };
    let third = (hash(&a) ^ hash(&b)) as u32;
    let text = |pair: [u32; 2], third: u32| -> Vec<u32> {
        pair.into_iter().chain([third]).chain(0..125).collect()
    };
    let (a, b) = (text(a, third), text(b, 0));
    assert!(a != b && hash(&a[..64]) == hash(&b[..64]) && hash(&a) == hash(&b));
    let pool = pool_of(100);
    let mut prefix_cache = PrefixCache::new(&pool, 1);
    entered(&pool, &mut prefix_cache, 0, &a);
    assert_eq!(found(&mut prefix_cache, 0, &b), 0);
    entered(&pool, &mut prefix_cache, 0, &b);
    assert_eq!(pool.in_use(), 4, "neither takes the other's place");
    assert_eq!([&a, &b].map(|ids| found(&mut prefix_cache, 0, ids)), [128, 128]);
}

/// Another engine put the text of one conversation into another that had nothing to do with it.
#[test]
fn what_was_said_after_another_beginning_is_not_found() {
    let pool = pool_of(100);
    let mut prefix_cache = PrefixCache::new(&pool, 2);
    let said = spelled(&[('a', 64), ('b', 64), ('c', 30)]);
    entered(&pool, &mut prefix_cache, 0, &said);
    for (asked, expected) in [
        (&[('c', 64), ('b', 64), ('c', 30)][..], 0),
        (&[('b', 64), ('c', 30)], 0),
        (&[('a', 64), ('c', 30)], 64),
        (&[('a', 63), ('b', 65), ('c', 30)], 63),
    ] {
        let ids = spelled(asked);
        assert_eq!(found(&mut prefix_cache, 0, &ids), expected, "{asked:?}");
        // Computed, and with the same tokens in the middle, it's still another text.
        entered(&pool, &mut prefix_cache, 0, &ids);
        assert_eq!(found(&mut prefix_cache, 0, &ids), ids.len());
        assert_eq!(found(&mut prefix_cache, 0, &said), said.len());
    }
    assert_eq!(found(&mut prefix_cache, 1, &said), 0, "what another owner has said");
    entered(&pool, &mut prefix_cache, 1, &said[..70]);
    assert_eq!(found(&mut prefix_cache, 1, &said), 70, "one's own is");
    assert!(!prefix_cache.draw(1, &TOKENIZER).contains('c'), "nor is it drawn");
}

/// A room that is full of texts in use forgets what they share, and none of it is free. As they go on it's there again for
/// others, though no text has it alone.
#[test]
fn what_was_forgotten_while_two_used_it_is_entered_again() {
    let pool = pool_of(100);
    let mut prefix_cache = PrefixCache::new(&pool, 1);
    let shared = spelled(&[('a', 128)]);
    entered(&pool, &mut prefix_cache, 0, &shared);
    let mut texts = ['b', 'c'].map(|letter| {
        let ids = [&shared[..], &spelled(&[(letter, 70)])].concat();
        (prefix_cache.match_prefix(0, &ids), ids)
    });
    while prefix_cache.evict(1) {}
    assert_eq!(pool.in_use(), 2);
    for (table, ids) in &mut texts {
        table.reserve(70).expect("there is room");
        compute(table, ids, LAYERS);
        prefix_cache.insert(0, ids, table);
    }
    assert_eq!(texts.each_ref().map(|(_, ids)| found(&mut prefix_cache, 0, ids)), [198, 198]);
    assert_eq!(pool.in_use(), 6, "what they share is there once");
}
