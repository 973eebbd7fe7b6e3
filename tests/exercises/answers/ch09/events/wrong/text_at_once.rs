//? recognised: inside a character
//? why: Makes each piece a text as it comes. The two halves of a character come out as two marks, and nothing can join them again.

pub struct Events {
    held: String, // a line that isn't whole
    data: Option<String>,
}

impl Events {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Events {
        Events { held: String::new(), data: None }
    }

    pub fn push(&mut self, piece: &[u8]) -> Vec<String> {
        let mut events = Vec::new();
        for part in String::from_utf8_lossy(piece).split_inclusive('\n') {
            self.held += part;
            if part.ends_with('\n') {
                let line = std::mem::take(&mut self.held);
                events.extend(self.take_line(&line));
            }
        }
        events
    }

    /// A whole line, with its end. An empty one gives the event.
    fn take_line(&mut self, line: &str) -> Option<String> {
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.is_empty() {
            return self.data.take();
        }
        if let Some(more) = line.strip_prefix("data:") {
            let more = more.strip_prefix(' ').unwrap_or(more);
            self.data = Some(match self.data.take() {
                Some(data) => data + "\n" + more,
                None => more.to_string(),
            });
        }
        None
    }
}
