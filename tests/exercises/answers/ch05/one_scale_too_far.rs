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
    use exercise_kit::{
        Checked, Failure, GIVEN, Near, Random, call, f16_to_f32, f32_to_f16, same_numbers,
    };

    type Block = [u8; 34];

    /// One question, and what came of it.
    struct Asked {
        product: Product,
        found: Vec<f32>,
    }

    /// A weight and a row of x that is rounded.
    struct Product {
        case: String,
        weight: Vec<Block>,
        q: Vec<[i8; 32]>,
        d: Vec<f32>,
        /// Told if no mistake explains all outputs.
        likely: Option<&'static str>,
    }

    const USED_UP: &str = "the scales are used up before the last row is done: earlier rows took some that are not theirs";
    const ZEROS: &str =
        "nothing is left out of the definition, zeros neither: NaN or infinity times 0 is NaN";

    pub fn check(answer: fn(&[u8], &[i8], &[f32]) -> Vec<f32>) -> Checked {
        let mut asked = Vec::new();
        for product in products() {
            let Product { case, weight, q, d, .. } = &product;
            let found = call(case, || answer(weight.as_flattened(), q.as_flattened(), d));
            let found = found.map_err(|failure| {
                let gone = failure.found.contains("`Option::unwrap()` on a `None`");
                if gone { failure.likely(USED_UP) } else { failure }
            })?;
            asked.push(Asked { product, found });
        }
        asked.iter().find_map(|one| one.failure(&asked)).map_or(Ok(()), Err)
    }

    /// Rows of an even number of blocks come first: those the given function can do.
    fn products() -> Vec<Product> {
        let mut random = Random::new(41);
        let mut products: Vec<Product> =
            [(3, 2), (3, 32), (1, 1), (2, 3), (4, 1), (4, 5), (2, 95), (3, 4)]
                .map(|(rows, blocks)| Product::random(rows, blocks, &mut random))
                .into();
        // The sums of integers that are farthest from zero.
        if let Some(Product { case, weight, q, .. }) = products.last_mut() {
            weight.iter_mut().for_each(|block| block[2..].fill(0x80));
            q.fill([127; 32]);
            q[1].fill(-127);
            case.push_str("; all w are -128, all q 127 or -127");
        }
        // A scale of any kind stays in its row, whichever block of it has it. Bits of the scale and d, of one block or all.
        for (place, scale, d, what) in [
            (Some(3), 0x7e00, 0.01, ""),
            (Some(5), 0x7c00, 0.01, ""),
            (Some(4), 0xfc00, f32::INFINITY, ""),
            (None, 1, 0.01, ""),
            (None, 0x2000, 1e-30, ""),
            (Some(1), 0, f32::INFINITY, ""),
            (Some(1), 0x7e00, 0.01, ", all q of it are 0"),
            (Some(1), 0x7c00, 0.01, ", all w of it are 0"),
        ] {
            let mut product = Product::random(3, 3, &mut random);
            let one = place.map_or(0..9, |place| place..place + 1);
            for place in one {
                product.weight[place][..2].copy_from_slice(&u16::to_le_bytes(scale));
                product.d[place % 3] = d;
                match what {
                    ", all q of it are 0" => product.q[place] = [0; 32],
                    ", all w of it are 0" => product.weight[place][2..].fill(0),
                    _ => {}
                }
            }
            let which = place.map_or("every block".into(), |place| format!("block {place}"));
            let s = f16_to_f32(scale);
            product.case += &format!("; {which} has the scale {s:e}, d is {d:e} there{what}");
            product.likely = place.filter(|place| *place == 1).map(|_| ZEROS);
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
            let case = format!("{rows} rows of {blocks} blocks");
            Product { case, weight, q, d, likely: None }
        }

        fn rows(&self) -> usize {
            self.weight.len() / self.d.len()
        }

        /// The output of a row, with terms that a mistake takes from elsewhere.
        fn output(&self, way: &Way, row: usize) -> f32 {
            let blocks = self.d.len();
            let (mut out, mut wide) = (0.0f32, 0.0f64);
            for block in 0..if way.whole_pairs { blocks / 2 * 2 } else { blocks } {
                let scale =
                    |block: &Block| f16_to_f32(u16::from_le_bytes([block[0], block[1]]));
                let s = self.weight.get((way.scale)(row, block, blocks)).map_or(0.0, scale);
                let w = &self.weight[row * blocks + block][2..];
                let products = w.iter().zip(&self.q[block]);
                let isum: i32 =
                    products.map(|(w, q)| i32::from(*w as i8) * i32::from(*q)).sum();
                out = (s * self.d[block]).mul_add(isum as f32, out);
                wide += f64::from(s * self.d[block]) * f64::from(isum);
            }
            if way.in_f64 { wide as f32 } else { out }
        }
    }

    impl Asked {
        fn compared(&self, way: &Way) -> Checked {
            let Product { case, .. } = &self.product;
            let rows = self.product.rows();
            let outputs: Vec<f32> =
                (0..rows).map(|row| self.product.output(way, row)).collect();
            same_numbers(case, &[("row", rows)], Near::Bits, &outputs, &self.found, &[])
        }

        fn failure(&self, asked: &[Asked]) -> Option<Failure> {
            let failure = self.compared(&RIGHT).err()?;
            // Many mistakes give the same bits here and there: one is named when it explains every output.
            let explains = |way: &Way| asked.iter().all(|one| one.compared(way).is_ok());
            let named =
                MISTAKES.iter().find(|(_, way)| explains(way)).map(|(reason, _)| *reason);
            Some(match named.or(self.product.likely) {
                Some(reason) => failure.likely(reason),
                None => failure,
            })
        }
    }

    /// How an output is computed, in parts that a mistake replaces.
    struct Way {
        /// The number of a block's scale in the whole weight: from its row, its number there, and the blocks of a row.
        scale: fn(usize, usize, usize) -> usize,
        /// The last block of an odd row is left out.
        whole_pairs: bool,
        in_f64: bool,
    }

    const RIGHT: Way = Way {
        scale: |row, block, blocks| row * blocks + block,
        whole_pairs: false,
        in_f64: false,
    };

    const MISTAKES: [(&str, Way); 5] = [
        // Two scales for each step of a row, from one walk over all.
        (
            GIVEN,
            Way {
                scale: |row, block, blocks| row * blocks.next_multiple_of(2) + block,
                ..RIGHT
            },
        ),
        (
            "the last block of a row with an odd number of blocks is missing",
            Way { whole_pairs: true, ..RIGHT },
        ),
        ("all rows have the scales of row 0", Way { scale: |_, block, _| block, ..RIGHT }),
        (
            "after an odd row the scales are two too far now: one more was skipped, and one was too many before",
            Way {
                scale: |row, block, blocks| row * (blocks + blocks % 2 * 2) + block,
                ..RIGHT
            },
        ),
        (
            "summed in f64: the definition rounds to f32 after every block",
            Way { in_f64: true, ..RIGHT },
        ),
    ];
}
