//! The tree beside a plain list of all that was entered: what is found, what is forgotten and what is kept is what the
//! list says, and every row that a text has belongs to all of its tokens up to there. No model is needed: a row says of
//! which beginning of which text it is.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, LazyLock};

use ch11_prefix_cache::cache::{KvCache, KvType};
use ch11_prefix_cache::kernels::PIECE;
use ch11_prefix_cache::room::Room;
use ch11_prefix_cache::table::Table;
use ch11_prefix_cache::tree::Tree;
use course_tests::qwen3_0_6b;
use ground::config::Config;
use ground::random::SplitMix64;
use ground::tokenizer::Tokenizer;
use ndarray::Array2;
use proptest::prelude::*;

const LAYERS: usize = 2;
const HEAD_DIM: usize = 4; // one head: a row is as wide
const OWNERS: usize = 2;

fn room(blocks: usize) -> Arc<Room> {
    let config =
        Config { layers: LAYERS, kv_heads: 1, head_dim: HEAD_DIM, ..qwen3_0_6b() };
    Room::new(&config, KvType::F32, blocks)
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
fn compute(table: &mut Table, ids: &[u32], layers: usize) {
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

fn assert_rows(table: &Table, ids: &[u32], what: &str) {
    let beginnings = beginnings(&ids[..table.length()]);
    for (index, beginnings) in beginnings.chunks(PIECE).enumerate() {
        for layer in 0..LAYERS {
            let piece = table.piece(layer, index).expect("it has these rows");
            let found = piece.rows(beginnings.len(), 1, HEAD_DIM);
            for (part, found) in found.iter().enumerate() {
                for ((row, column), &found) in found.indexed_iter() {
                    let expected = number(beginnings[row], layer, part, column);
                    let row = index * PIECE + row;
                    assert!(found == expected, "{what}: a wrong row: {row}, layer {layer}");
                }
            }
        }
    }
}

fn common(a: &[u32], b: &[u32]) -> usize {
    (0..a.len().min(b.len())).find(|&at| a[at] != b[at]).unwrap_or(a.len().min(b.len()))
}

/// A text that is being written.
struct Text {
    owner: usize,
    ids: Vec<u32>,
    table: Table,
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
        &self.path[..(self.path.len() - 1) / PIECE * PIECE]
    }
}

/// The tree, texts that use it, and what is expected of both.
struct World {
    room: Arc<Room>,
    tree: Tree,
    texts: Vec<Text>,
    asked: Vec<Vec<u32>>,                 // all texts so far
    entered: [Vec<Vec<u32>>; OWNERS],     // all that was ever entered
    entries: [Vec<Entry>; OWNERS],        // what is there now
    time: u64,
    has_forgotten: bool,
}

impl World {
    fn new(blocks: usize) -> World {
        let room = room(blocks);
        World {
            tree: Tree::new(&room, OWNERS),
            room,
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
        let before = self.room.lent();
        let table = self.tree.find(owner, ids);
        let found = table.length();
        self.time += 1;
        assert_eq!(self.room.lent(), before, "{what}: nothing is copied to find something");
        let longest = |texts: &mut dyn Iterator<Item = &Vec<u32>>| {
            texts.map(|text| common(text, ids)).max().unwrap_or(0)
        };
        let here = longest(&mut self.entries[owner].iter().map(|entry| &entry.path));
        assert_eq!(found, here, "{what}: the longest common beginning");
        let ever = longest(&mut self.entered[owner].iter());
        assert!(found <= ever, "{what}: more than was ever entered");
        assert!(found == ever || self.has_forgotten, "{what}: {ever} were entered once");
        assert_rows(&table, ids, what);
        let mut text = Text { owner, ids: ids.to_vec(), table };
        // Which blocks were used is what the tree says, as long as these have the rows.
        let places = text.places();
        assert_eq!(places.len(), found.div_ceil(PIECE), "{what}: blocks of the hit");
        for (index, place) in places.into_iter().enumerate() {
            let known = &ids[..found.min((index + 1) * PIECE)];
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
            let (new, before) = (text.ids.len() - text.table.length(), self.room.lent());
            if text.table.reserve(new).is_ok() {
                return true;
            }
            assert_eq!(self.room.lent(), before, "{what}: refused, and nothing is taken");
            if !self.evict(what) {
                return false;
            }
        }
    }

    fn enter(&mut self, which: usize, what: &str) {
        self.time += 1;
        let text = &mut self.texts[which];
        let (owner, ids) = (text.owner, text.ids[..text.table.length()].to_vec());
        let before = text.places();
        self.tree.enter(owner, &ids, &mut text.table);
        let after = text.places();
        assert_eq!((before.len(), text.table.length()), (after.len(), ids.len()), "{what}");
        for (index, chunk) in ids.chunks(PIECE).enumerate() {
            let path = ids[..index * PIECE + chunk.len()].to_vec();
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
            if others || is_here {
                break; // a longer text's block
            }
            // A beginning that nobody uses makes room for what begins like it.
            let idle: Vec<usize> = self.entries[owner].iter().map(|entry| entry.place).collect();
            let idle: HashSet<usize> =
                idle.into_iter().filter(|&place| self.users(place) == 0).collect();
            self.entries[owner].retain(|entry| {
                let is_shorter = path.starts_with(&entry.path)
                    && entry.parent() == &path[..index * PIECE]
                    && entry.path.len() < path.len();
                !(is_shorter && idle.contains(&entry.place))
            });
            self.entries[owner].push(Entry { path, place, used: self.time });
        }
        self.entered[owner].push(ids);
    }

    fn evict(&mut self, what: &str) -> bool {
        let mut leaves = Vec::new();
        for owner in 0..OWNERS {
            for entry in self.entries[owner].clone() {
                let goes_on = |other: &Entry| other.parent() == entry.path;
                if !self.entries[owner].iter().any(goes_on) {
                    leaves.push((self.users(entry.place) > 0, entry.used, entry.place));
                }
            }
        }
        let goes = leaves.iter().min();
        let before = self.room.lent();
        assert_eq!(self.tree.evict(), goes.is_some(), "{what}: whether there was one");
        if let Some(&(is_used, _, place)) = goes {
            let freed = usize::from(!is_used);
            assert_eq!(before - self.room.lent(), freed, "{what}: idle ones go first");
            self.entries.iter_mut().for_each(|all| all.retain(|entry| entry.place != place));
            self.has_forgotten = true;
        }
        goes.is_some()
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
        assert_eq!(self.room.lent(), users.len(), "{what}: blocks in use");
        assert!(self.room.lent() <= self.room.blocks, "{what}: more than there are");
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
            assert_eq!(self.tree.draw(owner, &TOKENIZER), lines, "{what}: what is drawn");
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
    let depth = entry.parent().len() / PIECE;
    let tokens = &entry.path[entry.parent().len()..];
    let letter = |id: &u32| LETTERS.iter().position(|letter| letter == id).map(|at| b'a' + at as u8);
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
    Find { owner: usize, like: usize, up_to: usize, more: usize, seed: u64 },
    /// So many more tokens, and their rows; of a pass that ends early only in some layers.
    Compute { text: usize, more: usize, seed: u64, layers: usize },
    Enter { text: usize },
    Evict,
    Drop { text: usize },
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
        1 => Just(Move::Evict),
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
                if !may_evict && blocks - world.room.lent() < 8 {
                    return; // where nothing may be forgotten, this is the end
                }
            }
            Move::Evict if may_evict => drop(world.evict(&what)),
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
    let World { room, tree, mut texts, .. } = world;
    if moves.len().is_multiple_of(2) {
        drop(tree);
        texts.iter().for_each(|text| assert_rows(&text.table, &text.ids, "without the tree"));
        texts.clear();
    } else {
        texts.clear();
        drop(tree);
    }
    assert_eq!(room.lent(), 0, "all are gone");
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
