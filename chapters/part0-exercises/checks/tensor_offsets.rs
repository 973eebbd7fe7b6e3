use exercise_kit::{Checked, call, same};

pub fn check(answer: impl Fn(&[u64], u64) -> Vec<u64>) -> Checked {
    let cases: [(&[u64], u64); 10] = [
        (&[40, 40, 40, 64, 34, 1], 16),
        (&[34, 64, 5], 32),
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
                    "no padding: every offset must be a multiple of the alignment",
                    place(&|end| end),
                ),
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
                    "computed with floats: an f64 has 53 bits, and an offset needs up to 64",
                    place(&|end| (end as f64 / alignment as f64).ceil() as u64 * alignment),
                ),
                (
                    "64 bits without a sign hold every offset; here they had one",
                    place(&|end| {
                        let alignment = alignment as i64;
                        ((end as i64).wrapping_add(alignment - 1) / alignment * alignment)
                            as u64
                    }),
                ),
                (
                    "an alignment may be a number of more than 32 bits",
                    place(&|end| end.next_multiple_of(u64::from(alignment as u32))),
                ),
                (
                    "these are the ends; the task asks where each tensor begins",
                    ends(sizes, alignment),
                ),
                ("the sum of the sizes was rounded: earlier padding is missing from it", raw),
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
