//! A window for tests: the state of every position after the embedding and after each layer.

use std::cell::RefCell;
use std::collections::BTreeMap;

/// Of one text, `[1 + layers][positions][hidden]`: after the embedding, then after each layer.
pub type States = Vec<Vec<Vec<f32>>>;

thread_local! {
    /// `None` while the window is shut: then a note costs one look at this.
    static STATES: RefCell<Option<BTreeMap<usize, States>>> = const { RefCell::new(None) };
}

/// Where a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which text it is of, where a pass has rows of several: any number that tells them apart.
    pub text: usize,
    /// Its position there.
    pub position: usize,
}

/// A position of the only text.
impl From<usize> for Place {
    fn from(position: usize) -> Place {
        Place { text: 0, position }
    }
}

/// From now on, on this thread, states are kept.
pub fn start() {
    STATES.set(Some(BTreeMap::new()));
}

/// Shuts the window and hands over what was seen of the only text.
pub fn take() -> Option<States> {
    take_all().map(|mut texts| texts.remove(&0).unwrap_or_default())
}

/// Shuts the window and hands over what was seen of every text.
pub fn take_all() -> Option<BTreeMap<usize, States>> {
    STATES.take()
}

/// Keeps the rows of a pass, if the window is open: stage 0 is the embedding, stage 1 the first layer.
/// The first row is at `first`, and the others follow it; what was noted before for it and all after it in its text
/// is replaced.
pub fn note<'a, Row>(stage: usize, first: impl Into<Place>, rows: impl IntoIterator<Item = Row>)
where
    Row: IntoIterator<Item = &'a f32>,
{
    STATES.with_borrow_mut(|texts| {
        let Some(texts) = texts else { return };
        let Place { text, position } = first.into();
        let states = texts.entry(text).or_default();
        if states.len() <= stage {
            states.resize(stage + 1, Vec::new());
        }
        states[stage].resize(position, Vec::new());
        states[stage].extend(rows.into_iter().map(|row| row.into_iter().copied().collect()));
    });
}
