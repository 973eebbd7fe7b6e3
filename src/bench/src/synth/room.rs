//! Whether there is room for a file: better to know before the hour of writing than after it.

use std::path::Path;

use super::SynthError;
use crate::size::size;

/// No file system holds a longer file: 2^63 - 1 bytes.
const LONGEST: u128 = i64::MAX as u128;

/// A file of `needed` bytes must fit into what is free in this folder.
pub fn check(needed: u128, folder: &Path) -> Result<(), SynthError> {
    if needed > LONGEST {
        return Err(SynthError::TooLarge { needed: size(needed) });
    }
    match free(folder) {
        Some(free) if u128::from(free) < needed => {
            Err(SynthError::NoRoom { needed: size(needed), free: size(free.into()) })
        }
        _ => Ok(()),
    }
}

/// What an ordinary user may still write there, in bytes; `None` where it cannot be asked.
#[cfg(unix)]
fn free(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    // Some file systems count nothing at all: their zero is no answer.
    (found.f_blocks > 0).then(|| found.f_bavail.saturating_mul(found.f_frsize))
}

#[cfg(not(unix))]
fn free(_folder: &Path) -> Option<u64> {
    None
}
