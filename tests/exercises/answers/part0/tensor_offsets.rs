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
    use exercise_kit::explained::{as_written, ask_in_turn};
    use exercise_kit::{Checked, Random};

    type Given = (Vec<u64>, u64);

    pub fn check(answer: fn(&[u64], u64) -> Vec<u64>) -> Checked {
        let large = "an offset beyond 4 GiB does not fit into 32 bits";
        // In each, one thing more can go wrong.
        let cases: [(&str, &[u64], u64); 8] = [
            ("these are the ends; the task asks where each tensor begins", &[7], 1),
            ("padded to 32, whatever the alignment is", &[40, 1], 16),
            ("padded although the end was already a multiple", &[32, 64, 96], 32),
            (
                "the sum of the sizes was rounded: earlier padding is missing from it",
                &[40, 40, 1],
                16,
            ),
            (
                "rounded with a bit mask, which needs a power of two: 24 is not one",
                &[40, 30, 1],
                24,
            ),
            // Too large for 32 bits, for a float, and for a number with a sign.
            (large, &[3_000_000_000, 3_000_000_000, 1], 32),
            (large, &[(1 << 63) + 1, 5, 1], 24),
            (large, &[40, 3, 1], (1 << 32) + 24),
        ];
        let cases =
            cases.map(|(likely, sizes, alignment)| (likely, (sizes.to_vec(), alignment)));
        let mut random = Random::new(17);
        let drawn = (0..100).map(|count| {
            let most = [50, 1 << 20, 1 << 40][count % 3];
            let sizes = (0..count * 3).map(|_| random.below(most) as u64).collect();
            ("", (sizes, 1 + random.below(100) as u64))
        });
        let case =
            |(sizes, alignment): &Given| format!("sizes {sizes:?}, alignment {alignment}");
        let answer = |(sizes, alignment): &Given| answer(sizes, *alignment);
        let right = |(sizes, alignment): &Given| {
            let mut start = 0u64;
            let next = |size: &u64| {
                let here = start;
                start = (start + size).div_ceil(*alignment) * alignment;
                here
            };
            sizes.iter().map(next).collect::<Vec<u64>>()
        };
        ask_in_turn(cases.into_iter().chain(drawn), case, answer, right, as_written)
    }
}
