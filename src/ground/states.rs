//! A window for tests: the state of every position after the embedding and after each layer.

use std::cell::RefCell;

/// `[1 + layers][positions][hidden]`: after the embedding, then after each layer.
pub type States = Vec<Vec<Vec<f32>>>;

thread_local! {
    /// `None` while the window is shut: then a note costs one look at this.
    static STATES: RefCell<Option<States>> = const { RefCell::new(None) };
}

/// From now on, on this thread, states are kept.
pub fn start() {
    STATES.set(Some(Vec::new()));
}

/// Shuts the window and hands over what was seen.
pub fn take() -> Option<States> {
    STATES.take()
}

/// Keeps the rows of a pass, if the window is open: stage 0 is the embedding, stage 1 the first layer.
/// The first row is at `position`; what was noted before for it and all after it is replaced.
pub fn note<'a, Row>(stage: usize, position: usize, rows: impl IntoIterator<Item = Row>)
where
    Row: IntoIterator<Item = &'a f32>,
{
    STATES.with_borrow_mut(|states| {
        let Some(states) = states else { return };
        if states.len() <= stage {
            states.resize(stage + 1, Vec::new());
        }
        states[stage].resize(position, Vec::new());
        states[stage].extend(rows.into_iter().map(|row| row.into_iter().copied().collect()));
    });
}
