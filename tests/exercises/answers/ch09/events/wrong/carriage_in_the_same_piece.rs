//? recognised: between \r and \n
//? why: Makes `\n` of each `\r\n` before anything else, piece by piece. If a piece ends between the two, the `\r` stays, and a line that looks empty isn't.

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
        let mut simple = piece.to_vec();
        let mut at = 0;
        while at + 1 < simple.len() {
            if simple[at] == b'\r' && simple[at + 1] == b'\n' {
                simple.remove(at);
            }
            at += 1;
        }
        for part in simple.split_inclusive(|&byte| byte == b'\n') {
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
