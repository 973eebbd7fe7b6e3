//! What a file of faults may hold, and how a fault is put in.

use faults::parse;

const ONE: &str = "[[fault]]\nname = 'a'\nstands = 'x'\nbecomes = 'y'\nred = 'seen'\n";

#[test]
fn a_fault_is_put_in_once() {
    let fault = &parse(ONE).expect("a fault")[0];
    assert_eq!(fault.red, ["seen"]);
    assert_eq!(fault.apply("1 x 2").as_deref(), Ok("1 y 2"));
    for (text, count) in [("1 2", 0), ("x x", 2)] {
        let refused = fault.apply(text).expect_err("not once");
        assert!(refused.contains("\"a\"") && refused.contains(&format!("{count} times")));
    }
}

#[test]
fn the_name_of_a_file_stands_for_the_word() {
    let text = ONE.replace("[[fault]]", "[['src/a.rs']]");
    assert_eq!(parse(&text).expect("a fault")[0].file.as_deref(), Some("src/a.rs"));
    let twice = text + "file = 'src/b.rs'\n";
    assert!(parse(&twice).expect_err("two files").contains("names two files"));
}

#[test]
fn several_changes_come_one_after_another() {
    let text = "[[fault]]\nname = 'a'\nred = ['one', 'two']\n\
                [[fault.change]]\nstands = 'x'\nbecomes = 'y'\n\
                [[fault.change]]\nstands = '1'\nbecomes = ''\n";
    let fault = &parse(text).expect("a fault")[0];
    assert_eq!(fault.red, ["one", "two"]);
    assert_eq!(fault.apply("1 x").as_deref(), Ok(" y"));
    assert!(fault.apply("x").is_err());
}

#[test]
fn what_could_never_be_red_is_refused() {
    for (text, said) in [
        (format!("{ONE}{ONE}"), "two faults are called \"a\""),
        (ONE.replace("stands = 'x'\n", ""), "needs `stands`"),
        (ONE.replace("'x'", "''"), "an empty `stands`"),
        (ONE.replace("'y'", "'x'"), "changes nothing"),
        (ONE.replace("'seen'", "' '"), "always there"),
        (ONE.replace("red = 'seen'\n", ""), "how it is noticed"),
        (ONE.replace("red", "rad"), "unknown field"),
        (format!("{ONE}[[fault.change]]\nstands = '1'\nbecomes = ''\n"), "needs `stands`"),
    ] {
        let refused = parse(&text).expect_err(said);
        assert!(refused.contains(said), "{refused}");
    }
}
