//! A chat template is a program that a stranger wrote: whatever it does, there is a text or one line of error, after
//! little work, in little memory, and on a small stack.

use ground::chat::{ChatError, ChatTemplate, Message, render};
use ground::embedded::tiny_qwen3;
use ground::error::Error;
use ground::random::SplitMix64;
use ground::tokenizer::Tokenizer;

use test_support::memory::{memory_made, most_memory};

const MOST_MEMORY: usize = 64 << 20;
/// In all. That is work, too: a clock would say how busy the machine is.
const MOST_MADE: usize = 512 << 20;
/// As little as any thread has: the first one of a program on Windows.
const STACK: usize = 1 << 20;

/// One template, and what its error says. Without words it may end either way.
#[derive(serde::Deserialize)]
struct Case {
    what: String,
    template: Vec<Part>,
    #[serde(default)]
    says: Option<String>,
}

/// A text, or a text so many times.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Part {
    Once(String),
    Often(String, usize),
}

fn whole(parts: &[Part]) -> String {
    let part = |part: &Part| match part {
        Part::Once(text) => text.clone(),
        Part::Often(text, times) => text.repeat(*times),
    };
    parts.iter().map(part).collect()
}

fn conversation() -> [Message; 3] {
    let messages = [("user", "Hi"), ("assistant", "Hello!"), ("user", "What is 2 + 3?")];
    messages.map(|(role, content)| Message { role: role.into(), content: content.into() })
}

fn ids(template: &str, tokenizer: &Tokenizer) -> Result<Vec<u32>, Error> {
    let template = ChatTemplate::new(template, tokenizer)?;
    template.encode(&template.render(&conversation(), false, true)?)
}

/// Renders a short conversation within all the limits.
fn survive(what: &str, template: &str) -> Result<String, ChatError> {
    let messages = conversation();
    let ((result, memory), made) =
        memory_made(|| most_memory(|| render(template, &messages, false, true)));
    assert!(memory < MOST_MEMORY, "{what}: held {memory} bytes");
    assert!(made < MOST_MADE, "{what}: made {made} bytes");
    if let Err(error) = &result {
        let line = error.to_string();
        assert!(line.len() < 500, "{what}: an error of {} bytes", line.len());
        assert!(!line.contains(char::is_control), "{what}: {line:?} is not one line");
        assert!(line.contains("chat template"), "{what}: {line:?}");
    }
    result
}

/// Runs `work` on a small stack: where it overflows, the whole test program ends.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn every_hostile_template_is_a_text_or_one_line() {
    on_a_small_stack(|| {
        let cases = include_str!("../fixtures/chat/hostile.json");
        let cases: Vec<Case> = serde_json::from_str(cases).expect("a list of cases");
        assert!(cases.len() > 150, "only {} cases", cases.len());
        let file = tiny_qwen3().expect("the embedded model");
        let tokenizer = Tokenizer::from_gguf(&file).expect("its tokenizer");
        let mut wrong = Vec::new();
        for Case { what, template, says } in cases {
            match (survive(&what, &whole(&template)), says) {
                (Err(error), Some(says)) if !error.to_string().contains(&says) => {
                    wrong.push(format!("{what}: {error:?} does not say {says:?}"));
                }
                (Ok(text), Some(_)) => wrong.push(format!("{what}: a text of {}", text.len())),
                (Ok(text), None) if text.len() < 100_000 => {
                    let expected = tokenizer.encode(&text).expect("ids");
                    let ids = ids(&whole(&template), &tokenizer).expect("as many do");
                    assert!(ids == expected, "{what}: other tokens than those of the text");
                }
                (Err(_), None) | (Ok(_), None) | (Err(_), Some(_)) => (),
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

#[test]
fn a_namespace_of_thousands_is_refused_before_it_is_slow() {
    on_a_small_stack(|| {
        let ask_often = "{% for i in range(99999) %}{% if n %}{% endif %}{% endfor %}";
        let with = |names: usize, rest: &str| {
            let set = |name| format!("{{%set n.a{name:x}=1%}}");
            let names: String = (0..names).map(set).collect();
            survive(rest, &format!("{{% set n = namespace() %}}{names}{rest}"))
        };
        let error = with(3300, ask_often).expect_err("too many").to_string();
        assert!(error.contains("a namespace of 200 values is not supported"), "{error}");
        assert!(with(150, ask_often).expect_err("too often").to_string().contains("it loops"));
        assert_eq!(with(150, "{% set n.a0 = 7 %}{{ n.a0 }}").expect("a text"), "7");
    });
}

fn words(text: &str) -> Vec<&str> {
    text.split(';').collect()
}

/// Writes templates that mean nothing: operators, filters and methods upon each other, often in loops. Most
/// expressions fit together, so that most templates go on for a while.
struct Writer {
    random: SplitMix64,
}

impl Writer {
    fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.random.below(choices.len())]
    }

    fn template(&mut self) -> String {
        let mut template = String::from(
            "{% set a = 'ab\"c\\n' %}{% set b = [1, 'x', none] %}{% set c = {'k': 'v', 2: [3]} %}\
             {% set ns = namespace(x='z', y=[1]) %}",
        );
        for _ in 0..2 + self.random.below(4) {
            self.statement(3, &mut template);
        }
        template
    }

    fn statement(&mut self, depth: usize, out: &mut String) {
        match self.random.below(if depth == 0 { 4 } else { 9 }) {
            0 => out.push_str(&format!("{{{{ {} }}}}", self.any(3))),
            1 => {
                let (target, value) = (self.one_of(&["a", "ns.x"]), self.text(3));
                out.push_str(&format!("{{% set {target} = {value} %}}"));
            }
            2 => {
                let (target, value) = (self.one_of(&["b", "ns.y"]), self.list(3));
                out.push_str(&format!("{{% set {target} = {value} %}}"));
            }
            3 => {
                let target = self.one_of(&["a", "b", "ns.x", "ns.y"]);
                out.push_str(&format!("text\n{{% set {target} = {target} * 7 %}}"));
            }
            4 => {
                out.push_str(&format!("{{% if {} %}}", self.any(3)));
                self.statement(depth - 1, out);
                out.push_str("{% else %}");
                self.statement(depth - 1, out);
                out.push_str("{% endif %}");
            }
            5 => {
                out.push_str("{% set a %}");
                self.statement(depth - 1, out);
                out.push_str("{% endset %}");
            }
            _ => {
                let list =
                    if self.random.below(2) == 0 { "range(99)".into() } else { self.list(2) };
                out.push_str(&format!("{{% for d in {list} %}}"));
                self.statement(depth - 1, out);
                self.statement(depth - 1, out);
                out.push_str("{% endfor %}");
            }
        }
    }

    fn any(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self
                .one_of(&["a", "b", "c", "d", "none", "true", "2", "-3", "2.5", "ns", "loop"])
                .into();
        }
        let below = depth - 1;
        match self.random.below(7) {
            0 => self.text(depth),
            1 => self.list(depth),
            2 => {
                let sign = self.one_of(&["==", "!=", "<", "in"]);
                format!("({} {sign} {})", self.text(below), self.text(below))
            }
            3 => {
                let sign = self.one_of(&["and", "or", "==", "in"]);
                format!("({} {sign} {})", self.any(below), self.list(below))
            }
            4 => {
                let kind = self.one_of(&["defined", "string", "not none", "mapping"]);
                format!("({} is {kind})", self.any(below))
            }
            5 => {
                let sign = self.one_of(&["+", "-", "//", "%", "**"]);
                format!("({}|length {sign} 3)", self.list(below))
            }
            _ => {
                format!("({} if {} else {})", self.any(below), self.any(below), self.any(below))
            }
        }
    }

    fn text(&mut self, depth: usize) -> String {
        const METHODS: &str = ".split('b')[0];.split()[-1];.strip();.lstrip('ab');.replace('a', a);\
        .replace('', a);.upper();.title();[1:];[::-1];[:7];[::2];|tojson;|trim;|upper;\
        |string;|replace('b', ns.x);|default('x');|safe;[2:0:-1];.format(a);|strange;\
        .strange()";
        if depth == 0 {
            return self
                .one_of(&["a", "a", "ns.x", "'x'", "'\\x1b'", "messages[0].content"])
                .into();
        }
        match self.random.below(8) {
            0..3 => format!("({} + {})", self.text(depth - 1), self.text(depth - 1)),
            3 => format!("({} ~ {})", self.any(depth - 1), self.text(depth - 1)),
            4 => format!("{}.join({})", self.text(depth - 1), self.list(depth - 1)),
            _ => {
                // Now and then the wrong kind, or something that is not supported.
                let value =
                    if self.random.below(40) == 0 { self.any(1) } else { self.text(depth - 1) };
                let methods = words(METHODS);
                let odd = if self.random.below(10) == 0 { 0 } else { 4 };
                format!("({value}{})", methods[self.random.below(methods.len() - odd)])
            }
        }
    }

    fn list(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self
                .one_of(&words("b;b;ns.y;messages;range(9);[];((1, 2)|list);c.items()"))
                .into();
        }
        let below = depth - 1;
        match self.random.below(6) {
            0 | 1 => format!("({} + {})", self.list(below), self.list(below)),
            2 => format!("[{}, {}]", self.any(below), self.text(below)),
            3 => format!(
                "{}.{}",
                self.text(below),
                self.one_of(&["split('')", "split(a)", "splitlines()"])
            ),
            _ => format!(
                "({}{})",
                self.list(below),
                self.one_of(&["[1:]", "[::-1]", "|list", "[:5]", "[::3]"])
            ),
        }
    }
}

#[test]
fn templates_by_chance_are_texts_or_one_line() {
    templates(60);
}

#[test]
#[ignore = "cargo prove: a thousand templates"]
fn a_thousand_templates_by_chance_are_texts_or_one_line() {
    templates(1000);
}

fn templates(count: usize) {
    on_a_small_stack(move || {
        let mut writer = Writer { random: SplitMix64::new(4) };
        let mut texts = 0;
        for _ in 0..count {
            let template = writer.template();
            texts += usize::from(survive(&template, &template).is_ok());
        }
        // Neither all nor none: the checks refuse some, and leave the others alone.
        assert!((count / 10..count / 10 * 9).contains(&texts), "{texts} of {count} are texts");
    });
}

/// Writes one call of a filter or a method, with operands of every kind: short and long ones, and those that
/// become a text only when the call needs one.
fn call(writer: &mut Writer) -> String {
    const NAMES: &str = "replace;replace;replace;join;join;join;trim;strip;lstrip;rstrip;split;splitlines;\
        string;list;tojson;upper;title;capitalize;default;safe;items;first;last;length;\
        count;find;startswith;endswith;get;keys;cycle;changed";
    const VALUES: &str = "letters;letters;digits;truths;nones;list;list;numbers;map;range(9000);'';'a';1;1.5;tiny;\
        true;none;nothing;[];();(1, letters);[letters];loop;ns;messages;range;-1";
    let (names, values) = (words(NAMES), words(VALUES));
    const KEYWORDS: &[&str] = &["d=", "attribute=", "old=", "chars=", "default_value=", ""];
    let mut call = String::from(writer.one_of(&values));
    call.push_str(writer.one_of(&["|", "."]));
    call.push_str(writer.one_of(&names));
    let mut arguments = Vec::new();
    for _ in 0..writer.random.below(3) {
        let keyword = if writer.random.below(6) == 0 { writer.one_of(KEYWORDS) } else { "" };
        arguments.push(format!("{keyword}{}", writer.one_of(&values)));
    }
    format!("{call}({})", arguments.join(", "))
}

#[test]
fn calls_with_arguments_of_every_kind_are_texts_or_one_line() {
    calls(60);
}

#[test]
#[ignore = "cargo prove: a thousand calls"]
fn a_thousand_calls_with_arguments_of_every_kind_are_texts_or_one_line() {
    calls(1000);
}

fn calls(count: usize) {
    on_a_small_stack(move || {
        let mut writer = Writer { random: SplitMix64::new(8) };
        let mut texts = 0;
        for _ in 0..count {
            let call = call(&mut writer);
            let template = format!(
                "{{% set ns = namespace(x='z') %}}{{% set letters = 'a' %}}{{% set letters = letters * 60000 %}}\
                 {{% set digits = '1' %}}{{% set digits = digits * 60000 %}}\
                 {{% set truths = 'True' %}}{{% set truths = truths * 20000 %}}\
                 {{% set nones = 'None' %}}{{% set nones = nones * 20000 %}}\
                 {{% set tiny = 10.0 ** -300 %}}{{% set numbers = [tiny] %}}{{% set numbers = numbers * 9000 %}}\
                 {{% set list = range(9000)|list %}}{{% set map = {{'k': letters, 2: [3]}} %}}\
                 {{% for i in range(2) %}}{{% set made = {call} %}}{{{{ made|string|length }}}}{{% endfor %}}"
            );
            texts += usize::from(survive(&call, &template).is_ok());
        }
        // Neither all nor none: many calls get operands that they do not take.
        assert!((count / 20..count / 10 * 9).contains(&texts), "{texts} of {count} are texts");
    });
}
