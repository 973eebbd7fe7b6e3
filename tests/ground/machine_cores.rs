//! How many cores a process may use, on machines that are made of files; and what this one can do.

use std::fs;

use ground::machine::{cores_of, peak_memory, read_bandwidth, read_bandwidth_of, usable_cores};
use tempfile::tempdir;

use crate::hostile_gguf::without_room_for;

/// A machine on which two processors share each core: its cores, for a process that may run on these.
fn cores(allowed: &str, siblings: &[&str]) -> Option<usize> {
    let root = tempdir().expect("a folder");
    let write = |path: String, text: String| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write("proc/self/status".into(), format!("Name:\tx\nCpus_allowed_list:\t{allowed}\n"));
    for (cpu, list) in siblings.iter().enumerate() {
        let file = format!("sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
        write(file, format!("{list}\n"));
    }
    cores_of(root.path())
}

#[test]
fn two_processors_of_one_core_are_one_core() {
    let siblings = ["0,2", "1,3", "0,2", "1,3"];
    for (allowed, expected) in [("0-3", 2), ("0,2", 1), ("1-2", 2), ("3", 1), ("0-1,3", 2)] {
        assert_eq!(cores(allowed, &siblings), Some(expected), "{allowed}");
    }
    assert_eq!(cores("0-3", &["0", "1", "2", "3"]), Some(4));
}

#[test]
fn a_system_that_does_not_tell_is_not_guessed_at() {
    assert_eq!(cores("0-3", &["0", "1"]), None);
    for strange in ["", "x", "0-", "3-1"] {
        assert_eq!(cores(strange, &["0", "1"]), None, "{strange:?}");
    }
    assert_eq!(cores_of(tempdir().expect("a folder").path()), None);
    assert!(usable_cores() >= 1);
}

/// Linux asks the processor by its own ways, and writes some names with a line in them.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
fn the_instructions_are_those_that_the_system_lists() {
    let info = fs::read_to_string("/proc/cpuinfo").expect("Linux has it");
    let line = info.lines().find(|line| line.starts_with("flags")).expect("it has flags");
    let listed: Vec<String> =
        line.split_whitespace().map(|flag| flag.replace('_', "")).collect();
    let mut wanted = vec!["avx2", "fma", "f16c", "avxvnni"];
    wanted.extend(["avx512f", "avx512vl", "avx512bw", "avx512vnni", "amxint8"]);
    wanted.retain(|name| listed.iter().any(|flag| flag == name));
    assert_eq!(ground::machine::Machine::describe().features, wanted);
}

/// Units of a thousand or a missing one are seen; how fast this memory is, only a stopwatch can say.
#[test]
fn memory_is_counted_in_bytes_and_seconds() {
    let speed = read_bandwidth().expect("256 MiB");
    assert!((1e8..1e13).contains(&speed), "{speed} bytes a second");
    if cfg!(target_os = "linux") {
        // What was read from to measure it: 256 MiB.
        let peak = peak_memory().expect("Linux tells it");
        assert!((256 << 20..1 << 40).contains(&peak), "{peak} bytes");
    }
}

#[test]
fn without_the_memory_to_read_from_there_is_no_figure() {
    for threads in [1, 3] {
        let speed = without_room_for(256 << 20, || read_bandwidth_of(threads));
        assert_eq!(speed, None);
    }
}
