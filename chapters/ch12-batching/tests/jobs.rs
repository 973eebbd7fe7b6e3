//! What becomes of answers that come to the engine all at once, so that it's certain who is in the same passes: each gets every
//! token and likelihood that it gets alone, whatever happens to the others.

use std::sync::{Arc, Mutex};
use std::thread;

use ch12_batching::backend::Backend;
use ch12_batching::block_pool::BlockPool;
use ch12_batching::block_table::BlockTable;
use ch12_batching::cache::{KvType, Mode};
use ch12_batching::compute::ComputeContext;
use ch12_batching::context::Context;
use ch12_batching::decoder::EngineRequest;
use ch12_batching::engine;
use ch12_batching::how::{How, PREFILL_CHUNK};
use ch12_batching::kernels::BLOCK_SIZE;
use ch12_batching::prefix_cache::PrefixCache;
use ch12_batching::queue::{EngineError, Event, Queue, Queued};
use ch12_batching::recorder::system_clock;
use ch12_batching::session::Session;
use ground::config::Config;
use ground::request::{Options, Request, Step};
use ground::sample::Sampling;
use openai::Stopwatch;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// It works as long as the tests run.
struct Engine {
    pool: Arc<BlockPool>,
    prefix_cache: &'static Mutex<PrefixCache>,
    queue: &'static Queue,
    session: &'static Session<'static>,
    config: &'static Config,
}

impl Engine {
    fn new(blocks: usize) -> Engine {
        let file = Box::leak(Box::new(ground::embedded::tiny_qwen3().expect("it opens")));
        let compute = ComputeContext::new(Backend::choose("auto").expect("there is one"), 1);
        let compute = compute.expect("it starts");
        let session = Session::open(file, system_clock(), compute, KvType::F16);
        let mut session = session.expect("it opens");
        // The model's own is less than a chunk of a prompt.
        session.model.config.context_length = 1024;
        let session: &Session = Box::leak(Box::new(session));
        let config = &session.model.config;
        let pool = BlockPool::new(config, KvType::F16, blocks);
        let prefix_cache: &Mutex<PrefixCache> =
            Box::leak(Box::new(Mutex::new(PrefixCache::new(&pool, 1))));
        let queue: &Queue = Box::leak(Box::new(Queue::new(64, 16)));
        let its_room = pool.clone();
        thread::spawn(move || engine::work(session, &its_room, prefix_cache, queue, false));
        Engine { pool, prefix_cache, queue, session, config }
    }

    fn push(&self, all: Vec<EngineRequest>) -> Vec<UnboundedReceiver<Event>> {
        let (queued, events) = all
            .into_iter()
            .map(|asked| {
                let (sender, events) = unbounded_channel();
                (
                    Queued {
                        asked,
                        index: 0,
                        owner: 0,
                        clock: Stopwatch::start(),
                        events: sender,
                    },
                    events,
                )
            })
            .unzip();
        assert!(self.queue.push(queued), "they have room in the queue");
        events
    }

    fn answers(&self, all: Vec<EngineRequest>) -> Vec<Answer> {
        self.push(all).into_iter().map(answer).collect()
    }

    fn alone(&self, asked: &EngineRequest) -> Answer {
        self.answers(vec![asked.clone()]).remove(0)
    }

    /// The tokens that chapter 7's loop draws, which knows no queue.
    fn by_itself(&self, asked: &EngineRequest) -> Vec<u32> {
        let how = How { kv: Mode::Contiguous, prefill_chunk: PREFILL_CHUNK };
        let table = BlockTable::new(&self.pool);
        let mut context = Context::new(Some(Box::new(table)), &how, 1024);
        let (request, on) = (&asked.request, |_: &str| Ok(()));
        let run = self.session.generate(request, &how, &mut context, &mut |_| true, on);
        run.expect("it is answered").0.generated_ids
    }
}

type Answer = Result<Vec<Step>, EngineError>;

fn answer(mut events: UnboundedReceiver<Event>) -> Answer {
    std::iter::from_fn(|| events.blocking_recv()).map(|event| event.what).collect()
}

fn ids(count: usize, seed: usize) -> Vec<u32> {
    (0..count).map(|i| ((i * 7919 + 13 + seed * 331) % 1500) as u32).collect()
}

/// With a seed it draws, without one it's greedy.
fn asked(config: &Config, prompt: Vec<u32>, tokens: usize, seed: Option<u64>) -> EngineRequest {
    let temperature = if seed.is_some() { 1.0 } else { 0.0 };
    let sampling =
        Sampling { temperature, seed: seed.unwrap_or_default(), ..Sampling::default() };
    let options =
        Options { max_new_tokens: tokens, ignore_eos: true, sampling, ..Options::default() };
    let request = Request::new(prompt, options, config).expect("it can be computed");
    EngineRequest { request, bias: Vec::new(), likely: Some(3) }
}

/// Twenty are more than are written at a time. Each of five leaves after another count of tokens.
#[test]
fn sixteen_at_a_time_get_what_each_gets_alone_and_some_of_them_leave() {
    let leaves = |index: usize| index % 4 == 3;
    let (together, alone) = (Engine::new(80), Engine::new(80));
    let all: Vec<EngineRequest> = (0..20)
        .map(|index| {
            // Of some the prompt ends in a block, of some with it; one needs two passes for its prompt, and begins others.
            let prompt =
                [ids(1 + 9 * index, index), ids(64, index), ids(520, 1)][index % 7 % 3].clone();
            let tokens = if leaves(index) {
                99
            } else if prompt.len() > 500 {
                5
            } else {
                1 + index * 2
            };
            let seed = (index % 2 == 0).then_some(index as u64);
            asked(together.config, prompt, tokens, seed)
        })
        .collect();
    let mut events: Vec<_> = together.push(all.clone()).into_iter().enumerate().collect();
    // They leave while the others are written: most have some tokens by then, the last are still in the queue.
    let leaving =
        events.extract_if(.., |(index, _)| leaves(*index)).map(|(index, mut events)| {
            let some = std::iter::from_fn(|| events.blocking_recv()).take(index - 3);
            (index, some.map(|event| event.what).collect())
        });
    let mut found: Vec<(usize, Answer)> = leaving.collect();
    found.extend(events.into_iter().map(|(index, events)| (index, answer(events))));
    for (index, found) in found {
        let found = found.expect("it is answered");
        let expected = alone.alone(&all[index]).expect("it is answered");
        let expected = if leaves(index) { &expected[..found.len()] } else { &expected };
        assert_eq!(found, expected, "answer {index}");
    }
    assert!(together.queue.counts().left > 0, "nobody has left");
    while together.queue.counts().running > 0 {
        thread::yield_now();
    }
    // Nobody holds anything any more but the tree.
    while together.prefix_cache.lock().expect("nobody panics").evict(1) {}
    assert_eq!(together.pool.in_use(), 0);
}

/// Only when a prompt is read to its end the next one begins, and then it finds all of it.
#[test]
fn prompts_longer_than_a_chunk_are_read_one_after_the_other() {
    one_after_the_other(600);
}

#[test]
fn so_are_prompts_that_would_fit_into_one_chunk() {
    one_after_the_other(150);
}

fn one_after_the_other(length: usize) {
    let engine = Engine::new(40);
    let prompt = ids(length, 1);
    let all: Vec<EngineRequest> =
        (0..3).map(|seed| asked(engine.config, prompt.clone(), 5, Some(seed))).collect();
    for (place, (mut events, asked)) in
        engine.push(all.clone()).into_iter().zip(&all).enumerate()
    {
        let events = std::iter::from_fn(|| events.blocking_recv());
        let (cached, found): (Vec<usize>, Vec<u32>) = events
            .map(|event| {
                let step = event.what.expect("it is answered");
                (event.cached, step.token.expect("they were asked for").id)
            })
            .unzip();
        assert_eq!(cached, [if place == 0 { 0 } else { length - 1 }; 5], "of prompt {place}");
        assert_eq!(found, engine.by_itself(asked), "prompt {place}");
    }
}

/// Earlier texts fill the pool, and a prompt of fifteen blocks is read in two passes.
#[test]
fn a_full_tree_is_looked_through_once_a_pass() {
    let engine = Engine::new(20);
    let text = |length, seed| asked(engine.config, ids(length, seed), 1, None);
    (0..3).for_each(|seed| drop(engine.alone(&text(400, 10 + seed)).expect("there is room")));
    let walks = || engine.prefix_cache.lock().expect("nobody panics").walks;
    let (full, before) = (engine.pool.in_use(), walks());
    engine.alone(&text(900, 1)).expect("there is room");
    assert_eq!((full, walks() - before), (20, 2));
}

/// An id that no weight has a row for, once among the tokens of a prompt and once where a token is chosen.
#[test]
fn what_breaks_the_engine_fails_alone() {
    let (together, alone) = (Engine::new(40), Engine::new(40));
    let believed = Config { vocab: 1 << 20, ..together.config.clone() };
    let beyond = 1 << 19;
    for (seed, at) in [(1, 5), (2, 0)] {
        let right: Vec<EngineRequest> = (0..3)
            .map(|text| {
                let prompt = ids(30 + 40 * text, 10 * seed + text);
                asked(together.config, prompt, 12, (text == 1).then_some(7))
            })
            .collect();
        let mut prompt = ids(70, 10 * seed + 5);
        prompt[at] = beyond;
        let in_the_prompt = asked(&believed, prompt, 5, None);
        let where_chosen = EngineRequest {
            bias: vec![(beyond, 1.0)],
            ..asked(together.config, ids(20, 10 * seed + 6), 5, None)
        };
        let mut all = right.clone();
        all.insert(1, in_the_prompt);
        all.insert(3, where_chosen);
        let found = together.answers(all);
        for (found, asked) in [&found[0], &found[2], &found[4]].into_iter().zip(&right) {
            assert_eq!(found, &alone.alone(asked), "{seed}: beside those that broke it");
            assert_eq!(found, &together.alone(asked), "{seed}: after those that broke it");
        }
        for broken in [&found[1], &found[3]] {
            let refusal = broken.as_ref().expect_err("it can't be computed");
            assert!(
                matches!(refusal, EngineError::Failed(why) if why.contains("broke the engine")),
                "{refusal:?}"
            );
        }
    }
    let counts = together.queue.counts();
    assert_eq!((counts.failed, counts.answered), (4, 12), "{counts:?}");
}

/// Two texts need their second block, one of them sooner or both in the same pass. What the one gives up serves the other.
#[test]
fn where_two_are_too_many_one_goes_on() {
    let alone = Engine::new(8);
    for length in 56..66 {
        let together = Engine::new(2);
        let both = [
            asked(alone.config, ids(60, length), 9, Some(3)),
            asked(alone.config, ids(length, 50), 9, None),
        ];
        let found = together.answers(both.to_vec());
        let refused: Vec<_> = found.iter().filter_map(|answer| answer.as_ref().err()).collect();
        assert_eq!(refused.len(), 1, "of 60 and {length}: {refused:?}");
        assert!(matches!(refused[0], EngineError::NoRoom(_)), "{refused:?}");
        for (found, asked) in found.iter().zip(&both).filter(|(found, _)| found.is_ok()) {
            assert_eq!(*found, alone.alone(asked), "beside one that had no room, {length}");
        }
    }
    // A prompt that would need the whole pool: the others don't notice it.
    let together = Engine::new(8);
    let mut all: Vec<EngineRequest> =
        (0..3).map(|text| asked(alone.config, ids(60, text), 10, Some(1))).collect();
    all.insert(1, asked(alone.config, ids(7 * BLOCK_SIZE, 9), 9, None));
    let found = together.answers(all.clone());
    for (index, (found, asked)) in found.iter().zip(&all).enumerate() {
        match index {
            1 => assert!(matches!(found, Err(EngineError::NoRoom(_))), "{found:?}"),
            _ => assert_eq!(*found, alone.alone(asked), "{index}"),
        }
    }
}
