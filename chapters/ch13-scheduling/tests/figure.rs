//! The figure of passes, on the page about the gap, counts with that page's example, and begins with what `Pace` learns from it.

use std::fs;
use std::time::Duration;

use ch13_scheduling::schedule::Pace;
use test_support::root;

const FIXED: f64 = 40.0;
const ROW: f64 = 2.4;
const GAP: Duration = Duration::from_millis(150);

#[test]
fn the_figure_of_passes_has_the_numbers_of_its_page() {
    let ms = |rows: usize| FIXED + ROW * (4 + rows) as f64;
    let mut pace = Pace::default();
    for _ in 0..20 {
        pace.passed(0, Duration::from_secs_f64(ms(0) / 1e3));
    }
    for _ in 0..20 {
        let rows = pace.fits(GAP);
        pace.passed(rows, Duration::from_secs_f64(ms(rows) / 1e3));
    }
    let (fits, gap) = (pace.fits(GAP), GAP.as_millis());
    for (file, says) in [
        ("js/inputs.js", format!("const [FIXED, ROW] = [{FIXED}, {ROW}];")),
        ("js/inputs.js", format!("[WRITERS, PROMPT, GAP, FITS] = [4, 2000, {gap}, {fits}];")),
        ("src/figures/passes.svg", format!("a pause of {:.0} ms<", ms(fits))),
        ("src/ch13/gap.md", format!("fixed = {FIXED} //")),
        ("src/ch13/gap.md", format!("row = {ROW} //")),
        ("src/ch13/gap.md", format!("gap = {gap} //")),
        ("src/ch13/gap.md", format!("so {fits} are left for the prompt")),
    ] {
        let text = fs::read_to_string(root().join("book").join(file)).expect("it is there");
        assert!(text.replace('\u{a0}', " ").contains(&says), "{file} does not say: {says}");
    }
}
