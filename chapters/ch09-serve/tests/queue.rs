//! The queue: whatever happens to its answers and in whichever order, each is counted once, and none is lost.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use ch09_serve::backend::Backend;
use ch09_serve::cache::{KvType, Mode};
use ch09_serve::compute::ComputeContext;
use ch09_serve::context::Context;
use ch09_serve::decoder::EngineRequest;
use ch09_serve::engine::work;
use ch09_serve::how::{How, PREFILL_CHUNK};
use ch09_serve::queue::{Counts, Ended, EngineGuard, Event, Queue, Queued};
use ch09_serve::recorder::system_clock;
use ch09_serve::session::Session;
use ground::config::Config;
use ground::request::{Options, Request, Step};
use openai::Stopwatch;
use proptest::prelude::*;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// An answer that is known by its prompt, and whoever waits for it.
fn queued(number: u32) -> (Queued, UnboundedReceiver<Event>) {
    let config = Config { vocab: 1 << 20, context_length: 64, ..test_support::qwen3_0_6b() };
    of(Request::new(vec![number], Options::default(), &config).expect("a request"))
}

fn of(request: Request) -> (Queued, UnboundedReceiver<Event>) {
    let (events, receiver) = unbounded_channel();
    (
        Queued {
            asked: EngineRequest { request, bias: Vec::new(), likely: None },
            index: 0,
            clock: Stopwatch::start(),
            events,
        },
        receiver,
    )
}

fn taken(queue: &Queue) -> Queued {
    queue.next().expect("it's open")
}

fn number(queued: &Queued) -> u32 {
    queued.asked.request.prompt_ids()[0]
}

fn sum(counts: Counts) -> u64 {
    counts.waiting + counts.running + counts.answered + counts.left + counts.failed
}

/// What can happen to a queue.
#[derive(Clone, Debug)]
enum Move {
    Push(usize),
    Leave(usize), // somebody who waits, or whose answer is computed
    Take,
    End(u8),
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        4 => (0usize..4).prop_map(Move::Push),
        3 => (0usize..100).prop_map(Move::Leave),
        3 => Just(Move::Take),
        3 => (0u8..3).prop_map(Move::End),
    ];
    prop::collection::vec(one, 0..120)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    /// Beside a list that is so plain that it needs no test.
    #[test]
    fn counts_add_up_whatever_happens(moves in moves(), limit in 1usize..8) {
        let queue = Queue::new(limit);
        let (mut waiting, mut running): (Vec<(u32, UnboundedReceiver<Event>)>, Vec<_>) = Default::default();
        let mut expected = Counts::default();
        let mut next = 0;
        for a_move in moves {
            match a_move {
                Move::Push(count) => {
                    let all: Vec<_> = (0..count as u32).map(|i| queued(next + i)).collect();
                    let (all, receivers): (Vec<Queued>, Vec<_>) = all.into_iter().unzip();
                    let fits = waiting.len() + count <= limit;
                    prop_assert_eq!(queue.push(all), fits, "{} of {}, {} more", waiting.len(), limit, count);
                    if fits {
                        waiting.extend((next..).zip(receivers));
                        expected.accepted += count as u64;
                    } else {
                        expected.refused += count as u64;
                    }
                    next += count as u32;
                }
                Move::Leave(which) if !waiting.is_empty() => {
                    waiting.remove(which % waiting.len());
                    expected.left += 1;
                }
                Move::Take if !waiting.is_empty() => {
                    let (first, receiver) = waiting.remove(0);
                    let queued = taken(&queue);
                    prop_assert_eq!(number(&queued), first, "the first that somebody wants");
                    running.push((queued, receiver));
                }
                Move::End(how) if !running.is_empty() => {
                    let (queued, _) = running.remove(0);
                    let (how, count) = match how {
                        0 => (Ended::Answered, &mut expected.answered),
                        1 => (Ended::Left, &mut expected.left),
                        _ => (Ended::Failed, &mut expected.failed),
                    };
                    *count += 1;
                    queue.ended(how, 3, 5);
                    expected.prompt_tokens += 3;
                    expected.generated_tokens += 5;
                    drop(queued);
                }
                _ => {}
            }
            expected.waiting = waiting.len() as u64;
            expected.running = running.len() as u64;
            let found = queue.counts();
            prop_assert_eq!(found, expected);
            prop_assert_eq!(found.accepted, sum(found));
        }
        // What nobody has taken is still there, in its order.
        for (number, _receiver) in &waiting {
            prop_assert_eq!(self::number(&taken(&queue)), *number);
        }
    }
}

#[test]
fn whom_nobody_waits_for_never_reaches_the_engine_and_takes_no_place() {
    let queue = Queue::new(3);
    let mut receivers = Vec::new();
    for number in 0..100 {
        let (queued, receiver) = queued(number);
        assert!(queue.push(vec![queued]), "{number}: those who have left take no place");
        // Two of three leave at once.
        if number % 50 == 0 {
            receivers.push(receiver);
        }
    }
    assert_eq!((number(&taken(&queue)), number(&taken(&queue))), (0, 50));
    let counts = queue.counts();
    assert_eq!((counts.accepted, counts.left, counts.running, counts.waiting), (100, 98, 2, 0));
    // An engine that waits for work is not woken by what nobody wants any more.
    let queue = Arc::new(queue);
    let (sender, found) = channel();
    let engine = Arc::clone(&queue);
    thread::spawn(move || sender.send(number(&taken(&engine))));
    let (gone, receiver) = queued(7);
    drop(receiver);
    assert!(queue.push(vec![gone]));
    assert!(
        found.recv_timeout(Duration::from_millis(50)).is_err(),
        "it took what nobody wants"
    );
    let (wanted, _receiver) = queued(8);
    assert!(queue.push(vec![wanted]));
    assert_eq!(found.recv_timeout(Duration::from_secs(60)), Ok(8));
}

/// A bug outside of any answer: nothing may wait for an engine that isn't there any more.
#[test]
fn when_the_engine_breaks_nobody_waits_for_it() {
    let queue = Arc::new(Queue::new(4));
    let (queued, mut receivers): (Vec<_>, Vec<_>) = (0..3).map(queued).unzip();
    assert!(queue.push(queued));
    let its = Arc::clone(&queue);
    let engine = thread::spawn(move || {
        let _guard = EngineGuard(&its);
        let _running = taken(&its);
        panic!("it breaks");
    });
    assert!(engine.join().is_err(), "it has broken");
    assert!(receivers.iter_mut().all(|events| events.blocking_recv().is_none()));
    let (late, mut events) = self::queued(7);
    assert!(!queue.push(vec![late]) && queue.is_closed() && queue.next().is_none());
    assert!(events.blocking_recv().is_none(), "it's too late");
    let counts = queue.counts();
    assert_eq!((counts.accepted, counts.failed, sum(counts)), (3, 3, 3));
}

/// With the engine itself and the model.
#[test]
fn an_answer_ends_when_its_client_has_left() {
    let file = ground::embedded::tiny_qwen3().expect("it opens");
    let compute = ComputeContext::new(Backend::choose("auto").expect("one"), 1);
    let compute = compute.expect("a thread starts");
    let session = Session::open(&file, system_clock(), compute, KvType::F16).expect("it opens");
    let (config, most) = (&session.model.config, 1000);
    let how = How { kv: Mode::Contiguous, prefill_chunk: PREFILL_CHUNK };
    let cache = how.kv.cache(config, KvType::F16, most + 1).expect("there is room");
    let mut context = Context::new(cache, &how, most + 1);
    let options = Options { max_new_tokens: most, ignore_eos: true, ..Options::default() };
    let (queued, mut events) = of(Request::new(vec![5], options, config).expect("a request"));
    let queue = Queue::new(1);
    assert!(queue.push(vec![queued]));
    thread::scope(|scope| {
        scope.spawn(|| work(&session, &mut context, &queue));
        assert!(events.blocking_recv().is_some_and(|event| event.what.is_ok()));
        drop(events);
        while queue.counts().running > 0 {
            thread::sleep(Duration::from_millis(5));
        }
        queue.close();
    });
    let Counts { left, generated_tokens: all, .. } = queue.counts();
    let said =
        format!("{left} has left, after the first of {most} tokens, and {all} were computed");
    assert!(left == 1 && all < most as u64, "{said}");
}

#[test]
fn a_request_is_accepted_as_a_whole_or_not_at_all() {
    let queue = Queue::new(4);
    let some = |from: u32, count: u32| -> (Vec<Queued>, Vec<_>) {
        (from..from + count).map(queued).unzip()
    };
    let (three, _keep) = some(0, 3);
    assert!(queue.push(three));
    let (two, _keep_too) = some(10, 2);
    assert!(!queue.push(two), "one of them has no place");
    let counts = queue.counts();
    assert_eq!((counts.accepted, counts.refused, counts.waiting), (3, 2, 3));
    let (one, _keep_one) = some(20, 1);
    assert!(queue.push(one));
    assert_eq!([0; 4].map(|_| number(&taken(&queue))), [0, 1, 2, 20]);
}

#[test]
fn many_at_once_lose_nothing() {
    let queue = Arc::new(Queue::new(1000));
    let (pushers, each) = (8, 50);
    let engine = Arc::clone(&queue);
    let engine = thread::spawn(move || {
        let mut seen = Vec::new();
        while seen.len() < 8 * 50 {
            let queued = taken(&engine);
            seen.push(number(&queued));
            let told = queued.tell(Ok(Step { text: "x".into(), token: None, finish: None }));
            assert!(told, "somebody waits");
            engine.ended(Ended::Answered, 1, 1);
        }
        seen
    });
    let clients: Vec<_> = (0..pushers)
        .map(|client| {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                for i in 0..each {
                    let (queued, mut receiver) = queued(client * each + i);
                    assert!(queue.push(vec![queued]));
                    let event = receiver.blocking_recv().expect("an event");
                    assert_eq!(
                        (event.index, event.what.expect("a step").text.as_str()),
                        (0, "x")
                    );
                }
            })
        })
        .collect();
    clients.into_iter().for_each(|client| client.join().expect("a client"));
    let mut seen = engine.join().expect("the engine");
    seen.sort_unstable();
    assert_eq!(seen, (0..400).collect::<Vec<_>>(), "each once");
    let counts = queue.counts();
    assert_eq!((counts.accepted, counts.answered, sum(counts)), (400, 400, 400));
}
