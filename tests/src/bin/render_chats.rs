//! Conversations as text, to compare our rendering with another: `render_chats TEMPLATE.jinja` reads one
//! case per line (as in `fixtures/chat/cases.json`) and writes one JSON string per line.
//! `tests/oracle/chat_compare.py` runs it.

use ground::chat::{Message, render};
use std::error::Error;

#[derive(serde::Deserialize)]
struct Case {
    messages: Vec<Message>,
    enable_thinking: bool,
    add_generation_prompt: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args_os().nth(1).ok_or("usage: render_chats TEMPLATE.jinja")?;
    let template = std::fs::read_to_string(path)?;
    for line in std::io::stdin().lines() {
        let case: Case = serde_json::from_str(&line?)?;
        let text = render(
            &template,
            &case.messages,
            case.enable_thinking,
            case.add_generation_prompt,
        )?;
        println!("{}", serde_json::to_string(&text)?);
    }
    Ok(())
}
