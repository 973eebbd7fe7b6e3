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
        case: String,
        product: Product,
        found: Vec<f32>,
    }

    /// A weight of `rows` rows, and a row of x that is rounded.
    struct Product {
        rows: usize,
        weight: Vec<Block>,
        q: Vec<[i8; 32]>,
        d: Vec<f32>,
    }

    const SMALL: &str = "small scales count too: they are not 0";

    const USED_UP: &str = "the scales are used up before the last row is done: earlier rows took some that are not theirs";

    pub fn check(answer: fn(&[u8], &[i8], &[f32]) -> Vec<f32>) -> Checked {
        let mut asked = Vec::new();
        for (case, product) in products() {
            let Product { weight, q, d, .. } = &product;
            let found = call(&case, || answer(weight.as_flattened(), q.as_flattened(), d));
            let found = found.map_err(|failure| {
                let gone = failure.found.contains("`Option::unwrap()` on a `None`");
                if gone { failure.likely(USED_UP) } else { failure }
            })?;
            asked.push(Asked { case, product, found });
        }
        asked.iter().find_map(|one| one.failure(&asked)).map_or(Ok(()), Err)
    }

    /// Rows of an even number of blocks come first: those the given function can do.
    fn products() -> Vec<(String, Product)> {
        let mut random = Random::new(41);
        let mut products = Vec::new();
        let sizes =
            [(3, 2), (2, 4), (3, 32), (1, 1), (1, 3), (2, 3), (4, 1), (4, 5), (7, 7), (2, 95)];
        for (rows, blocks) in sizes {
            let case = format!("{rows} rows of {blocks} blocks");
            products.push((case, Product::random(rows, blocks, &mut random)));
        }
        // A scale that is not a number must stay in its row, whichever block of it has it.
        for (block, name, bits) in [
            (0, "NaN", 0x7e00),
            (0, "infinite", 0x7c00),
            (2, "NaN", 0x7e00),
            (1, "infinite", 0xfc00),
        ] {
            let case =
                format!("3 rows of 3 blocks; the scale of block {block} in row 1 is {name}");
            let mut product = Product::random(3, 3, &mut random);
            product.weight[3 + block][..2].copy_from_slice(&u16::to_le_bytes(bits));
            products.push((case, product));
        }
        let mut product = Product::random(2, 3, &mut random);
        product.d[2] = f32::INFINITY;
        products.push(("2 rows of 3 blocks; d of block 2 is infinite".into(), product));
        // Nothing is left out of the definition: not a sum of 0, and not a scale of 0.
        for (block, bits, d) in [(1, 0x7e00, 0.01), (1, 0x7c00, 0.01), (1, 0, f32::INFINITY)] {
            let mut product = Product::random(2, 3, &mut random);
            product.weight[block][..2].copy_from_slice(&u16::to_le_bytes(bits));
            product.d[block] = d;
            if bits != 0 {
                product.q[block] = [0; 32];
            }
            let s = f16_to_f32(bits);
            let sum = if bits == 0 { "any integers" } else { "all q are 0" };
            let case = format!(
                "2 rows of 3 blocks; in block 1 of row 0 the scale is {s}, d is {d}, {sum}"
            );
            products.push((case, product));
        }
        // Scales that are small, and not 0.
        for (scale, d) in [(1, 0.01), (0x2000, 1e-30)] {
            let mut product = Product::random(2, 3, &mut random);
            product
                .weight
                .iter_mut()
                .for_each(|block| block[..2].copy_from_slice(&u16::to_le_bytes(scale)));
            product.d.fill(d);
            let case = format!(
                "2 rows of 3 blocks; all scales are {:e}, all d are {d:e}",
                f16_to_f32(scale)
            );
            products.push((case, product));
        }
        // The sums of integers that are farthest from zero.
        let mut product = Product::random(3, 4, &mut random);
        product.weight.iter_mut().for_each(|block| block[2..].fill(0x80));
        product.q.fill([127; 32]);
        product.q[1].fill(-127);
        products
            .push(("3 rows of 4 blocks; all w are -128, all q 127 or -127".into(), product));
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
            Product { rows, weight, q, d }
        }

        fn blocks(&self) -> usize {
            self.d.len()
        }

        /// The scale of a block, counted through the whole weight.
        fn scale(&self, block: usize) -> Option<f32> {
            let block = self.weight.get(block)?;
            Some(f16_to_f32(u16::from_le_bytes([block[0], block[1]])))
        }

        /// w and q of the 32 places of a block.
        fn places(&self, row: usize, block: usize) -> impl Iterator<Item = (i8, i8)> {
            let bytes = &self.weight[row * self.blocks() + block][2..];
            bytes.iter().zip(&self.q[block]).map(|(w, q)| (*w as i8, *q))
        }

        fn isum(&self, row: usize, block: usize) -> i32 {
            self.places(row, block).map(|(w, q)| i32::from(w) * i32::from(q)).sum()
        }

        /// All outputs, with terms that a mistake may compute otherwise.
        fn outputs(&self, way: &Way) -> Vec<f32> {
            (0..self.rows).map(|row| self.output(way, row)).collect()
        }

        fn output(&self, way: &Way, row: usize) -> f32 {
            let blocks = self.blocks();
            let used = if way.whole_pairs { blocks / 2 * 2 } else { blocks };
            let term = |block: usize| Term {
                s: self.scale((way.scale)(row, block, blocks)).unwrap_or((way.none)(self)),
                d: self.d[block],
                isum: (way.isum)(self, row, block),
                row,
                block,
            };
            (way.sum)(self, &(0..used).map(term).collect::<Vec<_>>())
        }
    }

    impl Asked {
        fn failure(&self, asked: &[Asked]) -> Option<Failure> {
            let Asked { case, product, found } = self;
            let expected = product.outputs(&RIGHT);
            let shape = [("row", product.rows)];
            let failure =
                same_numbers(case, &shape, Near::Bits, &expected, found, &[]).err()?;
            if found.len() != expected.len() {
                return Some(failure.likely("one output for each row, the last one too"));
            }
            // Many mistakes give the same bits here and there: one is named when it explains every output.
            let explains = |way: &Way| {
                asked.iter().all(|one| {
                    let shape = [("row", one.product.rows)];
                    let outputs = one.product.outputs(way);
                    same_numbers("", &shape, Near::Bits, &outputs, &one.found, &[]).is_ok()
                })
            };
            Some(match mistakes().iter().find(|(_, way)| explains(way)) {
                Some((reason, _)) => failure.likely(reason),
                None => failure,
            })
        }
    }

    /// What one block adds.
    struct Term {
        s: f32,
        d: f32,
        isum: i32,
        row: usize,
        block: usize,
    }

    /// How an output is computed, in parts that a mistake replaces.
    struct Way {
        /// The number of a block's scale in the whole weight: from its row, its number there, and the blocks of a row.
        scale: fn(usize, usize, usize) -> usize,
        /// In place of a scale after the end of the weight.
        none: fn(&Product) -> f32,
        isum: fn(&Product, usize, usize) -> i32,
        sum: fn(&Product, &[Term]) -> f32,
        /// The last block of an odd row is left out.
        whole_pairs: bool,
    }

    const RIGHT: Way = Way {
        scale: |row, block, blocks| row * blocks + block,
        none: |_| 0.0,
        isum: Product::isum,
        sum: |_, terms| fused(0.0, terms),
        whole_pairs: false,
    };

    /// Two scales for each step of a row, from one walk over all.
    const AS_GIVEN: Way =
        Way { scale: |row, block, blocks| row * blocks.next_multiple_of(2) + block, ..RIGHT };

    fn fused(out: f32, terms: &[Term]) -> f32 {
        terms
            .iter()
            .fold(out, |out, Term { s, d, isum, .. }| (s * d).mul_add(*isum as f32, out))
    }

    /// 0 for what is smaller than that.
    fn large(scale: f32, least: f32) -> f32 {
        if scale.abs() < least { 0.0 } else { scale }
    }

    fn mistakes() -> Vec<(&'static str, Way)> {
        let only_the_end = "what to take when there are no scales left changes only the end: the rows before it take scales that are not theirs";
        let odd = "the last block of a row with an odd number of blocks is missing";
        let signed = "the weight's integers are signed bytes";
        vec![
            (GIVEN, AS_GIVEN),
            (only_the_end, Way { none: |_| 1.0, ..AS_GIVEN }),
            (
                only_the_end,
                Way { none: |it| it.scale(it.weight.len() - 1).unwrap_or(0.0), ..AS_GIVEN },
            ),
            (odd, Way { whole_pairs: true, ..RIGHT }),
            (
                odd,
                Way {
                    scale: |row, block, blocks| row * (blocks / 2 * 2) + block,
                    whole_pairs: true,
                    ..RIGHT
                },
            ),
            (odd, Way { whole_pairs: true, ..AS_GIVEN }),
            ("all rows have the scales of row 0", Way { scale: |_, block, _| block, ..RIGHT }),
            (
                "after an odd row the scales are two too far now: one more was skipped, and one was too many before",
                Way {
                    scale: |row, block, blocks| row * (blocks + blocks % 2 * 2) + block,
                    ..RIGHT
                },
            ),
            (
                "a row's first scale has the number row * blocks in the weight",
                Way { scale: |row, block, _| row + block, ..RIGHT },
            ),
            (
                "every scale is that of the next block: one block too far in all rows",
                Way { scale: |row, block, blocks| row * blocks + block + 1, ..RIGHT },
            ),
            (
                "the second scale of a step has to be taken as well, where the row has a second block",
                Way {
                    scale: |row, block, blocks| {
                        row * blocks.div_ceil(2) + block / 2 + block % 2
                    },
                    ..RIGHT
                },
            ),
            (
                "two scales for each block: every second one is dropped",
                Way { scale: |row, block, blocks| 2 * (row * blocks + block), ..RIGHT },
            ),
            (
                "the neighbour's scale was multiplied by zeros: infinity times 0 is NaN",
                Way {
                    sum: |it, terms| {
                        let out = fused(0.0, terms);
                        let after = (terms[0].row + 1) * it.blocks();
                        let s = it.scale(after).unwrap_or(0.0);
                        if it.blocks() % 2 == 1 { (s * 0.0).mul_add(0.0, out) } else { out }
                    },
                    ..RIGHT
                },
            ),
            (
                "an odd row got a block too many, with a scale of 0: infinity times 0 is NaN",
                Way {
                    sum: |_, terms| {
                        let (out, last) = (fused(0.0, terms), &terms[terms.len() - 1]);
                        let more = (0.0 * last.d).mul_add(last.isum as f32, out);
                        if terms.len() % 2 == 1 { more } else { out }
                    },
                    ..RIGHT
                },
            ),
            (
                "two sums, added at the end: the definition has one, and takes the blocks in order",
                Way {
                    sum: |_, terms| {
                        let mut sums = [0.0f32; 2];
                        for (i, term) in terms.iter().enumerate() {
                            sums[i % 2] = fused(sums[i % 2], std::slice::from_ref(term));
                        }
                        sums[0] + sums[1]
                    },
                    ..RIGHT
                },
            ),
            (
                "a product and then an addition rounds twice: the definition has mul_add",
                Way {
                    sum: |_, terms| {
                        terms.iter().fold(0.0, |out, it| out + it.s * it.d * it.isum as f32)
                    },
                    ..RIGHT
                },
            ),
            (
                "s * d comes first, and then the product with isum: another order rounds otherwise",
                Way {
                    sum: |_, terms| {
                        let add =
                            |out: f32, it: &Term| it.s.mul_add(it.d * it.isum as f32, out);
                        terms.iter().fold(0.0, add)
                    },
                    ..RIGHT
                },
            ),
            (
                "summed in f64: the definition rounds to f32 after every block",
                Way {
                    sum: |_, terms| {
                        let add = |out: f64, it: &Term| {
                            out + f64::from(it.s * it.d) * f64::from(it.isum)
                        };
                        terms.iter().fold(0.0, add) as f32
                    },
                    ..RIGHT
                },
            ),
            (
                "isum is an integer: the 32 products of a block are summed before anything becomes a float",
                Way {
                    sum: |it, terms| {
                        let add = |out: f32, term: &Term| {
                            it.places(term.row, term.block).fold(out, |out, (w, q)| {
                                (term.s * f32::from(w)).mul_add(term.d * f32::from(q), out)
                            })
                        };
                        terms.iter().fold(0.0, add)
                    },
                    ..RIGHT
                },
            ),
            (
                "a block with a sum of 0 was left out: NaN or infinity times 0 is NaN",
                Way {
                    sum: |_, terms| {
                        let counts = terms.iter().filter(|term| term.isum != 0);
                        counts.fold(0.0, |out, it| (it.s * it.d).mul_add(it.isum as f32, out))
                    },
                    ..RIGHT
                },
            ),
            (
                "a block with a scale of 0 was left out: infinity times 0 is NaN",
                Way {
                    sum: |_, terms| {
                        let counts = terms.iter().filter(|term| term.s != 0.0);
                        counts.fold(0.0, |out, it| (it.s * it.d).mul_add(it.isum as f32, out))
                    },
                    ..RIGHT
                },
            ),
            (
                SMALL,
                Way {
                    sum: |_, terms| {
                        let product = |it: &Term| large(it.s, 6.1e-5) * it.d;
                        terms
                            .iter()
                            .fold(0.0, |out, it| product(it).mul_add(it.isum as f32, out))
                    },
                    ..RIGHT
                },
            ),
            (
                SMALL,
                Way {
                    sum: |_, terms| {
                        let product = |it: &Term| it.s * large(it.d, 1e-20);
                        terms
                            .iter()
                            .fold(0.0, |out, it| product(it).mul_add(it.isum as f32, out))
                    },
                    ..RIGHT
                },
            ),
            (
                "an i16 holds each product, and not the sum of 32 products",
                Way { isum: |it, row, block| i32::from(it.isum(row, block) as i16), ..RIGHT },
            ),
            (
                signed,
                Way {
                    isum: |it, row, block| {
                        let places = it.places(row, block);
                        places.map(|(w, q)| i32::from(w as u8) * i32::from(q)).sum()
                    },
                    ..RIGHT
                },
            ),
        ]
    }
}
