//! The fixed dot product and its known mistakes, for the checks of two exercises.

#[derive(Clone, Copy)]
pub struct Dot {
    fused: bool,
    lanes: Lanes,
    tail: Tail,
    /// Where so many lanes or fewer are left, the fold adds neighbours.
    neighbours: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Lanes {
    Strided,
    Contiguous,
    One,
    Eight,
}

#[derive(Clone, Copy, PartialEq)]
enum Tail {
    Padded,
    Dropped,
    AfterFold,
}

pub const MISTAKES: [(&str, Dot); 8] = [
    (
        "one running sum; the shape has 16 of them, folded at the end",
        Dot { lanes: Lanes::One, ..Dot::RIGHT },
    ),
    (
        "a * b + c rounds twice; mul_add (a fused instruction) rounds once",
        Dot { fused: false, ..Dot::RIGHT },
    ),
    (
        "the tail is added after the fold; it belongs in the lanes, padded with zeros",
        Dot { tail: Tail::AfterFold, ..Dot::RIGHT },
    ),
    (
        "the tail is missing: what is left after the last whole block of 16",
        Dot { tail: Tail::Dropped, ..Dot::RIGHT },
    ),
    (
        "a lane takes neighbouring elements; lane j takes j, j + 16, j + 32, ...",
        Dot { lanes: Lanes::Contiguous, ..Dot::RIGHT },
    ),
    (
        "the fold adds neighbours (0 with 1), as a horizontal add does; lane j meets lane j + half",
        Dot { neighbours: 16, ..Dot::RIGHT },
    ),
    (
        "the fold adds neighbours (0 with 1), as a horizontal add does; lane j meets lane j + half",
        Dot { neighbours: 8, ..Dot::RIGHT },
    ),
    (
        "8 lanes, one register of 256 bits; the shape has 16, which is two of them",
        Dot { lanes: Lanes::Eight, ..Dot::RIGHT },
    ),
];

impl Dot {
    pub const RIGHT: Dot =
        Dot { fused: true, lanes: Lanes::Strided, tail: Tail::Padded, neighbours: 0 };

    pub fn of(self, x: &[f32], w: &[f32]) -> f32 {
        let count = match self.lanes {
            Lanes::One => 1,
            Lanes::Eight => 8,
            _ => 16,
        };
        let product = |sum: f32, k: usize| match self.fused {
            true => x[k].mul_add(w[k], sum),
            false => x[k] * w[k] + sum,
        };
        let whole = if self.tail == Tail::Padded { x.len() } else { x.len() / 16 * 16 };
        let contiguous = x.len().div_ceil(16).max(1);
        let mut lanes = vec![0.0; count];
        for k in 0..whole {
            let lane = match self.lanes {
                Lanes::Contiguous => k / contiguous,
                _ => k % count,
            };
            lanes[lane] = product(lanes[lane], k);
        }
        // The padded 0 * 0 of the last block matters for a lane of -0.0 alone; the check of `dot_lanes` has a case for it.
        let sum = self.fold(lanes);
        match self.tail {
            Tail::AfterFold => (whole..x.len()).fold(sum, product),
            _ => sum,
        }
    }

    fn fold(self, lanes: Vec<f32>) -> f32 {
        if lanes.len() == 1 {
            return lanes[0];
        }
        let half = lanes.len() / 2;
        let pair = |j: usize| match lanes.len() <= self.neighbours {
            true => lanes[2 * j] + lanes[2 * j + 1],
            false => lanes[j] + lanes[j + half],
        };
        self.fold((0..half).map(pair).collect())
    }
}
