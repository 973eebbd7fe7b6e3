//! The arguments that all chapters share: what would be ignored is refused.

use clap::Parser;
use ground::cli::CommonArgs;

#[derive(Debug, Parser)]
struct Args {
    #[command(flatten)]
    common: CommonArgs,
}

fn refused(arguments: &[&str]) -> String {
    let all = std::iter::once(&"program").chain(arguments);
    let error = Args::try_parse_from(all).expect_err("this cannot be meant");
    assert_eq!(error.exit_code(), 2, "{arguments:?}");
    error.to_string()
}

#[test]
fn a_flag_that_would_be_ignored_is_refused() {
    for (arguments, named) in [
        (&["--think", "on"][..], "--chat"),
        (&["--token-ids", "1,2", "a prompt"], "[PROMPT]"),
        (&["--token-ids", "1,2", "--chat"], "--chat"),
        (&["--top-logits", "3"], "--json"),
        (&["--layer-states"], "--json"),
    ] {
        let message = refused(arguments);
        assert!(message.contains(named), "{arguments:?}: {message}");
    }
}

#[test]
fn a_minus_sign_is_answered_with_what_was_expected() {
    for flag in ["-n", "--top-k", "--seed", "--top-logits", "--token-ids"] {
        let message = refused(&["--json", flag, "-1"]);
        let first = message.lines().next().expect("a message");
        assert!(first.contains("'-1'"), "{flag}: {message}");
        assert!(!message.contains("tip:"), "{flag}: {message}");
    }
    let message = refused(&["-n", "-1"]);
    assert!(message.contains("-n takes a number of tokens, 0 or more"), "{message}");
}
