//? recognised: cut in two pieces
//? why: Takes each piece apart by itself and keeps nothing of a line that it has seen half of. On one machine, with small events, it works all day.

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
        for line in piece.split_inclusive(|&byte| byte == b'\n') {
            if line.ends_with(b"\n") {
                events.extend(self.take_line(&String::from_utf8_lossy(line)));
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
