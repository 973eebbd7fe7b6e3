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

use crate::compute::ComputeContext;
use crate::kernels::{Panels, Q4_0, Q4_1, Q4K, Q5K, Q6K, Q8_0, QuantBlock, Repack, Repacked};
use crate::weights::blocks_of;

/// All matrices of a file that are packed, repacked: in one piece of memory, which the system can hand out in large pages.
pub struct RepackedWeights {
    map: Arc<Mmap>,
    places: HashMap<String, Range<usize>>,
}

/// One of them.
pub struct RepackedMatrix {
    map: Arc<Mmap>,
    range: Range<usize>,
    blocks: usize, // of a row
}

impl RepackedMatrix {
    /// As the blocks that they are.
    pub fn view<B: QuantBlock>(&self) -> Panels<'_, B> {
        let all = bytemuck::cast_slice(&self.map[self.range.clone()]);
        Panels { all, blocks: self.blocks }
    }
}

impl RepackedWeights {
    /// `None` where nothing is packed, where there is no room, or where a file is in memory as a whole and would be there
    /// twice: then products read the file.
    pub fn of(file: &Gguf, compute: &ComputeContext) -> Option<RepackedWeights> {
        if !compute.repack || !file.is_mapped() {
            return None;
        }
        let (mut places, mut length) = (HashMap::new(), 0);
        for place in file.places().iter().filter(|place| place.stored.block_len() > 1) {
            let end = length + bytes_of(place);
            places.insert(place.name.clone(), length..end);
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
        let mut bar = Bar::new("repacking", places.len() as u64);
        for place in file.places() {
            let Some(range) = places.get(&place.name) else { continue };
            let tensor = file.tensor(&place.name).expect("a tensor of this file");
            repack(compute, &tensor, &mut map[range.clone()]);
            file.forget(place);
            bar.advance(1);
        }
        Some(RepackedWeights { map: Arc::new(map.make_read_only().ok()?), places })
    }

    /// The one of this tensor.
    pub fn matrix(&self, tensor: &Tensor) -> Option<RepackedMatrix> {
        let range = self.places.get(tensor.name)?.clone();
        let blocks = tensor.columns / tensor.stored.block_len();
        Some(RepackedMatrix { map: self.map.clone(), range, blocks })
    }
}

/// How much room a tensor takes: its last rows are repeated until there are sixteen.
fn bytes_of(place: &Place) -> usize {
    place.rows.next_multiple_of(16) * place.stored.row_bytes(place.columns)
}

fn repack(compute: &ComputeContext, tensor: &Tensor, to: &mut [u8]) {
    match tensor.stored {
        StoredType::Q8_0 => repack_as::<Q8_0>(compute, tensor, to),
        StoredType::Q4_0 => repack_as::<Q4_0>(compute, tensor, to),
        StoredType::Q4_K => repack_as::<Q4K>(compute, tensor, to),
        StoredType::Q5_K => repack_as::<Q5K>(compute, tensor, to),
        StoredType::Q6_K => repack_as::<Q6K>(compute, tensor, to),
        StoredType::Q4_1 => repack_as::<Q4_1>(compute, tensor, to),
        StoredType::F32 | StoredType::F16 | StoredType::BF16 => {}
    }
}

fn repack_as<B: QuantBlock>(compute: &ComputeContext, tensor: &Tensor, to: &mut [u8]) {
    let weight = blocks_of::<B>(tensor);
    let to: &mut [Repacked<B>] = bytemuck::cast_slice_mut(to);
    let panels = to.chunks_exact_mut(weight.ncols()).enumerate();
    compute.par_for(panels, |(panel, out)| {
        compute.backend.run(Repack { weight, first: 16 * panel, out });
    });
}
