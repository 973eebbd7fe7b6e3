//? title: Where each tensor begins: offsets and alignment
//? page: part0/file.md
//? section: Where the numbers are
//? level: warm-up
//? minutes: 15
//? call: check(answer::tensor_offsets)
//? hint 1: Keep one number: the first free byte. What happens to it before a tensor is placed, and what after?
//? hint 2: Before: round it up to the next multiple of the alignment, and if it is one already, leave it. After: add the tensor's size.
//? hint 3: `end.next_multiple_of(alignment)`, or `end.div_ceil(alignment) * alignment`.
//? why: The padding comes before a tensor, not after it. A multiple stays where it is, and nothing follows the last tensor.
//?   You may also round up each size instead of each end. Rounding the sum of the raw sizes is different, because the
//?   padding so far is missing from that sum.

//! The tensors of a GGUF file are one after the other in its data section, each at an offset that is a multiple of the file's
//! alignment (`general.alignment`, 32 unless the file says something else). Between two tensors there is just enough
//! padding for that.
//!
//! Given the sizes in bytes, return the offset of each tensor from the beginning of the data section. The first is 0.
//! Example: sizes 34, 64, 5 with alignment 32 begin at 0, 64, 128.
//!
//! Our reader accepts only powers of two as an alignment. Your function should work for every alignment from 1 on, 24 included.

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
