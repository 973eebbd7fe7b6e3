use std::cmp::Reverse;

use ndarray::{Array2, ArrayView2, ArrayViewMut2, Axis, s};

use crate::part::Part;
use ch08_f16_cache::cache::KvCache;
use ch08_f16_cache::jobs::RunOn;
use ch08_f16_cache::kernels::{Aligned, Attend, Mix, PIECE, Piece, Score, Weigh};
use ch08_f16_cache::matmul::timed_matmul;
use ch08_f16_cache::norm::Norm;
use ch08_f16_cache::pass::Pass;
use ch08_f16_cache::profile::{Cost, timed};
use ch08_f16_cache::rope::Rope;
use ch08_f16_cache::team::Team;
use ch08_f16_cache::weights::Layer;

/// Chapter 8's attention for the rows of several texts. Each row gathers from its own text alone. x: [rows, hidden] -> same
pub fn attention(
    pass: &Pass,
    x: ArrayView2<f32>,
    index: usize,
    layer: &Layer,
    parts: &mut [Part],
) -> Array2<f32> {
    let &Pass { team, config, .. } = pass;
    // q: [rows, heads * head_dim], k and v: [rows, kv_heads * head_dim]
    let weights = [&layer.q_proj, &layer.k_proj, &layer.v_proj];
    let [mut q, mut k, v] = timed_matmul("q, k, v projections", team, x, weights);
    timed("norms and rope", Cost::default(), || {
        for (x, norm) in [(&mut q, &layer.q_norm), (&mut k, &layer.k_norm)] {
            team.share_rows(x.view_mut(), |these, mut rows| {
                let (weight, eps) = (norm.view(), config.rms_eps);
                Norm { rows: rows.view_mut(), weight, eps }.run_on(team.backend);
                Rope { x: rows, angles: pass.angles.slice(s![these, ..]) }.run_on(team.backend);
            });
        }
    });

    let mut start = 0;
    for part in &mut *parts {
        let rows = s![start..start + part.ids.len(), ..];
        start += part.ids.len();
        if part.refused.is_ok() {
            part.refused = part.table.write(index, (k.slice(rows), v.slice(rows)));
        }
    }
    let mut mixed = team.shelf.take(q.dim());
    let pieces: Vec<Vec<Piece>> =
        parts.iter().map(|part| head_by_head(part, index, config.kv_heads)).collect();
    let cost = parts.iter().map(|part| cost(part, pass)).fold(Cost::default(), |all, one| {
        Cost { bytes: all.bytes + one.bytes, flops: all.flops + one.flops }
    });
    timed("attention", cost, || {
        let heads = (config.kv_heads, config.head_dim);
        attend(team, q.view(), parts, &pieces, heads, mixed.view_mut());
    });
    let [out] = timed_matmul("o projection", team, mixed.view(), [&layer.o_proj]);
    for matrix in [q, k, v, mixed] {
        team.shelf.put(matrix);
    }
    out
}

/// The pieces of a text, those of the first head before those of the second: [kv_heads, pieces]
fn head_by_head<'a>(part: &'a Part, layer: usize, kv_heads: usize) -> Vec<Piece<'a>> {
    if part.refused.is_err() {
        return Vec::new();
    }
    let count = (part.position() + part.ids.len()).div_ceil(PIECE);
    let piece = |index| part.table.piece(layer, index).expect("they are written");
    let all: Vec<Piece> = (0..count).map(piece).collect();
    let of_head = |head| {
        all.iter().map(move |piece| {
            let lines = piece.keys.len() / kv_heads;
            let these = head * lines..(head + 1) * lines;
            Piece { keys: &piece.keys[these.clone()], values: &piece.values[these], ..*piece }
        })
    };
    (0..kv_heads).flat_map(of_head).collect()
}

/// Some queries of a text with one head of its keys and values: what a thread does at a time.
struct Share<'a> {
    q: ArrayView2<'a, f32>, // [queries, heads that share these keys * head_dim]
    pieces: &'a [Piece<'a>],
    position: usize, // of query 0
    out: ArrayViewMut2<'a, f32>,
}

/// How many queries go through the keys together.
const QUERIES: usize = 48;

/// For every query the mean of its own text's values, weighted by how well their keys fit. The work of all texts is shared
/// out as one. q and out: [rows, heads * head_dim]; pieces of each part: [kv_heads, pieces]
fn attend(
    team: &Team,
    q: ArrayView2<f32>,
    parts: &[Part],
    pieces: &[Vec<Piece>],
    (heads, head_dim): (usize, usize), // of keys and values
    out: ArrayViewMut2<f32>,
) {
    let width = q.ncols() / heads;
    let (mut shares, mut rest, mut start) = (Vec::new(), out, 0);
    for (part, pieces) in parts.iter().zip(pieces) {
        let (mut own, others) = rest.split_at(Axis(0), part.ids.len());
        rest = others;
        let own_q = q.slice_move(s![start..start + part.ids.len(), ..]);
        start += part.ids.len();
        if pieces.is_empty() {
            own.fill(0.0); // of a text that was refused
            continue;
        }
        for (block, out) in cut(own, Axis(0), QUERIES).into_iter().enumerate() {
            let first = block * QUERIES;
            let position = part.position() + first;
            // The last piece ends with the last query's own key.
            let count = (position + out.nrows()).div_ceil(PIECE);
            let q = own_q.slice_move(s![first..first + out.nrows(), ..]);
            let of_heads = pieces.chunks(pieces.len() / heads);
            for ((head, pieces), out) in of_heads.enumerate().zip(cut(out, Axis(1), width)) {
                let q = q.slice_move(s![.., head * width..(head + 1) * width]);
                shares.push(Share { q, pieces: &pieces[..count], position, out });
            }
        }
    }
    // What takes longest is handed out first: otherwise everyone would wait for it at the end.
    shares.sort_by_key(|share| Reverse(share.q.nrows() * share.pieces.len()));
    team.share(shares.into_iter(), |share| match share.q.nrows() {
        1 => attend_alone(team, share, head_dim),
        queries => {
            let Share { q, pieces, position, out } = share;
            let sixteens = Attend::room(queries, q.ncols() / head_dim, head_dim);
            with_scratch(team, sixteens, |scratch| {
                Attend { q, pieces, head: 0, head_dim, position, out, scratch }
                    .run_on(team.backend);
            });
        }
    });
}

fn cut(mut rest: ArrayViewMut2<f32>, axis: Axis, length: usize) -> Vec<ArrayViewMut2<f32>> {
    let mut all = Vec::new();
    while rest.len_of(axis) > length {
        let (first, others) = rest.split_at(axis, length);
        all.push(first);
        rest = others;
    }
    all.push(rest);
    all
}

fn with_scratch(team: &Team, sixteens: usize, work: impl FnOnce(&mut [[f32; 16]])) {
    let numbers = team.shelf.take_many(Aligned::room(sixteens, 16));
    let mut scratch = Aligned::within(numbers, sixteens, 16);
    work(scratch.sixteens_mut());
    team.shelf.put_many(scratch.into_numbers());
}

/// A lone query with one head of keys and values, in chapter 8's three steps. There they are shared out one after the other,
/// so that all threads read for a single text; here other texts are there for the others.
fn attend_alone(team: &Team, share: Share, head_dim: usize) {
    let Share { q, pieces, position, mut out } = share;
    let (shared, keys, count) = (q.ncols() / head_dim, position + 1, pieces.len());
    let width = head_dim.next_multiple_of(16);
    let sixteens = shared * width / 16;
    let of_scores = count * shared * PIECE / 16;
    let of_factors = ((count + 1) * shared).div_ceil(16);
    with_scratch(team, 2 * sixteens + of_scores + of_factors, |scratch| {
        let (own_q, scratch) = scratch.split_at_mut(sixteens);
        let (mixed, scratch) = scratch.split_at_mut(sixteens);
        let (scores, factors) = scratch.split_at_mut(of_scores);
        let (own_q, scores) = (own_q.as_flattened_mut(), scores.as_flattened_mut());
        let factors = &mut factors.as_flattened_mut()[..(count + 1) * shared];
        let numbers = q.to_slice().expect("a row lies in one piece");
        for (to, head) in own_q.chunks_mut(width).zip(numbers.chunks(head_dim)) {
            let (to, padding) = to.split_at_mut(head_dim);
            to.copy_from_slice(head);
            padding.fill(0.0);
        }

        let (first, q, scale) = (0, &*own_q, 1.0 / (head_dim as f32).sqrt());
        Score { q, width, shared, pieces, first, scores }.run_on(team.backend);
        Weigh { keys, scale, shared, scores, factors }.run_on(team.backend);
        let (weights, factors) = (&*scores, &*factors);
        Mix { pieces, keys, width, first, shared, weights, factors, mixed }
            .run_on(team.backend);

        let out = out.as_slice_mut().expect("a row lies in one piece");
        for (head, out) in out.chunks_mut(head_dim).enumerate() {
            for (column, out) in out.iter_mut().enumerate() {
                let mixed = mixed[column / 16 * shared + head][column % 16];
                *out = mixed / factors[count * shared + head];
            }
        }
    });
}

/// What a part's queries read, and how much they compute.
fn cost(part: &Part, pass: &Pass) -> Cost {
    let (rows, config) = (part.ids.len(), pass.config);
    let pairs = rows * part.position() + rows * (rows + 1) / 2; // of a query with a key
    Cost {
        bytes: 2 * pairs * config.kv_heads * config.head_dim * pass.kv_type.bytes(),
        flops: 4 * pairs * config.heads * config.head_dim,
    }
}
