//! Rows of a matrix, shared out by a compute context.

use ch04_threads::backend::Backend;
use ch04_threads::compute::ComputeContext;
use ndarray::Array2;
use proptest::prelude::*;

fn compute(threads: usize) -> ComputeContext {
    ComputeContext::new(Backend::choose("auto").expect("there is one"), threads)
        .expect("they start")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_row_comes_once_with_its_number(
        threads in 1_usize..10, rows in 0_usize..300, width in 0_usize..6000
    ) {
        let compute = compute(threads);
        let mut matrix = Array2::<f32>::zeros((rows, width.max(1)));
        compute.par_rows(matrix.view_mut(), |these, mut rows| {
            assert_eq!(these.len(), rows.nrows());
            for (number, mut row) in these.zip(rows.rows_mut()) {
                row.mapv_inplace(|before| before + number as f32 + 1.0);
            }
        });
        for (number, row) in matrix.rows().into_iter().enumerate() {
            prop_assert!(row.iter().all(|&found| found == number as f32 + 1.0));
        }
    }
}
