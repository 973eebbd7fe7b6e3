//! The formulas of `book/formulas` as MathML. A line `% NAME` begins one that is set on its own, `% NAME, inline` one in the line.

use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, push_mathml};

use super::Files;
use crate::fault::{BookError, Fault, files_under, read};
use crate::sources::Sources;

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, BookError> {
    let folder = sources.repository.root.join("book/formulas");
    let mut faults = Vec::new();
    for name in files_under(&folder)? {
        for formula in format!("\n{}", read(&folder.join(&name))?).split("\n% ").skip(1) {
            let (head, tex) = formula.split_once('\n').unwrap_or((formula, ""));
            let (stem, inline) = match head.strip_suffix(", inline") {
                Some(stem) => (stem, true),
                None => (head, false),
            };
            let math = mathml(tex, inline);
            if math.contains("<merror") {
                let why = format!("the formula {stem} does not parse: {math}");
                faults.push(Fault::in_file(format!("book/formulas/{name}"), why));
            }
            files.insert(format!("formulas/{stem}.md"), math);
        }
    }
    Ok(faults)
}

/// One line of MathML; a fault in the formula is an `<merror>` inside it.
pub fn mathml(tex: &str, inline: bool) -> String {
    let mode = if inline { DisplayMode::Inline } else { DisplayMode::Block };
    let config = RenderConfig { display_mode: mode, ..RenderConfig::default() };
    let storage = Storage::new();
    let mut out = String::new();
    if push_mathml(&mut out, Parser::new(tex.trim(), &storage), config).is_err() {
        out.push_str("<merror></merror>");
    }
    let line = out.split_whitespace().collect::<Vec<_>>().join(" ");
    if inline { line } else { format!("<div class=\"formula\">{line}</div>\n") }
}

#[cfg(test)]
mod tests {
    use super::mathml;

    #[test]
    fn good_and_bad_formulas() {
        let good = mathml("y_i = \\frac{x_i}{\\sqrt{\\epsilon + 1}} w_i\n", false);
        assert!(
            good.contains("<mfrac>") && !good.contains("<merror") && good.starts_with("<div"),
            "{good}"
        );
        assert!(mathml("x^2\n", true).starts_with("<math"));
        assert!(mathml("\\frac{a}{", false).contains("<merror"));
        assert!(mathml("\\nosuchthing", false).contains("<merror"));
    }
}
