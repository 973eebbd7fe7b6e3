//! Random schedules: requests that arrive, begin alike, leave, and have to share a pool that is too small for all of them.
//! Each answer is what it would be alone, likelihoods and all, each pass gives everybody what the rule promises, and every
//! block comes back.
//!
//! Most of them run with the model that only remembers.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

use crate::engine::backend::Backend;
use crate::engine::batch_item::BatchItem;
use crate::engine::block_pool::BlockPool;
use crate::engine::cache::{CacheError, KvType, Mode};
use crate::engine::compute::ComputeContext;
use crate::engine::decoder::{Decoder, EngineRequest};
use crate::engine::engine::Forward;
use crate::engine::kernels::BLOCK_SIZE;
use crate::engine::model::Model;
use crate::engine::prefix_cache::PrefixCache;
use crate::engine::queue::{Event, Queue, Queued};
use crate::engine::schedule::{EACH, Standing};
use ground::config::Config;
use ground::embedded::tiny_qwen3;
use ground::gguf::Gguf;
use ground::random::SplitMix64;
use ground::request::{Options, Step};
use ground::sample::Sampling;
use ground::tokenizer::Tokenizer;
use openai::Stopwatch;
pub use remembers::{Read, logits_of};
use remembers::{remembered, remembering};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

#[path = "remembers.rs"]
pub mod remembers;

fn remember(items: &mut [BatchItem]) -> Vec<Result<crate::Logits, CacheError>> {
    let of_item = |item: &mut BatchItem| {
        let read = remembers::remember(item.ids, item.table)?;
        Ok(crate::wanted(item, &read))
    };
    items.iter_mut().map(of_item).collect()
}

/// A request as it was sent, and what has come of it.
struct Client {
    asked: EngineRequest,
    events: Option<UnboundedReceiver<Event>>, // None: it has left
    steps: Vec<Step>,
}

impl Client {
    fn is_here(&self) -> bool {
        let has_ended = self.steps.last().is_some_and(|step| step.finish.is_some());
        self.events.is_some() && !has_ended
    }
}

/// Who has begun, the oldest first, as the server's page shows it: their names are in the order of the alphabet.
fn running(queue: &Queue) -> BTreeMap<String, Standing> {
    let text = |owner, line: &str| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let number = |column: usize| columns[column].parse::<usize>().expect("a number");
        let (known, computed) = (number(1) + number(3), number(4));
        (columns[0].to_string(), Standing { owner, known, computed })
    };
    let page = |owner| queue.shown(owner).lines().skip(1).map(|it| text(owner, it)).collect();
    [0, 1].into_iter().flat_map(|owner| -> Vec<_> { page(owner) }).collect()
}

/// Without this somebody might starve: of a pass, who writes gets a row, the oldest reader half of the rest, and the first of
/// another owner a quarter, or all that they lack. Where some may have no room, only the oldest text is sure of it.
fn nobody_starves(
    [before, after]: [&BTreeMap<String, Standing>; 2],
    (texts, budget, has_room): (usize, usize, bool),
    what: &str,
) {
    let reads = |text: &Standing| text.lacks() > 1;
    let mut readers = before.iter().filter(|(_, text)| reads(text));
    let oldest = readers.next();
    let other = readers.find(|(_, text)| oldest.is_some_and(|(_, it)| it.owner != text.owner));
    let rows = budget.max(EACH * texts);
    // If nobody writes, what the oldest lacks makes the pass smaller, and that may be found.
    let alone = oldest.filter(|_| before.values().all(reads));
    let half = alone.map_or(rows, |(_, text)| rows.min(text.lacks())).div_ceil(2);
    let quarter = if alone.is_some() { 0 } else { rows / 4 };
    for (name, text) in before.iter().take(if has_room { before.len() } else { 1 }) {
        let is = |one: Option<(&String, _)>| one.is_some_and(|(it, _)| it == name);
        let shares = [(!reads(text), 1), (is(oldest), half), (is(other), quarter)];
        let promised = shares.iter().find(|(is, _)| *is).map_or(0, |(_, rows)| *rows);
        let computed = text.computed + promised.min(text.lacks());
        let now = after.get(name).map_or(computed, |text| text.computed);
        assert!(now >= computed, "{what}: {name} has {now} rows instead of {computed}");
    }
}

/// Which requests come, how large the pool is, and how much goes into a pass.
struct World<'a> {
    config: &'a Config,
    kv_type: KvType,
    tokenizer: &'a Tokenizer,
    clients: usize,
    longest: usize, // prompt
    seed: u64,
}

impl World<'_> {
    /// As an earlier one begins, or not, and then something of its own.
    fn asked(
        &self,
        random: &mut SplitMix64,
        earlier: &[Client],
        positions: usize,
    ) -> EngineRequest {
        let mut ids = match random.below(3) {
            0 => Vec::new(),
            _ if earlier.is_empty() => Vec::new(),
            _ => earlier[random.below(earlier.len())].asked.request.prompt_ids().to_vec(),
        };
        ids.truncate(random.below(ids.len() + 30));
        let count = 1 + random.below(self.longest);
        ids.extend((0..count).map(|_| random.below(self.config.vocab - 1) as u32));
        ids.truncate(positions.min(self.longest));
        let room = positions - ids.len() + 1;
        let options = Options {
            max_new_tokens: (1 + random.below(90)).min(room),
            sampling: Sampling {
                temperature: [0.0, 1.0][random.below(2)],
                repetition_penalty: [1.0, 1.3][random.below(2)],
                seed: random.draw(),
                ..Sampling::default()
            },
            ..Options::default()
        };
        crate::asked(random, self.config, (ids, options), room)
    }

    /// All that happens in one schedule. `alone` says what an answer must be.
    fn run(
        &self,
        forward: Forward,
        alone: &mut dyn FnMut(&EngineRequest) -> Vec<Step>,
    ) -> Happened {
        let random = &mut SplitMix64::new(self.seed);
        let has_room = random.below(3) == 0;
        let enough = self.clients * (self.longest / BLOCK_SIZE + 4); // answers and copies too
        let blocks = if has_room { enough } else { 1 + random.below(9) };
        let pool = BlockPool::new(self.config, self.kv_type, blocks);
        let prefix_cache = Mutex::new(PrefixCache::new(&pool, 2));
        let queue = Queue::new(usize::MAX, 16);
        let budget = [1, 16, 63, 64, 100, 512][random.below(6)];
        let mut engine = crate::new(random, self.tokenizer, (&prefix_cache, &queue), budget);
        let leave = random.below(2) == 0;
        let mut clients: Vec<Client> = Vec::new();
        let (mut passes, mut before) = (0, BTreeMap::new());
        loop {
            while clients.len() < self.clients && random.below(4) == 0 {
                let asked = self.asked(random, &clients, pool.blocks * BLOCK_SIZE);
                let (sender, events) = unbounded_channel();
                let owner = usize::from(random.below(8) == 0);
                let (clock, copy) = (Stopwatch::start(), asked.clone());
                let queued = Queued { asked: copy, index: 0, owner, clock, events: sender };
                assert!(queue.push(vec![queued]));
                clients.push(Client { asked, events: Some(events), steps: Vec::new() });
            }
            if leave && random.below(40) == 0 && !clients.is_empty() {
                let which = random.below(clients.len());
                clients[which].events = None;
            }
            let (counts, what) = (queue.counts(), format!("seed {}, pass {passes}", self.seed));
            if counts.waiting + counts.running > 0 {
                engine.round(forward);
                passes += 1;
                let (now, after) = (queue.counts(), running(&queue));
                assert!(now.rows > counts.rows, "{what}: an empty pass");
                let texts = (counts.running + counts.waiting - now.waiting) as usize;
                nobody_starves([&before, &after], (texts, engine.budget, has_room), &what);
                before = after;
            } else if clients.len() == self.clients {
                break;
            }
            for client in &mut clients {
                while let Some(event) =
                    client.events.as_mut().and_then(|events| events.try_recv().ok())
                {
                    let [guessed, accepted] = crate::guesses_of(&event);
                    assert!(accepted <= guessed, "{what}: {accepted} of {guessed} guesses");
                    client.steps.push(event.what.unwrap_or_else(|it| panic!("{what}: {it:?}")));
                }
            }
            let counts = queue.counts();
            let inside = (counts.waiting + counts.running) as usize;
            assert_eq!(
                inside,
                clients.iter().filter(|client| client.is_here()).count(),
                "{what}: gone in a step"
            );
            assert!(pool.in_use() <= pool.blocks, "{what}: more blocks than there are");
        }
        let counts = queue.counts();
        let [guessed, accepted] = crate::guesses(&counts);
        assert_eq!(counts.failed, 0, "seed {}: nobody fails", self.seed);
        if counts.preempted + counts.left == 0 {
            let all = counts.prompt_tokens + counts.generated_tokens - counts.answered;
            let computed = all - counts.cached_tokens + guessed - accepted;
            // Of an answer that ends with a guess, that one has a row that nobody needs.
            let rows = computed..=computed + if guessed > 0 { counts.answered } else { 0 };
            assert!(rows.contains(&counts.rows), "seed {}: each row once", self.seed);
        }
        for (index, client) in clients.iter().enumerate() {
            let expected = alone(&client.asked);
            let so_far = &expected[..client.steps.len().min(expected.len())];
            assert_eq!(client.steps, so_far, "seed {}, client {index}", self.seed);
            let is_whole = client.events.is_none() || client.steps.len() == expected.len();
            assert!(is_whole, "seed {}, client {index}: {:?}", self.seed, client.steps);
        }
        drop(engine);
        let prefix_cache = &mut *prefix_cache.lock().expect("nobody has it");
        while prefix_cache.evict(1, true) {}
        assert_eq!(pool.in_use(), 0, "seed {}: all blocks are back", self.seed);
        Happened {
            preempted: counts.preempted,
            cached: counts.cached_tokens,
            left: counts.left,
            guessed,
            accepted,
        }
    }
}

/// What schedules must have had in them to say anything.
#[derive(Default, Debug)]
pub struct Happened {
    pub preempted: u64,
    cached: u64,
    left: u64,
    pub guessed: u64,
    pub accepted: u64,
}

impl Happened {
    fn add(&mut self, more: Happened) {
        self.preempted += more.preempted;
        self.cached += more.cached;
        self.left += more.left;
        self.guessed += more.guessed;
        self.accepted += more.accepted;
    }
}

/// The steps of an answer, by logits that know nothing but its own tokens.
fn steps(
    tokenizer: &Tokenizer,
    asked: &EngineRequest,
    mut logits: impl FnMut(&[u32]) -> Vec<f32>,
) -> Vec<Step> {
    let mut decoder = Decoder::new(asked.clone(), tokenizer).expect("it is sound");
    let mut all: Vec<Step> = Vec::new();
    while all.last().is_none_or(|step| step.finish.is_none()) {
        let logits = logits(&decoder.ids);
        all.push(decoder.take(&logits).expect("it is a token"));
    }
    all
}

pub fn with_a_model_that_remembers(seeds: std::ops::Range<u64>) -> Happened {
    let file = tiny_qwen3().expect("it opens");
    let tokenizer = Tokenizer::from_gguf(&file).expect("it has one");
    let config = remembering();
    let mut happened = Happened::default();
    for seed in seeds {
        let (longest, clients) = ([20, 150, 400][seed as usize % 3], 1 + seed as usize % 20);
        let kv_type = KvType::F32; // sixteen bits could not keep a token's number
        let world =
            World { config: &config, kv_type, tokenizer: &tokenizer, clients, longest, seed };
        happened
            .add(world.run(&mut remember, &mut |asked| steps(&tokenizer, asked, remembered)));
    }
    let Happened { preempted, cached, left, .. } = happened;
    assert!(preempted > 0 && cached > 0 && left > 0, "nothing happened: {happened:?}");
    println!("{happened:?}");
    happened
}

/// Those that draw.
pub fn threads() -> &'static ComputeContext {
    static THREADS: OnceLock<ComputeContext> = OnceLock::new();
    let two = || ComputeContext::new(Backend::choose("auto").expect("one"), 2);
    THREADS.get_or_init(|| two().expect("two threads"))
}

/// So many schedules, or as many as SCHEDULES says, or those between its two numbers: `500..1000`.
pub fn or_as_many(usual: u64) -> std::ops::Range<u64> {
    let Ok(asked) = std::env::var("SCHEDULES") else {
        return 0..usual;
    };
    let number = |word: &str| word.parse().expect("a number, or two with two dots between");
    let (from, to) = asked.split_once("..").unwrap_or(("0", &asked));
    number(from)..number(to)
}

pub fn with_the_tiny_model(
    seeds: std::ops::Range<u64>,
    forward: impl Fn(&Model, &mut [BatchItem]) -> Vec<Result<crate::Logits, CacheError>>,
) -> Happened {
    let file: Gguf = tiny_qwen3().expect("it opens");
    let tokenizer = Tokenizer::from_gguf(&file).expect("it has one");
    let config = Config::from_gguf(&file).expect("it is sound");
    let compute =
        ComputeContext::new(Backend::choose("auto").expect("one"), 2).expect("two threads");
    let model = Model::load(&file, config, compute, KvType::F16).expect("it loads");
    with_a_model(seeds, &model, &tokenizer, &mut |items| forward(&model, items))
}

pub fn with_a_model(
    seeds: std::ops::Range<u64>,
    model: &Model,
    tokenizer: &Tokenizer,
    forward: Forward,
) -> Happened {
    let (config, kv_type) = (&model.config, model.kv_type);
    let mut happened = Happened::default();
    for seed in seeds {
        let world = World { config, kv_type, tokenizer, clients: 6, longest: 150, seed };
        let mut alone = |asked: &EngineRequest| {
            let cache = Mode::Contiguous.cache(config, kv_type, 600);
            let mut cache = cache.expect("there is memory").expect("a cache");
            steps(tokenizer, asked, |ids| {
                let from = cache.shape().length;
                let logits =
                    model.forward(&ids[from..], from, Some(&mut *cache), &mut |_| true);
                logits.expect("there is room").expect("nothing ends it")
            })
        };
        happened.add(world.run(forward, &mut alone));
    }
    assert!(happened.cached > 0, "nothing happened: {happened:?}");
    println!("{happened:?}");
    happened
}
