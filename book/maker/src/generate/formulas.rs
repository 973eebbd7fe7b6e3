//! `book/formulas/NAME.tex` as MathML. A file that begins with `% inline` is set in the line, others on their own.

use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, push_mathml};

use super::Files;
use crate::fault::{BookError, Fault, files_under, read};
use crate::sources::Sources;

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, BookError> {
    let folder = sources.repository.root.join("book/formulas");
    let mut faults = Vec::new();
    for name in files_under(&folder)? {
        let Some(stem) = name.strip_suffix(".tex") else { continue };
        let math = mathml(&read(&folder.join(&name))?);
        if math.contains("<merror") {
            faults.push(Fault::in_file(
                format!("book/formulas/{name}"),
                format!("the formula does not parse: {math}"),
            ));
        }
        files.insert(format!("formulas/{stem}.md"), math);
    }
    Ok(faults)
}

/// One line of MathML; a fault in the formula is an `<merror>` inside it.
pub fn mathml(source: &str) -> String {
    let inline = source.starts_with("% inline");
    let tex: String =
        source.lines().filter(|line| !line.starts_with('%')).collect::<Vec<_>>().join("\n");
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
        let good = mathml("y_i = \\frac{x_i}{\\sqrt{\\epsilon + 1}} w_i\n");
        assert!(
            good.contains("<mfrac>") && !good.contains("<merror") && good.starts_with("<div"),
            "{good}"
        );
        assert!(mathml("% inline\nx^2\n").starts_with("<math"));
        assert!(mathml("\\frac{a}{").contains("<merror"));
        assert!(mathml("\\nosuchthing").contains("<merror"));
    }
}
