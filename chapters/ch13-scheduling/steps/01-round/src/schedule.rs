use crate::kernels::PIECE;

/// All that the schedule knows of a text: how many tokens it has, and how many of them have rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub known: usize,
    pub computed: usize,
}

impl Standing {
    pub fn lacks(&self) -> usize {
        self.known - self.computed
    }
}

/// How many rows each text gets in the next pass, the oldest text first. Whoever lacks a single row is writing, and gets it.
/// What the others lack are rows of a prompt, or rows that were taken from them: of these a pass has `budget`, and the
/// oldest are served first.
pub fn rows(texts: &[Standing], budget: usize) -> Vec<usize> {
    let mut rest = budget;
    let of_text = |text: &Standing| {
        let lacks = text.lacks();
        if lacks <= 1 {
            return lacks;
        }
        let end = text.computed + lacks.min(rest);
        // If it doesn't get to the end, it stops where a block does: only whole blocks are of use to others.
        let whole = end / PIECE * PIECE;
        let end = if end < text.known && whole > text.computed { whole } else { end };
        rest -= end - text.computed;
        end - text.computed
    };
    texts.iter().map(of_text).collect()
}
