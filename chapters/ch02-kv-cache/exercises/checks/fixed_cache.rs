use exercise_kit::cache::CacheFull;
use exercise_kit::{Checked, Failure, Near, Random, call, call_or, same, same_numbers};

const CAPACITY: usize = 5;
const WIDTH: usize = 3;

pub fn check<C>(
    new: impl Fn(usize, usize) -> C,
    install: impl Fn(&mut C, &[f32]) -> Result<(), CacheFull>,
    rows: impl for<'a> Fn(&'a C) -> &'a [f32],
) -> Checked {
    let mut random = Random::new(4);
    let mut cache = call("a new cache of 5 rows, width 3", || new(CAPACITY, WIDTH))?;
    let mut expected: Vec<f32> = Vec::new();
    // Before the first row too: the memory is taken in new().
    let mut address = Some(call("rows() of a new cache", || rows(&cache).as_ptr())?);
    // How many rows come; the cache has room for 5.
    for adding in [2, 1, 3, 2, 1, 0] {
        let length = expected.len() / WIDTH;
        let case = format!("install {adding} rows into a cache that holds {length} of 5");
        let incoming = random.numbers(adding * WIDTH);
        let fits = length + adding <= CAPACITY;
        let full = CacheFull { length, adding, capacity: CAPACITY };
        let wanted = if fits { Ok(()) } else { Err(full) };
        let found =
            call_or(&case, format!("{wanted:?}"), "a panic instead of the error", || {
                install(&mut cache, &incoming)
            })?;
        let mut wrong = Vec::new();
        if adding == 0 {
            wrong.push(("no rows always fit, even into a full cache", Err(full)));
        }
        if !fits {
            wrong.push(("the cache grew beyond its capacity", Ok(())));
        } else if length + adding == CAPACITY {
            wrong.push(("the last free row was refused", Err(full)));
        }
        same(&case, &wanted, &found, &wrong)?;

        let attempted = [expected.clone(), incoming.clone()].concat();
        let fitted = attempted[..attempted.len().min(CAPACITY * WIDTH)].to_vec();
        if fits {
            expected = attempted;
        }
        let view = call(&format!("{case}, then rows()"), || rows(&cache))?;
        let mut padded = expected.clone();
        padded.resize(CAPACITY * WIDTH, 0.0);
        same_numbers(
            &format!("{case}, then rows()"),
            &[("row", CAPACITY), ("column", WIDTH)],
            Near::Bits,
            &expected,
            view,
            &[
                ("rows() shows the unused room too: only the rows so far", padded),
                (
                    "an install that does not fit wrote what fitted: it must write nothing",
                    fitted,
                ),
            ],
        )?;
        let here = view.as_ptr();
        if address.is_some_and(|before| before != here) {
            return Err(Failure::new(&case, "the rows stay where they are", "another address")
                .likely("the rows moved to another address: memory was taken a second time"));
        }
        address = Some(here);
    }
    long(&new, &install, &rows)
}

/// A conversation of 150,000 rows, one at a time: at the size of a real one memory that was guessed is too small.
fn long<C>(
    new: &impl Fn(usize, usize) -> C,
    install: &impl Fn(&mut C, &[f32]) -> Result<(), CacheFull>,
    rows: &impl for<'a> Fn(&'a C) -> &'a [f32],
) -> Checked {
    let case = "150000 rows of four times -0.0, one at a time";
    // Neighbours in memory, so that the rows cannot grow where they are.
    let _before = vec![1_u8; 400_000];
    let mut cache = call(case, || new(150_000, 4))?;
    let _after = vec![1_u8; 400_000];
    let before = call(case, || rows(&cache).as_ptr())?;
    for _ in 0..150_000 {
        call(case, || install(&mut cache, &[-0.0; 4]))?
            .map_err(|full| Failure::new(case, "Ok(())", format!("Err({full:?})")))?;
    }
    let count = call(case, || rows(&cache).len())? / 4;
    if count != 150_000 {
        return Err(Failure::new(case, "150000 rows", format!("{count} rows"))
            .likely("rows are missing: it was right for fewer"));
    }
    if call(case, || rows(&cache).iter().any(|x| x.is_sign_positive()))? {
        return Err(Failure::new(case, "every number is -0.0, as it came in", "some are 0.0")
            .likely("0.0 + -0.0 is 0.0, and a sign is lost: a copy keeps all bits"));
    }
    if call(case, || rows(&cache).as_ptr())? != before {
        return Err(Failure::new(case, "the rows stay where they are", "another address")
            .likely("the memory is a guess, and too small for so many rows"));
    }
    Ok(())
}
