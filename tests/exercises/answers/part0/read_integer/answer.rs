//? title: Read an integer of any type from a file's metadata
//? page: part0/file.md
//? section: Keys and values
//? level: core
//? minutes: 20
//? call: check(answer::read_integer)
//? hint 1: Eight types, four widths, one byte order. What must be refused: other types, too few bytes, and one more thing that a count can never be.
//? hint 2: `u32::from_le_bytes` and its seven relatives read an array; `bytes.first_chunk::<4>()` gives one, or None when the slice is too short. A signed value becomes a u64 with `try_from`.
//? hint 3: One match over the type: `5 => u64::try_from(i32::from_le_bytes(*bytes.first_chunk()?)).ok()`, and so on; everything else is None.
//? why: Each type reads exactly its own width, and `first_chunk` is `None` where the bytes end too early. `try_from` refuses a
//?   negative number. A cast would turn it into a gigantic one, and the next allocation would believe it.

//! A GGUF file says the type of each metadata value with a number: 0 u8, 1 i8, 2 u16, 3 i16, 4 u32, 5 i32, 10 u64, 11 i64.
//! The value follows, least significant byte first. Writers do not agree on the type they use for a count, so a reader takes all eight.
//!
//! Return the value if it is an integer of one of these types and not negative. `None` for every other type (6 is f32, 7
//! bool, 8 text ...), for a negative value, and when there are too few bytes. More bytes than needed are no error: the
//! next entry begins there.

pub fn read_integer(value_type: u32, bytes: &[u8]) -> Option<u64> {
    //-- starter
    // todo!()
    //-- solution
    match value_type {
        0 => bytes.first().map(|&byte| u64::from(byte)),
        1 => u64::try_from(i8::from_le_bytes(*bytes.first_chunk()?)).ok(),
        2 => Some(u64::from(u16::from_le_bytes(*bytes.first_chunk()?))),
        3 => u64::try_from(i16::from_le_bytes(*bytes.first_chunk()?)).ok(),
        4 => Some(u64::from(u32::from_le_bytes(*bytes.first_chunk()?))),
        5 => u64::try_from(i32::from_le_bytes(*bytes.first_chunk()?)).ok(),
        10 => Some(u64::from_le_bytes(*bytes.first_chunk()?)),
        11 => u64::try_from(i64::from_le_bytes(*bytes.first_chunk()?)).ok(),
        _ => None,
    }
    //-- end
}
