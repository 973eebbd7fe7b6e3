use ground::text::{NAME, one_line};

/// Each command's usage, and what it does.
pub const COMMANDS: [(&str, &str); 9] = [
    ("/help", "this list"),
    ("/reset", "forget all questions and answers"),
    ("/undo", "take back the last question and its answer"),
    ("/stats", "what each turn cost, and how full the context is"),
    ("/think on|off", "whether the model may think before it answers"),
    ("/set [NAME VALUE]", "change a setting; alone, show all of them"),
    ("/save FILE", "write the conversation to a file"),
    ("/load FILE", "go on with a conversation from a file"),
    ("/quit", "leave"),
];

pub fn help() -> String {
    let list = COMMANDS.map(|(usage, meaning)| format!("{usage:18} {meaning}\n")).concat();
    list + "A line that ends with \\ goes on in the next one. Ctrl-C ends an answer."
}

/// Why a line makes no sense, with the usage of its command if there is one.
pub fn refused(line: &str) -> String {
    let (shown, command) = (one_line(line, NAME), line.split_whitespace().next());
    match COMMANDS.iter().find(|(usage, _)| usage.split(' ').next() == command) {
        Some((usage, _)) => format!("{shown} is not how it is written: {usage}"),
        None => {
            let all = COMMANDS.map(|(usage, _)| usage).join(", ");
            format!("{shown} is no command: there are {all}; // begins a question with a /")
        }
    }
}
