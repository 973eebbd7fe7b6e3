/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunProgress {
    pub done: usize, // tokens of what is being read
    pub all: usize,  // of these
    pub new: usize,  // tokens of the reply: none while the prompt is read
}
