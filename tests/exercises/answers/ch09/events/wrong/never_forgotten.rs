//? recognised: of an earlier one
//? why: Gives a copy of the data away and keeps its own. The second event begins with the first, and the third with both.

pub struct Events {
    held: Vec<u8>, // a line that isn't whole
    data: Option<String>,
}

impl Events {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Events {
        Events { held: Vec::new(), data: None }
    }

    pub fn push(&mut self, piece: &[u8]) -> Vec<String> {
        let mut events = Vec::new();
        for part in piece.split_inclusive(|&byte| byte == b'\n') {
            self.held.extend_from_slice(part);
            if part.ends_with(b"\n") {
                let line = std::mem::take(&mut self.held);
                events.extend(self.take_line(&String::from_utf8_lossy(&line)));
            }
        }
        events
    }

    /// A whole line, with its end. An empty one gives the event.
    fn take_line(&mut self, line: &str) -> Option<String> {
        let line = line.strip_suffix('\n').unwrap_or(line);
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.is_empty() {
            return self.data.clone();
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
