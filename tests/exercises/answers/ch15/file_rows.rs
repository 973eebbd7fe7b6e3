//? title: Which row is where in the file
//? page: ch15/block.md
//? section: Neighbours
//? level: warm-up
//? minutes: 20
//? call: check(file_rows)
//? hint 1: Take one head of six numbers. Which three pairs does the original turn? Write them under each other, and read them in the order of the file: first both of the first pair, then both of the second.
//? hint 2: For one head of 6 it's 0, 3, 1, 4, 2, 5. The next head has the same order, with 6 added to each. If you got 0, 2, 4, 1, 3, 5, you've written down where each row goes, and not which one comes.
//? hint 3: Row `at` of a head in the file belongs to pair `at / 2`, and is its first number if `at` is even, or else its second: `at / 2 + at % 2 * (head_dim / 2)`. To that add `head * head_dim`.
//? why: The converter lays the two rows of a pair side by side, and does it for each head by itself, since no pair reaches from one head into another. It does so for queries and keys alike, and
//?   a score is the sum over all products of a query's and a key's numbers, in whatever order. The rows of the value matrix stay where they are: values aren't turned, and the
//?   output projection expects them in the old order. With an order taken the wrong way round, every row is still there once, so no sum of a file's bytes and no shape tells. For heads of 4
//?   both ways are even the same, which is a good reason to test with another size.

// A rotary embedding turns the numbers of a head in pairs. In the original weights of a Llama, number `i` of a head is turned
// against number `i + head_dim / 2`, the first number of the pair and the second. In its GGUF file both lie side by side: pair
// `i` is at `2 * i` and `2 * i + 1` of the head, in the same order. So the rows of the matrix that makes the queries had to be
// reordered when the file was written.
//
// The matrix has `heads * head_dim` rows, those of head 0 first, and `head_dim` is even. Return for each of the file's rows,
// in their order, which row of the original it is. Both are counted from 0.

pub fn file_rows(heads: usize, head_dim: usize) -> Vec<usize> {
    //-- starter
    // todo!()
    //-- solution
    let half = head_dim / 2;
    let original = |head: usize, at: usize| head * head_dim + at / 2 + at % 2 * half;
    (0..heads).flat_map(|head| (0..head_dim).map(move |at| original(head, at))).collect()
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::Checked;
    use exercise_kit::explained::{Mistake, as_written, ask_all};

    type Given = (usize, usize);

    pub fn check(file_rows: fn(usize, usize) -> Vec<usize>) -> Checked {
        let asked =
            [(1, 2), (1, 6), (2, 4), (3, 6), (4, 8), (3, 64), (9, 64), (32, 128), (0, 8)];
        let case = |&(heads, head_dim): &Given| format!("{heads} heads of {head_dim}");
        let answer = |&(heads, head_dim): &Given| file_rows(heads, head_dim);
        let mistakes: [Mistake<Given, Vec<usize>>; 5] = [
            ("that's where each row of the original goes, not which one comes", |given| {
                let rows = right(given);
                let place = |row: usize| rows.iter().position(|&one| one == row);
                (0..rows.len()).filter_map(place).collect()
            }),
            (
                "a pair doesn't reach from one head into another: each head is reordered by itself",
                |&(heads, head_dim)| right(&(1, heads * head_dim)),
            ),
            ("the first number of a pair comes before the second", |given| {
                right(given).as_chunks().0.iter().flat_map(|&[a, b]| [b, a]).collect()
            }),
            ("the original turns halves: these are its neighbours", |&(heads, head_dim)| {
                (0..heads * head_dim).collect()
            }),
            ("every head has rows of its own, after those of the heads before it", |given| {
                right(given).iter().map(|row| row % given.1).collect()
            }),
        ];
        ask_all(asked, case, answer, right, &mistakes, as_written)
    }

    /// Pair after pair.
    fn right(&(heads, head_dim): &Given) -> Vec<usize> {
        let mut rows = Vec::new();
        for first in (0..heads).map(|head| head * head_dim) {
            for i in first..first + head_dim / 2 {
                rows.extend([i, i + head_dim / 2]);
            }
        }
        rows
    }
}
