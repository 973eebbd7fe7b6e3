//! Three texts take turns, and a pool fills. The third one is too long for it.

use std::error::Error;

use ch10_paged_kv::block_pool::BlockPool;
use ch10_paged_kv::block_table::BlockTable;
use ch10_paged_kv::cache::{KvCache, KvType};
use ch10_paged_kv::pool_map::pool_map;
use ground::config::Config;
use ground::embedded;

fn main() -> Result<(), Box<dyn Error>> {
    let config = Config::from_gguf(&embedded::tiny_qwen3()?)?;
    let pool = BlockPool::new(&config, KvType::F16, 16);
    let [mut a, mut b, mut c] = [(); 3].map(|()| BlockTable::new(&pool));
    // How many positions each of them needs from now on: every row of the map is such a moment.
    for (of_a, of_b, of_c) in
        [(40, 0, 0), (70, 300, 0), (130, 364, 0), (200, 0, 10), (260, 0, 800)]
    {
        for (table, positions) in [(&mut a, of_a), (&mut b, of_b), (&mut c, of_c)] {
            match positions {
                0 => table.truncate(0), // the text has ended, or not begun
                positions => {
                    if let Err(full) = table.reserve(positions) {
                        println!("{full}");
                    }
                }
            }
        }
        println!("{}", pool_map(&pool, [('a', &a), ('b', &b), ('c', &c)].into_iter()));
    }
    Ok(())
}
