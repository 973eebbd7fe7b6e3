//! Weights in the order in which products read them, which is not that of the file.

use std::collections::HashMap;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use ground::dtype::StoredType;
use ground::gguf::{Gguf, Place, Tensor};
use ground::machine::half_of_memory;
use ground::progress_bar::Bar;
use memmap2::{Mmap, MmapMut};
use ndarray::s;

use crate::compute::ComputeContext;
use crate::kernels::{
    Panels, Q4_0, Q4_1, Q4K, Q5_0, Q5K, Q6K, Q8_0, QuantBlock, Repack, Repacked,
};
use crate::weights::blocks_of;

/// All matrices of a file that are packed, repacked: in one piece of memory, which the system can hand out in large pages.
pub struct RepackedWeights {
    map: Arc<Mmap>,
    places: HashMap<String, (Range<usize>, bool)>,
}

/// One of them.
pub struct RepackedMatrix {
    map: Arc<Mmap>,
    range: Range<usize>,
    blocks: usize, // of a row
    /// Whether its integers have five bits each, as in the file. Those of the tensor have eight.
    pub of_five_bits: bool,
}

/// How many matrices are repacked together: of no more are the file's pages in memory as well.
const AT_ONCE: usize = 16;
/// How many bytes a thread repacks at a time, at least: a large page. Two threads that begin one together make it twice.
const PART: usize = 2 << 20;

impl RepackedMatrix {
    /// As the blocks that they are.
    pub fn view<B: QuantBlock>(&self) -> Panels<'_, B> {
        let all = bytemuck::cast_slice(&self.map[self.range.clone()]);
        Panels { all, blocks: self.blocks }
    }

    pub fn bytes(&self) -> usize {
        self.range.len()
    }
}

impl RepackedWeights {
    /// `None` where nothing is packed, where there is no room, or where a file is in memory as a whole and would be there
    /// twice: then products read the file.
    pub fn of(file: &Gguf, compute: &ComputeContext) -> Option<RepackedWeights> {
        if !compute.repack || !file.is_mapped() {
            return None;
        }
        let packed: Vec<&Place> =
            file.places().iter().filter(|place| place.stored.block_len() > 1).collect();
        let (mut places, mut length) = (HashMap::new(), 0);
        for place in &packed {
            let end = length + bytes_of(place);
            places.insert(place.name.clone(), (length..end, of_five_bits(place)));
            length = end.next_multiple_of(64);
        }
        if length == 0 {
            return None;
        }
        let half = half_of_memory();
        if length > half {
            let _ = writeln!(
                io::stderr(),
                "the weights stay as the file has them: repacked they would take {:.1} GB, and half of the free \
                 memory is {:.1}",
                length as f64 / 1e9,
                half as f64 / 1e9
            );
            return None;
        }
        let mut map = MmapMut::map_anon(length).ok()?;
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage); // without, it's slower and as right
        let mut bar = Bar::new("repacking", packed.len() as u64);
        let mut rest = &mut map[..];
        for some in packed.chunks(AT_ONCE) {
            let mut parts = Vec::new();
            for place in some {
                let all = bytes_of(place);
                let to = rest.split_off_mut(..all.next_multiple_of(64).min(rest.len()));
                let panel = 16 * bytes_of_row(place);
                let panels = PART.div_ceil(panel);
                let tos = to.expect("room for all")[..all].chunks_mut(panels * panel);
                parts.extend(tos.enumerate().map(|(part, to)| (*place, part * panels, to)));
            }
            compute.par_for(parts.into_iter(), |(place, panel, to)| {
                let tensor = file.tensor(&place.name).expect("a tensor of this file");
                repack(compute, place, &tensor, panel, to);
            });
            some.iter().for_each(|place| file.forget(place));
            bar.advance(some.len() as u64);
        }
        Some(RepackedWeights { map: Arc::new(map.make_read_only().ok()?), places })
    }

    /// The one of this tensor.
    pub fn matrix(&self, tensor: &Tensor) -> Option<RepackedMatrix> {
        let (range, of_five_bits) = self.places.get(tensor.name)?.clone();
        let blocks = tensor.columns / tensor.stored.block_len();
        Some(RepackedMatrix { map: self.map.clone(), range, blocks, of_five_bits })
    }
}

/// The ground floor has made it a `Q8_0`, which is larger.
fn of_five_bits(place: &Place) -> bool {
    place.type_in_file() == "Q5_0"
}

fn bytes_of_row(place: &Place) -> usize {
    if of_five_bits(place) {
        place.columns / place.stored.block_len() * size_of::<Q5_0>()
    } else {
        place.stored.row_bytes(place.columns)
    }
}

/// How much room a tensor takes: its last rows are repeated until there are sixteen.
fn bytes_of(place: &Place) -> usize {
    place.rows.next_multiple_of(16) * bytes_of_row(place)
}

/// Sixteen rows after the other, from a number of sixteens on: as many as there is room for.
fn repack(
    compute: &ComputeContext,
    place: &Place,
    tensor: &Tensor,
    panel: usize,
    to: &mut [u8],
) {
    match tensor.stored {
        StoredType::Q8_0 if of_five_bits(place) => {
            let (rows, to) = (blocks_of::<Q8_0>(tensor), bytemuck::cast_slice_mut(to));
            for (panel, out) in (panel..).zip(to.chunks_exact_mut(rows.ncols())) {
                let end = place.rows.min(16 * panel + 16);
                let weight = rows.slice(s![16 * panel..end, ..]).map(Q5_0::of);
                compute.backend.run(Repack { weight: weight.view(), first: 0, out });
            }
        }
        StoredType::Q8_0 => repack_as::<Q8_0>(compute, tensor, panel, to),
        StoredType::Q4_0 => repack_as::<Q4_0>(compute, tensor, panel, to),
        StoredType::Q4_K => repack_as::<Q4K>(compute, tensor, panel, to),
        StoredType::Q5_K => repack_as::<Q5K>(compute, tensor, panel, to),
        StoredType::Q6_K => repack_as::<Q6K>(compute, tensor, panel, to),
        StoredType::Q4_1 => repack_as::<Q4_1>(compute, tensor, panel, to),
        StoredType::F32 | StoredType::F16 | StoredType::BF16 => {}
    }
}

fn repack_as<B: QuantBlock>(
    compute: &ComputeContext,
    tensor: &Tensor,
    panel: usize,
    to: &mut [u8],
) {
    let weight = blocks_of::<B>(tensor);
    let to: &mut [Repacked<B>] = bytemuck::cast_slice_mut(to);
    for (panel, out) in (panel..).zip(to.chunks_exact_mut(weight.ncols())) {
        compute.backend.run(Repack { weight, first: 16 * panel, out });
    }
}
