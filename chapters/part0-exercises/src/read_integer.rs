//! Read an integer of any type from a file's metadata
//!
//! A GGUF file says the type of each metadata value with a number: 0 u8, 1 i8, 2 u16, 3 i16, 4 u32, 5 i32, 10 u64, 11 i64.
//! The value follows, least significant byte first. Writers do not agree on the type they use for a count, so a reader takes all eight.
//!
//! Return the value if it is an integer of one of these types and not negative. `None` for every other type (6 is f32, 7
//! bool, 8 text ...), for a negative value, and when there are too few bytes. More bytes than needed are no error: the
//! next entry begins there.
//!
//! Level: core, about 20 minutes.
//! Read: "A value of the type you asked for", in the book at part0/file.html.
//! Run: `cargo run -- watch read_integer`, or once: `cargo test -p part0-exercises read_integer`.
//! Stuck: `cargo run -- hint read_integer`. Done: `cargo run -- solution read_integer`. Start over: `cargo run -- reset read_integer`.

pub fn read_integer(value_type: u32, bytes: &[u8]) -> Option<u64> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(read_integer) in "../../../tests/exercises/answers/part0/read_integer.rs");
