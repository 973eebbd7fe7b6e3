use std::num::NonZeroUsize;
use std::sync::Arc;

use ground::config::Config;
use ground::error::Error;
use ground::machine::{available_memory, half_of_memory};

use crate::block_pool::BlockPool;
use ch08_f16_cache::cache::KvType;
use ch08_f16_cache::kernels::BLOCK_SIZE;

/// How many answers, and how much memory for what they keep.
#[derive(clap::Args)]
pub struct Paged {
    /// Memory for the keys and values of all texts together, such as 512MiB or 2GB [default: as much as the PROMPT
    /// needs; for a server, as four whole contexts; but at most half of what is left]
    #[arg(long, value_name = "SIZE", value_parser = bytes, conflicts_with_all = ["kv", "compare"])]
    pub kv_room: Option<u64>,

    /// Answer the PROMPT so many times, each with the next seed
    #[arg(long, value_name = "N", default_value = "1", conflicts_with_all = ["kv", "compare"])]
    pub answers: NonZeroUsize,
}

impl Paged {
    /// A pool for `positions`, as far as there is memory, if nothing else is asked for.
    pub fn pool(
        &self,
        config: &Config,
        kv_type: KvType,
        positions: usize,
    ) -> Result<Arc<BlockPool>, Error> {
        let block = BlockPool::block_bytes(config, kv_type);
        let Some(asked) = self.kv_room else {
            let (wanted, most) = (positions.div_ceil(BLOCK_SIZE), half_of_memory() / block);
            if wanted > most {
                crate::log::line(format!(
                    "{most} blocks of keys and values, not {wanted}: they take half of the memory that is left (--kv-room)"
                ));
            }
            return Ok(BlockPool::new(config, kv_type, wanted.min(most.max(1))));
        };
        if asked < block as u64 {
            return Err(Error::chapter(format!(
                "--kv-room: {asked} bytes have no room for a block of {BLOCK_SIZE} positions, which takes {block}"
            )));
        }
        match available_memory() {
            Some(free) if asked > free => Err(Error::chapter(format!(
                "--kv-room: {asked} bytes are more memory than this machine has left: {free}"
            ))),
            _ => Ok(BlockPool::new(config, kv_type, (asked / block as u64) as usize)),
        }
    }
}

/// A number with a unit: powers of ten, or with an i powers of two.
fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit: u64 = match &text[digits.len()..] {
        "" | "B" => 1,
        "kB" | "KB" => 1000,
        "MB" => 1000 * 1000,
        "GB" => 1000 * 1000 * 1000,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return Err("expected a number with a unit, such as 512MiB or 2GB".into()),
    };
    let count = digits.parse().ok().and_then(|count: u64| count.checked_mul(unit));
    count.ok_or("expected a whole number that fits 64 bits".into())
}
