//? title: Where each tensor begins: offsets and alignment
//? page: part0/file.md
//? section: Where the numbers are
//? level: warm-up
//? minutes: 15
//? call: check(tensor_offsets)
//? hint 1: Keep one number: the first free byte. What happens to it before a tensor is placed, and what after?
//? hint 2: Before: round it up to the next multiple of the alignment, and if it is one already, leave it. After: add the tensor's size.
//? hint 3: `end.next_multiple_of(alignment)`, or `end.div_ceil(alignment) * alignment`.
//? why: The padding comes before a tensor, not after it. A multiple stays where it is, and nothing follows the last tensor.
//?   You may also round up each size instead of each end. Rounding the sum of the raw sizes is different, because the
//?   padding so far is missing from that sum.

// The tensors of a GGUF file are one after the other in its data section, each at an offset that is a multiple of the file's
// alignment (`general.alignment`, 32 unless the file says something else). Between two tensors there is just enough
// padding for that.
//
// Given the sizes in bytes, return the offset of each tensor from the beginning of the data section. The first is 0.
// Example: sizes 34, 64, 5 with alignment 32 begin at 0, 64, 128.
//
// Our reader accepts only powers of two as an alignment. Your function should work for every alignment from 1 on, 24 included.

// sizes: [n] -> [n]
pub fn tensor_offsets(sizes: &[u64], alignment: u64) -> Vec<u64> {
    //-- starter
    // todo!()
    //-- solution
    let mut end = 0u64;
    sizes
        .iter()
        .map(|size| {
            let start = end.next_multiple_of(alignment);
            end = start + size;
            start
        })
        .collect()
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, call, same};

    pub fn check(answer: fn(&[u64], u64) -> Vec<u64>) -> Checked {
        // The last ones are too large for 32 bits, for a float, and for a number with a sign.
        let cases: [(&[u64], u64); 9] = [
            (&[40, 40, 40, 64, 34, 1], 16),
            (&[32, 64, 96], 32),
            (&[], 32),
            (&[7, 9, 0, 3], 1),
            (&[40, 30, 1], 24),
            (&[3_000_000_000, 3_000_000_000, 1], 32),
            (&[(1 << 60) + 1, 5, 1], 32),
            (&[(1 << 63) + 1, 5, 1], 24),
            (&[40, 3, 1], (1 << 32) + 24),
        ];
        for (sizes, alignment) in cases {
            let case = format!("sizes {sizes:?}, alignment {alignment}");
            let found = call(&case, || answer(sizes, alignment))?;
            let place = |next: &dyn Fn(u64) -> u64| -> Vec<u64> {
                let mut start = 0;
                sizes
                    .iter()
                    .map(|size| {
                        let here = start;
                        start = next(start + size);
                        here
                    })
                    .collect()
            };
            let raw: Vec<u64> = (0..sizes.len())
                .map(|i| sizes[..i].iter().sum::<u64>().next_multiple_of(alignment))
                .collect();
            same(
                &case,
                &place(&|end| end.next_multiple_of(alignment)),
                &found,
                &[
                    (
                        "padded although the end was already a multiple",
                        place(&|end| end + alignment - end % alignment),
                    ),
                    (
                        "padded to 32, whatever the alignment is",
                        place(&|end| end.next_multiple_of(32)),
                    ),
                    (
                        "rounded with a bit mask, which needs a power of two: 24 is not one",
                        place(&|end| (end + alignment - 1) & !(alignment - 1)),
                    ),
                    (
                        "an offset beyond 4 GiB does not fit into 32 bits",
                        place(&|end| end.next_multiple_of(alignment))
                            .iter()
                            .map(|start| start & 0xffff_ffff)
                            .collect(),
                    ),
                    (
                        "these are the ends; the task asks where each tensor begins",
                        ends(sizes, alignment),
                    ),
                    (
                        "the sum of the sizes was rounded: earlier padding is missing from it",
                        raw,
                    ),
                ],
            )?;
        }
        Ok(())
    }

    fn ends(sizes: &[u64], alignment: u64) -> Vec<u64> {
        let mut end = 0u64;
        let next = sizes.iter().map(|size| {
            end = end.next_multiple_of(alignment) + size;
            end
        });
        next.collect()
    }
}
