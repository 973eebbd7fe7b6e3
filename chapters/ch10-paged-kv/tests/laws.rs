//! The laws of caches, tried on a table.

use ch10_paged_kv::cache::{KvCache, KvType, Shape};
use ch10_paged_kv::kernels::PIECE;
use ch10_paged_kv::room::Room;
use ch10_paged_kv::table::Table;
use course_tests::laws::{Kept, laws};
use course_tests::qwen3_0_6b;
use ground::config::Config;
use ndarray::ArrayView2;

struct Tried<C>(C);

impl<C: KvCache> Kept for Tried<C> {
    fn write(
        &mut self,
        layer: usize,
        width: usize,
        k: &[f32],
        v: &[f32],
    ) -> Result<(), String> {
        let shape = (k.len() / width, width);
        let k = ArrayView2::from_shape(shape, k).expect("whole rows");
        let shape = (v.len() / width, width);
        let v = ArrayView2::from_shape(shape, v).expect("whole rows");
        self.0.write(layer, (k, v)).map_err(|error| error.to_string())
    }

    fn advance(&mut self, rows: usize) {
        self.0.advance(rows);
    }

    fn rows(&self, layer: usize, count: usize) -> Result<(Vec<f32>, Vec<f32>), String> {
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for index in 0..count.div_ceil(PIECE) {
            let piece = self.0.piece(layer, index).map_err(|error| error.to_string())?;
            let Shape { width, head_dim, .. } = self.0.shape();
            let rows = PIECE.min(count - index * PIECE);
            if rows > piece.rows {
                return Err("rows that are not written".into());
            }
            let [k, v] = piece.rows(rows, width / head_dim, head_dim);
            keys.extend(k);
            values.extend(v);
        }
        Ok((keys, values))
    }

    fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    fn length(&self) -> (usize, Option<usize>) {
        (self.0.shape().length, self.0.shape().capacity)
    }
}

#[test]
fn the_laws_hold_for_a_table_in_a_large_room() {
    laws(|layers, width, _| {
        let (kv_heads, head_dim) =
            if width.is_multiple_of(2) { (2, width / 2) } else { (1, width) };
        let config = Config { layers, kv_heads, head_dim, ..qwen3_0_6b() };
        Tried(Table::new(&Room::new(&config, KvType::F32, 1000)))
    });
}
