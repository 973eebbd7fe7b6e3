//! The queue of several owners, beside plain lists: who is next, who is refused, and how much waits at most.

use ch11_prefix_cache::decoder::EngineRequest;
use ch11_prefix_cache::queue::{Ended, Queue, Queued};
use ground::config::Config;
use ground::random::SplitMix64;
use ground::request::{Options, Request};
use openai::Stopwatch;
use tokio::sync::mpsc::unbounded_channel;

#[test]
fn each_owner_has_its_share_of_the_places_and_of_the_queue() {
    let config = Config { vocab: 1 << 20, context_length: 64, ..test_support::qwen3_0_6b() };
    let random = &mut SplitMix64::new(111);
    for _ in 0..300 {
        let (owners, limit, places) =
            (1 + random.below(5), 1 + random.below(20), 1 + random.below(6));
        let queue = Queue::new(limit, places);
        let (mut waiting, mut running, mut receivers) = (Vec::new(), Vec::new(), Vec::new());
        let of = |all: &[(usize, u32)], owner| all.iter().filter(|it| it.0 == owner).count();
        for number in 0..300u32 {
            if random.below(2) == 0 {
                // The first owner asks most.
                let (owner, count) =
                    (random.below(owners * 3) % (owners + 1) % owners, 1 + random.below(3));
                let queued = |index| {
                    let request = Request::new(vec![number], Options::default(), &config);
                    let asked = EngineRequest {
                        request: request.expect("it fits"),
                        bias: Vec::new(),
                        likely: None,
                    };
                    let (events, receiver) = unbounded_channel();
                    receivers.push(receiver);
                    let clock = Stopwatch::start();
                    Queued { asked, index, owner, clock, events }
                };
                let accepted = queue.push((0..count).map(queued).collect());
                let there =
                    (0..owners).filter(|&it| it == owner || of(&waiting, it) > 0).count();
                let its = of(&waiting, owner) + count;
                assert!(accepted || its > (limit / there).max(1), "refused within its share");
                assert!(
                    accepted || waiting.len() + count > limit,
                    "refused, and there was room"
                );
                if accepted {
                    waiting.extend((0..count).map(|_| (owner, number)));
                }
                assert!(!queue.is_full(owner) || waiting.len() >= limit);
            } else if random.below(3) > 0 && !running.is_empty() {
                let (owner, _) = running.swap_remove(random.below(running.len()));
                queue.ended(owner, Ended::Answered, 1, 0, 1);
            } else if !waiting.is_empty() {
                let fewest = waiting.iter().map(|&(owner, _)| of(&running, owner)).min();
                let first =
                    waiting.iter().position(|&(owner, _)| Some(of(&running, owner)) == fewest);
                let first = first.expect("somebody waits");
                match queue.next() {
                    Some(queued) => {
                        assert!(running.len() < places || fewest == Some(0), "no place");
                        let next = (queued.owner, queued.asked.request.prompt_ids()[0]);
                        assert_eq!(next, waiting.remove(first), "the oldest of who has least");
                        running.push(next);
                    }
                    None => assert!(running.len() >= places && fewest > Some(0), "a place"),
                }
            }
            let counts = queue.counts();
            assert_eq!(
                (counts.waiting, counts.running),
                (waiting.len() as u64, running.len() as u64)
            );
            assert!(running.len() < places + owners, "one more for each other owner");
            let mut each: Vec<usize> = (0..owners).map(|owner| of(&waiting, owner)).collect();
            each.sort_unstable_by(|one, other| other.cmp(one));
            let least = (1..).zip(&each).all(|(rank, &count)| count <= (limit / rank).max(1));
            assert!(least, "limit {limit}: {each:?} wait");
        }
    }
}
