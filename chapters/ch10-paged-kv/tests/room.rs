//! The two examples in block_pool.rs must not compile because of one fault each. Here they are without it, and compile.

mod forget {
    use std::sync::Arc;

    use ch10_paged_kv::{block_pool::Block, cache::KvCache};

    pub fn forget(mut shared: Arc<Block>) {
        Arc::get_mut(&mut shared).unwrap().rows.truncate(0);
    }
}

mod give_back {
    use ch10_paged_kv::block_pool::Block;

    pub fn give_back(block: Block) {
        drop(block);
    }
}

/// The words of a text, however its lines are broken and indented.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn without_their_faults_the_examples_compile() {
    let source = include_str!("../src/block_pool.rs");
    let examples: Vec<String> = source
        .split("/// ```compile_fail\n")
        .skip(1)
        .map(|rest| rest.split("/// ```\n").next().expect("its lines").replace("/// ", ""))
        .map(|example| words(&example.replace("///", "")))
        .collect();
    let faults: [&[(&str, &str)]; 2] = [
        &[
            ("(shared:", "(mut shared:"),
            ("shared.rows", "Arc::get_mut(&mut shared).unwrap().rows"),
        ],
        &[("drop(block); drop(block);", "drop(block);")],
    ];
    let here = words(include_str!("room.rs")).replace("pub fn", "fn");
    assert_eq!(examples.len(), faults.len());
    for (example, faults) in examples.iter().zip(faults) {
        let mut sound = example.clone();
        for (fault, instead) in faults {
            assert_eq!(sound.matches(fault).count(), 1, "{fault} in {example}");
            sound = sound.replace(fault, instead);
        }
        assert!(here.contains(&sound), "not among what compiles here: {sound}");
    }
}

/// And they do what they say.
#[test]
fn whoever_is_alone_may_write_and_what_is_dropped_is_given_back() {
    use ch10_paged_kv::block_pool::BlockPool;
    use ch10_paged_kv::cache::KvType;

    let config = ground::config::Config { layers: 1, ..test_support::qwen3_0_6b() };
    let pool = BlockPool::new(&config, KvType::F16, 2);
    let block = || pool.allocate().expect("there is memory");
    let (first, second) = (block().expect("free"), block().expect("free"));
    assert!(block().is_none(), "a third of two");
    assert_eq!(pool.in_use(), 2);
    give_back::give_back(first);
    assert_eq!(pool.in_use(), 1, "a block that is dropped is given back");
    forget::forget(second.into());
    assert_eq!(pool.in_use(), 0, "a block that is dropped is given back");
    assert_eq!(BlockPool::block_bytes(&test_support::qwen3_0_6b(), KvType::F16), 7 << 20);
    assert_eq!(BlockPool::block_bytes(&test_support::qwen3_0_6b(), KvType::F32), 14 << 20);
}
