//! Two lists side by side: which entries stay, which go, which come.

use std::hash::Hash;

use similar::{Algorithm, DiffOp, capture_diff_slices};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Both(usize, usize),
    Old(usize),
    New(usize),
}

/// Entries that both have once hold the rest together, so that a reader sees what was meant and not what happens to be
/// alike. Removals come before additions.
pub fn align<T: Hash + Ord>(old: &[T], new: &[T]) -> Vec<Step> {
    let steps = |op: DiffOp| -> Vec<Step> {
        let (old, new) = (op.old_range(), op.new_range());
        match op {
            DiffOp::Equal { .. } => old.zip(new).map(|(i, j)| Step::Both(i, j)).collect(),
            _ => old.map(Step::Old).chain(new.map(Step::New)).collect(),
        }
    };
    capture_diff_slices(Algorithm::Patience, old, new).into_iter().flat_map(steps).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Step::*;

    #[test]
    fn a_replaced_entry_goes_before_it_comes() {
        assert_eq!(
            align(&["a", "b", "c"], &["a", "x", "c"]),
            [Both(0, 0), Old(1), New(1), Both(2, 2)]
        );
    }

    #[test]
    fn empty_sides() {
        assert_eq!(align::<u8>(&[], &[]), []);
        assert_eq!(align(&[], &[1]), [New(0)]);
        assert_eq!(align(&[1], &[]), [Old(0)]);
    }

    #[test]
    fn every_entry_appears_once_and_in_order() {
        let (old, new) = ([1, 2, 3, 2, 1], [2, 2, 4, 1, 1]);
        let steps = align(&old, &new);
        let olds: Vec<_> = steps
            .iter()
            .filter_map(|s| match s {
                Both(i, _) | Old(i) => Some(*i),
                New(_) => None,
            })
            .collect();
        let news: Vec<_> = steps
            .iter()
            .filter_map(|s| match s {
                Both(_, j) | New(j) => Some(*j),
                Old(_) => None,
            })
            .collect();
        assert_eq!(olds, [0, 1, 2, 3, 4]);
        assert_eq!(news, [0, 1, 2, 3, 4]);
        assert!(steps.iter().all(|s| !matches!(s, Both(i, j) if old[*i] != new[*j])));
        assert_eq!(steps.iter().filter(|s| matches!(s, Both(..))).count(), 3);
    }
}
