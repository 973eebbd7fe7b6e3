//? title: Read an integer of any type from a file's metadata
//? page: part0/file.md
//? section: A value of the type you asked for
//? level: core
//? minutes: 20
//? call: check(read_integer)
//? hint 1: Eight types, four widths, one byte order. What must be refused: other types, too few bytes, and one more thing that a count can never be.
//? hint 2: `u32::from_le_bytes` and its seven relatives read an array; `bytes.first_chunk::<4>()` gives one, or None when the slice is too short. A signed value becomes a u64 with `try_from`.
//? hint 3: One match over the type: `5 => u64::try_from(i32::from_le_bytes(*bytes.first_chunk()?)).ok()`, and so on; everything else is None.
//? why: Each type reads exactly its own width, and `first_chunk` is `None` where the bytes end too early. `try_from` refuses a
//?   negative number. A cast would turn it into a gigantic one, and the next allocation would believe it.

// A GGUF file says the type of each metadata value with a number: 0 u8, 1 i8, 2 u16, 3 i16, 4 u32, 5 i32, 10 u64, 11 i64.
// The value follows, least significant byte first. Writers do not agree on the type they use for a count, so a reader takes all eight.
//
// Return the value if it is an integer of one of these types and not negative. `None` for every other type (6 is f32, 7
// bool, 8 text ...), for a negative value, and when there are too few bytes. More bytes than needed are no error: the
// next entry begins there.

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

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, call_or};

    pub fn check(answer: fn(u32, &[u8]) -> Option<u64>) -> Checked {
        let all: &[u8] = &[0x28, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0xff];
        let ones: &[u8] = &[0xff; 8];
        let order = "the least significant byte comes first";
        let longer = "more bytes than needed are no error: the rest belongs to the next value";
        let eight = "a count may be stored in any of the eight types";
        let wide = "a u64 and an i64 have eight bytes, and all of them count";
        let unsigned = "this type has no sign";
        let negative = "a negative number became a large one: a cast does not refuse it";
        let zero = "0 is a count like any other: Some(0)";
        let short = "too few bytes: None, before anything is read";
        let other = "this type is not an integer: None";
        type Case<'a> = (u32, &'a str, &'a [u8], Option<u64>, &'static str);
        let cases: [Case; 32] = [
            (4, "u32", &all[..4], Some(0x0302_0128), order),
            (4, "u32", all, Some(0x0302_0128), longer),
            (0, "u8", all, Some(0x28), eight),
            (1, "i8", all, Some(0x28), eight),
            (2, "u16", all, Some(0x0128), eight),
            (3, "i16", all, Some(0x0128), eight),
            (5, "i32", all, Some(0x0302_0128), eight),
            (10, "u64", all, Some(0x0706_0504_0302_0128), wide),
            (11, "i64", all, Some(0x0706_0504_0302_0128), wide),
            (0, "u8", ones, Some(0xff), unsigned),
            (2, "u16", ones, Some(0xffff), unsigned),
            (4, "u32", ones, Some(0xffff_ffff), unsigned),
            (10, "u64", ones, Some(u64::MAX), unsigned),
            (3, "i16", ones, None, negative),
            // The sign alone: a negative number need not end in 0xff.
            (1, "i8", &[0x80], None, negative),
            (5, "i32", &[1, 0, 0, 0x80], None, negative),
            (11, "i64", &[0, 0, 0, 0, 0, 0, 0, 0xc0], None, negative),
            (0, "u8", &[0], Some(0), zero),
            (11, "i64", &[0; 8], Some(0), zero),
            (0, "u8", &[], None, short),
            (1, "i8", &[], None, short),
            (2, "u16", &all[..1], None, short),
            (3, "i16", &all[..1], None, short),
            (4, "u32", &all[..3], None, short),
            (5, "i32", &all[..3], None, short),
            (10, "u64", &all[..7], None, short),
            (11, "i64", &all[..7], None, short),
            (6, "f32", all, None, other),
            (7, "bool", &[1; 8], None, other),
            (12, "f64", all, None, other),
            (13, "no type at all", all, None, other),
            (0x8000_0100, "no type at all", all, None, other),
        ];
        for (value_type, name, bytes, expected, reason) in cases {
            let case = format!("type {value_type} ({name}), bytes (hexadecimal) {bytes:02x?}");
            let found = call_or(&case, shown(expected), reason, || answer(value_type, bytes))?;
            if found != expected {
                // Nothing at all is another mistake than the wrong order of bytes.
                let reason = match found {
                    None if reason == order => eight,
                    Some(_) if reason == eight => {
                        "the value is in the first bytes; those after it belong to the next one"
                    }
                    _ => reason,
                };
                return Err(Failure::new(&case, shown(expected), shown(found)).likely(reason));
            }
        }
        Ok(())
    }

    /// In hexadecimal too, where the bytes can be seen.
    fn shown(value: Option<u64>) -> String {
        value.map_or("None".into(), |value| format!("Some({value}), hexadecimal {value:x}"))
    }
}
