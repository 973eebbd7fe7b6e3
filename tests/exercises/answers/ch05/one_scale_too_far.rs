//? title: A product of rows of Q8_0, with a fault
//? page: ch05/ahead.md
//? section: One request for each block
//? level: core
//? minutes: 20
//? call: check(product)
//? hint 1: Which numbers of blocks does the check name, and which row is the first that is wrong? Rows of two or four blocks are right, and so is row 0.
//? hint 2: Count the calls of `scales.next()` in a row of three blocks. Whose scale is the last one, and which scale does row 1 begin with?
//? hint 3: A row must not take a scale of the next one. Give each row an iterator of its own: `let mut scales = row.iter().map(scale);` inside of the closure. At the end of the row it returns `None`, also when there is a next row.
//? why: A row with an odd number of blocks has one block in its last step, and the step takes two scales. The second belongs to the
//?   next row, which then begins one scale too far. The row after it is off by two, and in the last rows the scales run out.
//?   `unwrap_or(0.0)` was meant for the end of a row and hides the end of the weight. An iterator over the row alone ends where
//?   the row ends. Rows of Qwen3-0.6B have 32, 64 or 96 blocks, so no run of that model would show it.

// The product of a weight in Q8_0 with one row of x, as this chapter defines it. The weight has rows of `d.len()` blocks, one
// row after the other. A block is 34 bytes: its scale s, a 16-bit float, and 32 signed integers. The row of x is rounded
// already: its block b has the integers q[32 * b] to q[32 * b + 31] and the scale d[b].
//
// An output is defined to the bit. It begins with 0.0, and for each block of the weight's row, in order:
//
// - isum is the sum of the 32 products of integers, an exact `i32`.
// - out = fma(s * d, isum as f32, out), where s * d is one product in `f32`.
//
// A row has at least one block, and each output depends on the blocks of its own row only. Scales may be anything, NaN too.
//
// This function reads the scales of two blocks before their integers, so that they are there in time. It compiles, and
// it is right for every weight of Qwen3-0.6B. Find its fault, and mend it.

use exercise_kit::f16_to_f32;

/// A scale of 16 bits and 32 integers.
type Block = [u8; 34];

// weight: [rows, blocks * 34], q: [blocks * 32], d: [blocks] -> [rows]
pub fn product(weight: &[u8], q: &[i8], d: &[f32]) -> Vec<f32> {
    let (blocks, q) = (weight.as_chunks().0, q.as_chunks::<32>().0);
    //-- starter
    // let mut scales = blocks.iter().map(scale);
    //-- solution
    //-- end
    let output = |row: &[Block]| {
        //-- solution
        let mut scales = row.iter().map(scale);
        //-- end
        let mut out = 0.0f32;
        for first in (0..row.len()).step_by(2) {
            let ahead = [scales.next().unwrap_or(0.0), scales.next().unwrap_or(0.0)];
            // The last step of a row may have one block only.
            for (block, s) in (first..row.len()).zip(ahead) {
                let isum = isum(&row[block], &q[block]) as f32;
                out = (s * d[block]).mul_add(isum, out);
            }
        }
        out
    };
    blocks.chunks_exact(d.len()).map(output).collect()
}

fn scale(block: &Block) -> f32 {
    f16_to_f32(u16::from_le_bytes([block[0], block[1]]))
}

fn isum(block: &Block, q: &[i8; 32]) -> i32 {
    block[2..].iter().zip(q).map(|(w, q)| i32::from(*w as i8) * i32::from(*q)).sum()
}

//-- check
pub mod check {
    use exercise_kit::explained::ask_each;
    use exercise_kit::{Checked, GIVEN, Random, f16_to_f32, f32_to_f16};

    type Block = [u8; 34];

    /// A weight and a row of x that is rounded.
    struct Product {
        case: String,
        weight: Vec<Block>,
        q: Vec<[i8; 32]>,
        d: Vec<f32>,
        /// Why the answer is likely to be wrong here, if it was right before.
        likely: &'static str,
    }

    const USED_UP: &str = "the scales are used up before the last row is done: earlier rows took some that are not theirs";

    pub fn check(answer: fn(&[u8], &[i8], &[f32]) -> Vec<f32>) -> Checked {
        let case = |it: &Product| it.case.clone();
        let answer = |it: &Product| {
            let found = answer(it.weight.as_flattened(), it.q.as_flattened(), &it.d);
            found.into_iter().map(bits).collect()
        };
        ask_each(
            products(),
            case,
            answer,
            right,
            |it, right, found| likely(it, right, found),
            shown,
        )
        .map_err(|failure| failure.if_stopped("`Option::unwrap()` on a `None`", USED_UP))
    }

    /// Of an output: any NaN equals any other.
    fn bits(x: f32) -> u32 {
        if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() }
    }

    fn shown(expected: &Vec<u32>, found: &Vec<u32>) -> (String, String) {
        let row = expected.iter().zip(found).position(|(expected, found)| expected != found);
        let of = |all: &Vec<u32>| match row {
            Some(row) => {
                format!("row {row}: {:?} (bits {:08x})", f32::from_bits(all[row]), all[row])
            }
            None => format!("{} outputs", all.len()),
        };
        (of(expected), of(found))
    }

    /// Rows of an even number of blocks come first: those the given function can do.
    fn products() -> Vec<Product> {
        let mut random = Random::new(41);
        let mut products: Vec<Product> =
            [(3, 2), (3, 32), (1, 1), (2, 3), (4, 1), (4, 5), (2, 301), (3, 4)]
                .map(|(rows, blocks)| Product::random(rows, blocks, &mut random))
                .into();
        products[0].likely = "all rows have the scales of row 0";
        products[2].likely = "the last block of a row with an odd number of blocks is missing";
        // The sums of integers that are farthest from zero.
        if let Some(Product { case, weight, q, .. }) = products.last_mut() {
            weight.iter_mut().for_each(|block| block[2..].fill(0x80));
            q.fill([127; 32]);
            q[1].fill(-127);
            case.push_str("; all w are -128, all q 127 or -127");
        }
        // A scale of any kind stays in its row, whichever block of it has it. Nothing is left out, zeros neither.
        for (place, scale, d, zeros) in [
            (3, 0x7e00, 0.01, ""),
            (5, 0x7c00, 0.01, ""),
            (4, 0xfc00, f32::INFINITY, ""),
            (0, 1, 0.01, ""),
            (0, 0x2000, 1e-30, ""),
            (1, 0, f32::INFINITY, ""),
            (1, 0x7e00, 0.01, ", all q are 0"),
            (1, 0x7c00, 0.01, ", all w are 0"),
        ] {
            let mut product = Product::random(3, 3, &mut random);
            product.weight[place][..2].copy_from_slice(&u16::to_le_bytes(scale));
            product.d[place % 3] = d;
            match zeros {
                "" => {}
                ", all q are 0" => product.q[place % 3] = [0; 32],
                _ => product.weight[place][2..].fill(0),
            }
            if !zeros.is_empty() {
                product.likely =
                    "a block of zeros was left out: NaN or infinity times 0 is NaN";
            }
            let s = f16_to_f32(scale);
            product.case +=
                &format!("; block {place} has the scale {s:e}, d is {d:e} there{zeros}");
            products.push(product);
        }
        products
    }

    impl Product {
        fn random(rows: usize, blocks: usize, random: &mut Random) -> Product {
            let weight = (0..rows * blocks).map(|_| {
                let mut block = [0; 34].map(|_| random.bits() as u8);
                let sign = (random.below(2) as u16) << 15;
                let scale = sign | f32_to_f16(random.number().abs() * 0.02 + 0.001);
                block[..2].copy_from_slice(&scale.to_le_bytes());
                block
            });
            let weight = weight.collect();
            let q = (0..blocks)
                .map(|_| [0; 32].map(|_: i8| (random.below(255) as i16 - 127) as i8))
                .collect();
            let d = (0..blocks).map(|_| random.number().abs() * 0.03 + 0.002).collect();
            Product {
                case: format!("{rows} rows of {blocks} blocks"),
                weight,
                q,
                d,
                likely: "",
            }
        }
    }

    /// `scale`: the number of a block's scale in the whole weight, from its row, its number there, and the blocks of a row.
    fn outputs(it: &Product, scale: fn(usize, usize, usize) -> usize) -> Vec<u32> {
        let blocks = it.d.len();
        let output = |row: usize| {
            let mut out = 0.0f32;
            for block in 0..blocks {
                let s = it
                    .weight
                    .get(scale(row, block, blocks))
                    .map_or(0.0, |block| f16_to_f32(u16::from_le_bytes([block[0], block[1]])));
                let products = it.weight[row * blocks + block][2..].iter().zip(&it.q[block]);
                let isum: i32 =
                    products.map(|(w, q)| i32::from(*w as i8) * i32::from(*q)).sum();
                out = (s * it.d[block]).mul_add(isum as f32, out);
            }
            bits(out)
        };
        (0..it.weight.len() / blocks).map(output).collect()
    }

    fn right(it: &Product) -> Vec<u32> {
        outputs(it, |row, block, blocks| row * blocks + block)
    }

    fn likely(it: &Product, expected: &[u32], found: Option<&Vec<u32>>) -> &'static str {
        let Some(found) = found else { return "" };
        // Two scales for each step of a row, from one walk over all.
        if *found == outputs(it, |row, block, all| row * all.next_multiple_of(2) + block) {
            return GIVEN;
        }
        let near = |(a, b): (&u32, &u32)| {
            let (a, b) = (f32::from_bits(*a), f32::from_bits(*b));
            a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-4 * a.abs().max(1.0)
        };
        let (blocks, mut both) = (it.d.len(), expected.iter().zip(found));
        match it.likely {
            _ if both.clone().all(near) => {
                "summed in f64: the definition rounds to f32 after every block"
            }
            "" if blocks % 2 == 1 && !both.all(|(a, b)| a == b) => {
                "after an odd row the scales are two too far now: one more was skipped, and one was too many before"
            }
            likely => likely,
        }
    }
}
