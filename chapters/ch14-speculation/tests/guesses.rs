//! Chapter 13's random schedules, in which everybody guesses. Each answer is what it would be alone and without any guess,
//! the likelihoods too.
//!
//! The model that only remembers has a preference here, so that its texts repeat themselves: a token that depends on the two
//! before it. All its other logits are a hash of all tokens that it reads back through the table, so that a row of a wrong
//! guess that is left there shows. Some answers are replayed: pieces of the prompt with mistakes, at every distance.

use std::sync::{Arc, Mutex};

use ch14_speculation::backend::Backend;
use ch14_speculation::batch;
use ch14_speculation::cache::{CacheError, KvCache, KvType, Mode};
use ch14_speculation::engine::{Engine, Forward};
use ch14_speculation::kernels::PIECE;
use ch14_speculation::model::Model;
use ch14_speculation::part::Part;
use ch14_speculation::queue::{Event, Job, Queue};
use ch14_speculation::reply::{Asked, Reply};
use ch14_speculation::room::Room;
use ch14_speculation::team::Team;
use ch14_speculation::tree::Tree;
use ground::config::Config;
use ground::embedded::tiny_qwen3;
use ground::gguf::Gguf;
use ground::random::SplitMix64;
use ground::request::{Options, Request};
use ground::sample::Sampling;
use ground::tokenizer::Tokenizer;
use ndarray::Array2;
use openai::{Guesses, Step};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// The remembering model has as many tokens as this, and a row of sixteen numbers.
const VOCAB: usize = 97;

fn hash(hash: u64, number: f32) -> u64 {
    (hash ^ u64::from(number.to_bits())).wrapping_mul(0x100_0000_01b3).rotate_left(23)
}

fn logits_of(hash: u64, last: [f32; 2]) -> Vec<f32> {
    let mut random = SplitMix64::new(hash);
    let mut logits: Vec<f32> = (0..VOCAB).map(|_| random.fraction() as f32 * 8.0).collect();
    logits[(last[0] + 3.0 * last[1]) as usize % 5 + 40] += 5.0;
    logits
}

/// What the remembering model says after these tokens, without any table.
fn remembered(ids: &[u32]) -> Vec<f32> {
    let all = ids.iter().enumerate();
    let last = [ids.len().saturating_sub(2), ids.len() - 1].map(|place| ids[place] as f32);
    let all = all.fold(0, |all, (position, &id)| hash(hash(all, id as f32), position as f32));
    logits_of(all, last)
}

fn remember(parts: &mut [Part]) -> Vec<Result<Vec<Vec<f32>>, CacheError>> {
    let of_part = |part: &mut Part| {
        let start = part.position();
        let rows = Array2::from_shape_fn((part.ids.len(), 16), |(row, column)| match column {
            0 => part.ids[row] as f32,
            1 => (start + row) as f32,
            _ => 0.0,
        });
        part.table.write(0, (rows.view(), rows.view()))?;
        part.table.advance(rows.nrows());
        let (mut all, mut last, mut logits) = (0, None, Vec::new());
        for index in 0..part.position().div_ceil(PIECE) {
            let piece = part.table.piece(0, index)?;
            for row in piece.head::<f32>(0, 16).0.chunks(16).take(piece.rows) {
                all = hash(hash(all, row[0]), row[1]);
                logits.push(logits_of(all, [last.unwrap_or(row[0]), row[0]]));
                last = Some(row[0]);
            }
        }
        Ok(logits.split_off(logits.len() - part.wanted))
    };
    parts.iter_mut().map(of_part).collect()
}

fn remembering(config: &Config) -> Config {
    Config {
        layers: 1,
        kv_heads: 1,
        head_dim: 16,
        vocab: VOCAB,
        eos_ids: vec![96],
        ..config.clone()
    }
}

/// A request as it was sent, and what has come of it.
struct Client {
    asked: Asked,
    events: Option<UnboundedReceiver<Event>>, // None: it has left
    steps: Vec<Step>,
    until: usize, // it has ended by this pass
}

impl Client {
    /// A pass has at least one of these for the oldest.
    fn tokens(&self) -> usize {
        self.asked.request.prompt_ids().len() + self.asked.request.max_new_tokens()
    }

    fn is_here(&self) -> bool {
        self.events.is_some() && !self.has_ended()
    }

    fn has_ended(&self) -> bool {
        self.steps.last().is_some_and(|step| step.finish.is_some())
    }
}

/// Which requests come, how large the room is, and how much goes into a pass.
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
    fn asked(&self, random: &mut SplitMix64, earlier: &[Client], positions: usize) -> Asked {
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
        let replay = (random.below(3) == 0).then(|| self.replay(random, &ids, room));
        let stop =
            (random.below(4) == 0).then(|| ["e", "ab", "z", "q"][random.below(4)].into());
        let options = Options {
            max_new_tokens: match &replay {
                Some(ids) => ids.len(),
                None => (1 + random.below(90)).min(room),
            },
            stop: stop.into_iter().collect(),
            sampling: Sampling {
                temperature: [0.0, 1.0][random.below(2)],
                repetition_penalty: [1.0, 1.3][random.below(2)],
                seed: random.draw(),
                ..Sampling::default()
            },
            ..Options::default()
        };
        let request = Request::new(ids, options, self.config).expect("it fits");
        Asked { request, bias: Vec::new(), likely: Some(3), replay }
    }

    /// Pieces of a text, each with a mistake somewhere.
    fn replay(&self, random: &mut SplitMix64, ids: &[u32], room: usize) -> Arc<[u32]> {
        let mut all = Vec::new();
        while all.len() < 60 {
            let from = random.below(ids.len());
            all.extend(ids[from..].iter().take(5 + random.below(40)));
            all.push(random.below(VOCAB) as u32);
        }
        all.truncate(room.min(60));
        all.into()
    }

    /// All that happens in one schedule. `alone` says what an answer must be.
    fn run(&self, forward: Forward, alone: &mut dyn FnMut(&Asked) -> Vec<Step>) -> Happened {
        let random = &mut SplitMix64::new(self.seed);
        let room = Room::new(self.config, self.kv_type, 1 + random.below(9));
        let tree = Mutex::new(Tree::new(&room, 2));
        let queue = Queue::new(usize::MAX);
        let budget = [1, 16, 63, 64, 100, 512][random.below(6)];
        let guesses = [0, 1, 15, 60][random.below(4)];
        let mut engine = Engine::new(self.tokenizer, &tree, &queue, budget, guesses);
        let leave = random.below(2) == 0;
        let mut clients: Vec<Client> = Vec::new();
        let mut passes = 0;
        loop {
            while clients.len() < self.clients && random.below(4) == 0 {
                let asked = self.asked(random, &clients, room.blocks * PIECE);
                let (sender, events) = unbounded_channel();
                let owner = usize::from(random.below(8) == 0);
                let job = Job { asked: asked.clone(), index: 0, owner, events: sender };
                assert!(queue.push(vec![job]));
                let mut client =
                    Client { asked, events: Some(events), steps: Vec::new(), until: 0 };
                let before = clients.iter().filter(|client| client.is_here());
                client.until =
                    passes + client.tokens() + before.map(Client::tokens).sum::<usize>();
                clients.push(client);
            }
            if leave && random.below(40) == 0 && !clients.is_empty() {
                let which = random.below(clients.len());
                clients[which].events = None;
            }
            let counts = queue.counts();
            if counts.waiting + counts.running > 0 {
                engine.round(forward);
                passes += 1;
                let rows = queue.counts().rows;
                assert!(rows > counts.rows, "seed {}, pass {passes}: an empty pass", self.seed);
            } else if clients.len() == self.clients {
                break;
            }
            let what = format!("seed {}, pass {passes}", self.seed);
            for client in &mut clients {
                while let Some(event) =
                    client.events.as_mut().and_then(|events| events.try_recv().ok())
                {
                    let Guesses { guessed, kept } = event.guesses;
                    assert!(kept <= guessed, "{what}: {kept} of {guessed} guesses");
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
            assert!(room.lent() <= room.blocks, "{what}: more blocks than there are");
            // The oldest gets a row in every pass.
            let in_time = |client: &Client| !client.is_here() || passes < client.until;
            assert!(clients.iter().all(in_time), "{what}: somebody waits without end");
        }
        let counts = queue.counts();
        assert_eq!(counts.failed, 0, "seed {}: nobody fails", self.seed);
        if counts.preempted + counts.left == 0 {
            let all = counts.prompt_tokens + counts.generated_tokens - counts.answered;
            let wrong = counts.guessed_tokens - counts.kept_tokens;
            let computed = all - counts.cached_tokens + wrong;
            // Of an answer that ends with a guess, that one has a row that nobody needs.
            let rows = computed..=computed + counts.answered;
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
        let tree = &mut *tree.lock().expect("nobody has it");
        while tree.evict(true) {}
        assert_eq!(room.lent(), 0, "seed {}: all blocks are back", self.seed);
        Happened {
            preempted: counts.preempted,
            cached: counts.cached_tokens,
            left: counts.left,
            guessed: counts.guessed_tokens,
            kept: counts.kept_tokens,
        }
    }
}

/// What schedules must have had in them to say anything.
#[derive(Default, Debug)]
struct Happened {
    preempted: u64,
    cached: u64,
    left: u64,
    guessed: u64,
    kept: u64,
}

impl Happened {
    fn add(&mut self, more: Happened) {
        self.preempted += more.preempted;
        self.cached += more.cached;
        self.left += more.left;
        self.guessed += more.guessed;
        self.kept += more.kept;
    }
}

/// The steps of an answer, by logits that know nothing but its own tokens.
fn steps(
    tokenizer: &Tokenizer,
    asked: &Asked,
    mut logits: impl FnMut(&[u32]) -> Vec<f32>,
) -> Vec<Step> {
    let mut reply = Reply::new(asked.clone(), tokenizer).expect("it is sound");
    let mut all: Vec<Step> = Vec::new();
    while all.last().is_none_or(|step| step.finish.is_none()) {
        let logits = logits(&reply.ids);
        all.push(reply.take(&logits).expect("it is a token"));
    }
    all
}

fn with_a_model_that_remembers(seeds: std::ops::Range<u64>) {
    let file = tiny_qwen3().expect("it opens");
    let tokenizer = Tokenizer::from_gguf(&file).expect("it has one");
    let config = remembering(&Config::from_gguf(&file).expect("it is sound"));
    let mut happened = Happened::default();
    for seed in seeds {
        let (longest, clients) = ([20, 150, 400][seed as usize % 3], 1 + seed as usize % 20);
        let kv_type = KvType::F32; // sixteen bits could not keep a token's number
        let world =
            World { config: &config, kv_type, tokenizer: &tokenizer, clients, longest, seed };
        happened
            .add(world.run(&mut remember, &mut |asked| steps(&tokenizer, asked, remembered)));
    }
    let Happened { preempted, cached, left, guessed, kept } = happened;
    assert!(preempted > 0 && cached > 0 && left > 0, "nothing happened: {happened:?}");
    assert!(kept > 1000 && guessed - kept > 1000, "nothing was guessed: {happened:?}");
    println!("{happened:?}");
}

#[test]
fn in_any_company_each_answer_is_its_own() {
    with_a_model_that_remembers(0..200);
}

/// So many schedules, or as many as SCHEDULES says.
fn or_as_many(usual: u64) -> std::ops::Range<u64> {
    0..std::env::var("SCHEDULES").map_or(usual, |count| count.parse().expect("a number"))
}

#[test]
#[ignore = "cargo prove: 2,000 schedules, or as many as SCHEDULES says"]
fn in_thousands_of_schedules_each_answer_is_its_own() {
    with_a_model_that_remembers(or_as_many(2_000));
}

fn with_the_tiny_model(seeds: std::ops::Range<u64>) {
    let file: Gguf = tiny_qwen3().expect("it opens");
    let tokenizer = Tokenizer::from_gguf(&file).expect("it has one");
    let config = || Config::from_gguf(&file).expect("it is sound");
    let team = Team::new(Backend::choose("auto").expect("one"), 2).expect("two threads");
    let model = Model::load(&file, config(), team, KvType::F16).expect("it loads");
    let mut happened = Happened::default();
    for seed in seeds {
        let world = World {
            config: &model.config,
            kv_type: KvType::F16,
            tokenizer: &tokenizer,
            clients: 6,
            longest: 150,
            seed,
        };
        let mut alone = |asked: &Asked| {
            let cache = Mode::Contiguous.cache(&model.config, KvType::F16, 600);
            let mut cache = cache.expect("there is memory").expect("a cache");
            steps(&tokenizer, asked, |ids| {
                let from = cache.shape().length;
                let logits =
                    model.forward(&ids[from..], from, Some(&mut *cache), &mut |_| true);
                logits.expect("there is room").expect("nothing ends it")
            })
        };
        happened.add(world.run(&mut |parts| batch::forward(&model, parts), &mut alone));
    }
    assert!(happened.cached > 0 && happened.kept > 0, "nothing happened: {happened:?}");
    println!("{happened:?}");
}

#[test]
fn with_a_real_model_each_answer_is_its_own() {
    with_the_tiny_model(0..4);
}

#[test]
#[ignore = "cargo prove: 20 schedules of the tiny model, or as many as SCHEDULES says"]
fn in_more_schedules_of_a_real_model_each_answer_is_its_own() {
    with_the_tiny_model(or_as_many(20));
}
