//! A sweep's figures as a table.

use std::io::{self, Write};

use super::chapter::Setting;
use super::recording::{PromptFit, Ratio, Recording, Spread};

/// One table for every setting; after it what was fitted and compared.
pub fn print(
    recording: &Recording,
    settings: &[Setting],
    out: &mut dyn Write,
) -> io::Result<()> {
    let text =
        |spread: &Option<Spread>| spread.as_ref().map_or("n/a".into(), Spread::to_string);
    let cells = |index| recording.cells_of(index, settings.len());
    let repeat = recording.repeat;
    writeln!(
        out,
        "{}, {}: median (min-max) of {repeat}",
        recording.model, recording.stored_as
    )?;
    for (index, setting) in settings.iter().enumerate() {
        writeln!(out, "\n{}", setting.name)?;
        let heads = ["prefill tok/s", "decode tok/s", "first token ms", "whole run ms"];
        let [a, b, c, d] = heads;
        writeln!(out, "  {:<12} {a:<25} {b:<25} {c:<25} {d}", "")?;
        for cell in cells(index) {
            let [a, b, c, d] = [
                &cell.prefill_tokens_per_second,
                &cell.decode_tokens_per_second,
                &cell.time_to_first_token_ms,
                &cell.whole_run_ms,
            ]
            .map(text);
            writeln!(out, "  {:<12} {a:<25} {b:<25} {c:<25} {d}", cell.point.to_string())?;
        }
        for cell in cells(index) {
            let Some(fit) = &cell.fit else { continue };
            writeln!(out, "  fit of the decode passes at {}: {fit}", cell.point)?;
        }
    }
    for PromptFit { setting, fit } in &recording.prompt_fits {
        writeln!(out, "\nfit of the prompts with {setting}: {fit}")?;
    }
    for (index, pair) in settings.windows(2).enumerate() {
        let ratios = recording.ratios.iter().skip(index).step_by(settings.len() - 1);
        for (at, Ratio { point, prefill, decode, whole_run, same_tokens, .. }) in
            ratios.enumerate()
        {
            if at == 0 {
                writeln!(
                    out,
                    "\n{} is so many times as fast as {}:",
                    pair[1].name, pair[0].name
                )?;
                writeln!(out, "  {:<12} {:<25} {:<25} whole run", "", "prefill", "decode")?;
            }
            let [a, b, c] = [prefill, decode, whole_run].map(text);
            let tokens = if *same_tokens { "the same tokens" } else { "DIFFERENT tokens" };
            writeln!(out, "  {:<12} {a:<25} {b:<25} {c:<25} {tokens}", point.to_string())?;
        }
    }
    Ok(())
}
