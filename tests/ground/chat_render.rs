//! Conversations as Python's jinja2 renders them, and templates that must not be trusted.

use ground::chat::{ChatError, Message, render};
use ground::embedded::tiny_qwen3;

fn message(role: &str, content: &str) -> Message {
    Message { role: role.into(), content: content.into() }
}

fn rendered(template: &str) -> Result<String, ChatError> {
    render(template, &[message("user", "Hi")], true, true)
}

/// A message of the fixture; thinking that is kept apart there goes where the model wrote it.
fn whole(json: &serde_json::Value) -> Message {
    let mut message: Message = serde_json::from_value(json.clone()).expect("a message");
    if let Some(thinking) = json.get("reasoning_content") {
        let thinking = thinking.as_str().expect("a text");
        message.content = format!("<think>\n{thinking}\n</think>\n\n{}", message.content);
    }
    message
}

#[test]
fn equal_to_the_reference() {
    let file = tiny_qwen3().expect("the embedded model");
    let template = file.text("tokenizer.chat_template").expect("its template");
    let fixture = include_str!("../fixtures/chat/cases.json");
    let fixture: serde_json::Value = serde_json::from_str(fixture).expect("JSON");
    let cases = fixture["cases"].as_array().expect("a list of cases");
    assert!(cases.len() >= 12, "only {} cases", cases.len());
    for case in cases {
        let messages: Vec<Message> =
            case["messages"].as_array().expect("messages").iter().map(whole).collect();
        let flag = |key: &str| case[key].as_bool().expect("true or false");
        let ours =
            render(template, &messages, flag("enable_thinking"), flag("add_generation_prompt"));
        let expected = case["rendered"].as_str().expect("a text");
        assert_eq!(ours.expect("a text"), expected, "{}", case["messages"]);
    }
}

#[test]
fn blocks_leave_no_lines_behind() {
    let template = "{% for m in messages %}\n  {% if true %}\n{{ m.content }}\n  {% endif %}\n{% endfor %}\nend\n";
    assert_eq!(rendered(template).expect("a text"), "Hi\nend");
}

#[test]
fn nothing_is_escaped_for_the_web() {
    let said = "<a href='x'>&\"\u{1F600}</a>";
    let out = render("{{ messages[0].content }}", &[message("user", said)], true, true);
    assert_eq!(out.expect("a text"), said);
}

/// The lists are what Python prints for `list(range(...))`.
#[test]
fn a_range_is_pythons() {
    let cases = [
        ("5", "[0, 1, 2, 3, 4]"),
        ("0", "[]"),
        ("-2", "[]"),
        ("3, 3", "[]"),
        ("2, 9, 3", "[2, 5, 8]"),
        ("2, 8, 3", "[2, 5]"),
        ("5, 1", "[]"),
        ("9, 2, -3", "[9, 6, 3]"),
        ("9, 3, -3", "[9, 6]"),
        ("1, 5, -1", "[]"),
        ("-3, 4, 2", "[-3, -1, 1, 3]"),
        ("4, -4, -5", "[4, -1]"),
    ];
    for (arguments, list) in cases {
        let out = rendered(&format!("{{{{ range({arguments}) }}}}"));
        assert_eq!(out.expect("a text"), list, "range({arguments})");
    }
}

#[test]
fn json_is_spaced_and_escaped_as_pythons() {
    let template = r#"{{ {"a": [1, 2.5, none, true], "b": {}, "c": []} | tojson }}"#;
    let expected = r#"{"a": [1, 2.5, null, true], "b": {}, "c": []}"#;
    assert_eq!(rendered(template).expect("a text"), expected);

    let said = "<&'\"\\/\n\u{1}\u{7f}é\u{1F600}>";
    let out =
        render("{{ messages[0].content | tojson }}", &[message("user", said)], true, true);
    assert_eq!(out.expect("a text"), "\"<&'\\\"\\\\/\\n\\u0001\u{7f}é\u{1F600}>\"");
}

#[test]
fn python_methods_work() {
    let template =
        "{{ ' a</think>b '.split('</think>')[-1].strip() }}{{ 'x'.startswith('x') }}";
    assert_eq!(rendered(template).expect("a text"), "bTrue");
}

#[test]
fn a_template_can_refuse_a_conversation() {
    let error = rendered("{{ raise_exception('roles must alternate') }}").expect_err("refused");
    assert!(error.to_string().contains("roles must alternate"), "{error}");
}

#[test]
fn a_template_that_does_not_parse_is_an_error_with_a_line() {
    let error = rendered("{% for m in messages %}\n{{ m.role").expect_err("not a template");
    assert!(error.to_string().contains("chat template"), "{error}");
    assert!(error.to_string().contains(":2"), "{error}");
}

#[test]
fn a_template_that_asks_for_what_is_not_there_is_an_error() {
    for template in
        ["{{ strange() }}", "{{ messages[0].content | strange }}", "{{ 'a'.strange() }}"]
    {
        let error = rendered(template).expect_err("should fail");
        assert!(error.to_string().contains("strange"), "{error}");
    }
}

#[test]
fn a_template_that_loops_is_an_error() {
    let nested =
        "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}";
    assert!(matches!(rendered(nested), Err(ChatError::Endless { .. })));
    let recursive = "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}";
    assert!(rendered(recursive).is_err());
}

#[test]
fn a_template_that_writes_without_end_is_an_error() {
    let template = "{% set x = 'x' %}{% for a in range(9999) %}{{ x * 100000 }}{% endfor %}";
    assert!(matches!(rendered(template), Err(ChatError::TooMuch { .. })));
    assert!(rendered("{{ 'x' * 1000000000000 }}").is_err());
}

#[test]
fn deep_nesting_is_an_error() {
    assert!(rendered(&format!("{{{{ {}1{} }}}}", "(".repeat(9999), ")".repeat(9999))).is_err());
    assert!(rendered(&"{% if true %}".repeat(9999)).is_err());
}

#[test]
fn long_conversations_have_steps_enough() {
    let file = tiny_qwen3().expect("the embedded model");
    let template = file.text("tokenizer.chat_template").expect("its template");
    let turns: Vec<Message> = (0..5000)
        .map(|i| {
            message(
                if i % 2 == 0 { "user" } else { "assistant" },
                "<think>\n\n</think>\n\nword",
            )
        })
        .collect();
    let out = render(template, &turns, true, true).expect("a text");
    assert_eq!(out.matches("<|im_start|>").count(), 5001);
}

#[test]
fn no_messages_at_all() {
    assert_eq!(
        render("{% for m in messages %}x{% endfor %}", &[], true, true).expect("a text"),
        ""
    );
}
