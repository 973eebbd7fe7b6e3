//! What a recording says of itself below a table or a figure: the machine, and how often what was measured.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::highlight::escape;
use crate::measured;
use crate::repository::Repository;

/// Of one recording, or of several that one table shows.
#[derive(Default)]
pub struct Recorded {
    machines: Vec<String>,
    threads: BTreeSet<u64>,
    prompts: BTreeSet<u64>,
    weights: Vec<String>,
    rounds: BTreeSet<u64>,
    dates: BTreeSet<String>,
    tiny: bool,
    by_hand: bool,
}

impl Recorded {
    /// All of these files of `book/measurements`.
    pub fn files<'a>(
        repository: &Repository,
        files: impl IntoIterator<Item = &'a str>,
    ) -> Result<Recorded, String> {
        let mut recorded = Recorded::default();
        for file in files {
            let recording = measured::recording(&repository.root, file)?;
            recorded.add(&recording, &[]);
        }
        Ok(recorded)
    }

    /// Only these cells of it, if there are any.
    pub fn add(&mut self, recording: &Value, cells: &[&Value]) {
        let about = &recording["about"];
        let numbers = |list: &Value| -> Vec<u64> {
            list.as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
        };
        let Some(machine) = machine(&recording["machine"]) else { return };
        if !self.machines.contains(&machine) {
            self.machines.push(machine);
        }
        match cells {
            [] => self.threads.extend(numbers(&about["threads"])),
            cells => {
                self.threads.extend(cells.iter().filter_map(|cell| cell["threads"].as_u64()))
            }
        }
        self.prompts.extend(numbers(&about["prompt"]));
        for kind in about["weights"].as_array().into_iter().flatten().filter_map(Value::as_str)
        {
            if !self.weights.iter().any(|known| known == kind) {
                self.weights.push(kind.into());
            }
        }
        self.rounds.extend(about["rounds"].as_u64());
        self.dates.extend(about["date"].as_str().map(String::from));
        self.tiny |= recording["model"].as_str().is_some_and(|name| name.starts_with("Tiny"));
        self.by_hand |= recording["what"].as_str().is_some_and(|what| what.contains("by hand"));
    }

    /// The machine, or those that are mixed.
    pub fn machines(&self) -> String {
        self.machines.join("; and ")
    }

    /// `2026-11-24`, or the first and the last day.
    pub fn date(&self) -> Option<String> {
        let (first, last) = (self.dates.first()?, self.dates.last()?);
        Some(if first == last { first.clone() } else { format!("{first} to {last}") })
    }

    /// Nothing of what was not measured.
    pub fn line(&self) -> Option<String> {
        (!self.machines.is_empty()).then(|| {
            let mut parts = vec![self.machines()];
            parts.extend(counted(&self.threads, "thread"));
            if let (Some(first), Some(last)) = (self.prompts.first(), self.prompts.last()) {
                let some = counted(&self.prompts, "token").unwrap_or_default();
                parts.push(match self.prompts.len() {
                    1 => format!("a prompt of {some}"),
                    2..=4 => format!("prompts of {some}"),
                    _ => format!("prompts of {} to {} tokens", spelled(*first), spelled(*last)),
                });
            }
            if !self.weights.is_empty() {
                let tiny = if self.tiny { "the tiny model in " } else { "" };
                parts.push(format!("{tiny}{}", listed(&self.weights)));
            }
            match self.rounds.last() {
                _ if self.by_hand => parts.push("noted by hand".into()),
                Some(1) if self.rounds.len() == 1 => parts.push("measured once".into()),
                Some(_) => parts.extend(
                    counted(&self.rounds, "round")
                        .map(|rounds| format!("median and range of {rounds}")),
                ),
                None => {}
            }
            parts.extend(self.date());
            format!("{}.", parts.join("; "))
        })
    }
}

/// `AMD EPYC (Zen 4), 2 cores, AVX-512, VNNI`
fn machine(machine: &Value) -> Option<String> {
    let cpu = machine["cpu"].as_str()?;
    let mut text = escape(cpu.replace("(R)", "").trim_end_matches(" Processor"));
    if let Some(design) = machine["design"].as_str() {
        text.push_str(&format!(" ({})", escape(design)));
    }
    match machine["cores"].as_u64() {
        Some(1) => text.push_str(", one core"),
        Some(cores) => text.push_str(&format!(", {} cores", spelled(cores))),
        None => {}
    }
    let has = |name: &str| {
        machine["features"].as_array().into_iter().flatten().any(|feature| feature == name)
    };
    let sets = [
        ("AVX2", has("avx2") && !has("avx512f")),
        ("AVX-512", has("avx512f")),
        ("VNNI", has("avxvnni") || has("avx512vnni")),
        ("BF16", has("avx512bf16")),
        ("AMX", has("amx_tile") || has("amxint8")),
        ("NEON", has("neon") || has("asimd")),
        ("dot products", has("dotprod") || has("asimddp")),
    ];
    let sets = sets.iter().filter(|(_, there)| *there).map(|(name, _)| format!(", {name}"));
    Some(text + &sets.collect::<String>())
}

/// `one and two threads`, `128 tokens`
fn counted(numbers: &BTreeSet<u64>, what: &str) -> Option<String> {
    let plural = if numbers.last()? == &1 { "" } else { "s" };
    let numbers: Vec<String> = numbers.iter().map(|number| spelled(*number)).collect();
    Some(format!("{} {what}{plural}", listed(&numbers)))
}

fn spelled(number: u64) -> String {
    const SMALL: [&str; 9] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight"];
    if let Some(word) = SMALL.get(number as usize) {
        return (*word).into();
    }
    let digits = number.to_string();
    match digits.len() {
        4.. => format!("{},{}", &digits[..digits.len() - 3], &digits[digits.len() - 3..]),
        _ => digits,
    }
}

/// `F32, F16 and Q8_0`
fn listed(words: &[String]) -> String {
    match words {
        [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn line(recordings: &[Value]) -> Option<String> {
        let mut recorded = Recorded::default();
        recordings.iter().for_each(|recording| recorded.add(recording, &[]));
        recorded.line()
    }

    #[test]
    fn a_line_names_the_machine_and_what_was_measured_on_it() {
        let one = json!({
            "machine": {"cpu": "AMD EPYC", "design": "Zen 4", "cores": 2, "features": ["avx2", "avx512f", "avx512vnni"]},
            "about": {"threads": [1, 2], "prompt": [128, 4096], "weights": ["F16"], "rounds": 3, "date": "2026-11-24"},
        });
        let expected = "AMD EPYC (Zen 4), two cores, AVX-512, VNNI; one and two threads; prompts of 128 and 4,096 tokens; F16; \
                        median and range of three rounds; 2026-11-24.";
        assert_eq!(line(std::slice::from_ref(&one)).as_deref(), Some(expected));
        let mut other = one.clone();
        other["machine"] =
            json!({"cpu": "Intel(R) Xeon(R) Processor", "features": ["avx2", "amx_tile"]});
        other["about"]["date"] = json!("2026-11-20");
        let both = line(&[one, other]).expect("a line");
        assert!(
            both.starts_with(
                "AMD EPYC (Zen 4), two cores, AVX-512, VNNI; and Intel Xeon, AVX2, AMX;"
            ),
            "{both}"
        );
        assert!(both.ends_with("; 2026-11-20 to 2026-11-24."), "{both}");
    }

    #[test]
    fn what_a_recording_does_not_say_is_left_out() {
        let old = json!({"machine": {"cpu": "AMD EPYC", "cores": 1}, "about": {"rounds": 1}});
        assert_eq!(line(&[old]).as_deref(), Some("AMD EPYC, one core; measured once."));
        assert_eq!(line(&[json!({"what": "copied from files"})]), None);
    }
}
