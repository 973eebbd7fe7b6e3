//! What a measurement must say about the machine it was made on.

use std::collections::BTreeSet;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use serde::Serialize;

/// The machine, as far as it can be asked without special rights.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The name of the processor, where the system tells it.
    pub cpu: String,
    /// How many threads can run at once.
    pub cores: usize,
    /// The instruction sets that this book's kernels ask for, as far as this processor has them.
    pub features: Vec<&'static str>,
    /// For example `x86_64`.
    pub arch: &'static str,
    /// For example `linux`.
    pub os: &'static str,
}

impl Machine {
    /// Describes the machine that this runs on.
    pub fn describe() -> Machine {
        Machine {
            cpu: cpu_name().unwrap_or_else(|| "unknown".into()),
            cores: std::thread::available_parallelism().map_or(1, |cores| cores.get()),
            features: features(),
            arch: std::env::consts::ARCH,
            os: std::env::consts::OS,
        }
    }
}

fn cpu_name() -> Option<String> {
    let info = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_string())
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    let known = [
        ("avx2", is_x86_feature_detected!("avx2")),
        ("fma", is_x86_feature_detected!("fma")),
        ("f16c", is_x86_feature_detected!("f16c")),
        ("avxvnni", is_x86_feature_detected!("avxvnni")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
        ("avx512vl", is_x86_feature_detected!("avx512vl")),
        ("avx512bw", is_x86_feature_detected!("avx512bw")),
        ("avx512vnni", is_x86_feature_detected!("avx512vnni")),
        // Rust can't ask for this one yet. The system can, and lists it only if it lets a process use it.
        ("amxint8", is_listed("amx_int8")),
    ];
    known.into_iter().filter(|(_, present)| *present).map(|(name, _)| name).collect()
}

/// Whether the system says that the processor has this; of other systems than Linux we don't know where they say so.
#[cfg(target_arch = "x86_64")]
fn is_listed(flag: &str) -> bool {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let flags = info.lines().find(|line| line.starts_with("flags"));
    flags.is_some_and(|flags| flags.split_whitespace().any(|listed| listed == flag))
}

#[cfg(target_arch = "aarch64")]
fn features() -> Vec<&'static str> {
    let dot_products = std::arch::is_aarch64_feature_detected!("dotprod");
    if dot_products { vec!["neon", "dotprod"] } else { vec!["neon"] }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn features() -> Vec<&'static str> {
    Vec::new()
}

/// How many threads are worth starting to compute: one for each core that this process may use.
///
/// Two threads of one core share its arithmetic, and a container may be allowed less than it sees.
pub fn usable_cores() -> usize {
    let allowed = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    allowed.min(cores_of(Path::new("/")).unwrap_or(allowed))
}

/// The cores of the processors that this process may run on, as Linux tells it below `root`; `None`
/// where it does not.
pub fn cores_of(root: &Path) -> Option<usize> {
    let status = fs::read_to_string(root.join("proc/self/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    let mut cores = BTreeSet::new();
    for cpu in listed(line)? {
        // Processors of one core name the same list: themselves.
        let file = format!("sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
        cores.insert(fs::read_to_string(root.join(file)).ok()?);
    }
    (!cores.is_empty()).then_some(cores.len())
}

/// What a list such as `0-3,8` names.
fn listed(list: &str) -> Option<Vec<usize>> {
    let mut numbers = Vec::new();
    for part in list.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        numbers.extend(first.parse::<usize>().ok()?..=last.parse().ok()?);
    }
    Some(numbers)
}

/// The most memory that this process has held at once, in bytes; `None` where the system does not tell.
pub fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// How much memory programs can still have, in bytes; `None` where the system does not tell.
pub fn available_memory() -> Option<u64> {
    let information = fs::read_to_string("/proc/meminfo").ok()?;
    let line = information.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// Half of that, in bytes, for whoever takes what it can get. The weights of a file that is mapped count as memory that is left,
/// and they have to stay in it.
pub fn half_of_memory() -> usize {
    available_memory().map_or(usize::MAX, |free| (free / 2) as usize)
}

/// Bytes per second that one thread can read from memory: the best of ten short tries. `None` where
/// there is no room for the 256 MiB to read.
pub fn read_bandwidth() -> Option<f64> {
    read_bandwidth_of(1)
}

/// Bytes per second that so many threads can read from memory together: the best of ten short tries.
/// `None` where there is no room for the 256 MiB to read.
pub fn read_bandwidth_of(threads: usize) -> Option<f64> {
    const LINE: usize = 8; // eight u64 are the 64 bytes that the memory hands out together
    const LENGTH: usize = 32 << 20; // 256 MiB, more than any cache here holds
    let mut buffer: Vec<u64> = Vec::new();
    buffer.try_reserve_exact(LENGTH).ok()?;
    buffer.resize(LENGTH, 1);
    let shares: Vec<&[u64]> = buffer.chunks(buffer.len().div_ceil(threads.max(1))).collect();
    let mut best = 0.0_f64;
    // Several distant places at once keep more of the memory busy than one stream does. How many
    // are best differs from machine to machine.
    for streams in [1, 2, 4, 8, 16, 1, 2, 4, 8, 16] {
        let together = Barrier::new(shares.len());
        let read = |share: &[u64]| {
            let lines = share.len() / LINE;
            // An odd number of lines apart: at a power of two all places would compete for the same
            // few lines of the cache.
            let length = ((lines / streams).saturating_sub(1) | 1) * LINE;
            let parts: Vec<&[u64]> = share.chunks_exact(length).take(streams).collect();
            together.wait();
            let start = Instant::now();
            let mut sum = 0_u64;
            for at in (0..length).step_by(LINE) {
                for part in &parts {
                    // One number of each line will do: the memory delivers all of it.
                    sum = sum.wrapping_add(part[at]);
                }
            }
            // The sum is never used; without this the compiler would not read the memory either.
            black_box(sum);
            (start, Instant::now(), parts.len() * length * size_of::<u64>())
        };
        let readings: Vec<(Instant, Instant, usize)> = thread::scope(|scope| {
            let readers: Vec<_> =
                shares.iter().map(|share| scope.spawn(|| read(share))).collect();
            readers
                .into_iter()
                .map(|reader| reader.join().expect("reading cannot fail"))
                .collect()
        });
        let start = readings.iter().map(|(start, ..)| *start).min();
        let end = readings.iter().map(|(_, end, _)| *end).max();
        let (Some(start), Some(end)) = (start, end) else { continue };
        let bytes: usize = readings.iter().map(|(.., bytes)| bytes).sum();
        best = best.max(bytes as f64 / (end - start).as_secs_f64());
    }
    Some(best)
}
