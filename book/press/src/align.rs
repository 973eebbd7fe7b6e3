//! The longest common subsequence of two lists: which entries stay, which go, which come.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Both(usize, usize),
    Old(usize),
    New(usize),
}

/// Removals come before additions, as a reader expects of a diff.
pub fn align<T: PartialEq>(old: &[T], new: &[T]) -> Vec<Step> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail =
        old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let (rows, columns) = (old_rest.len() - tail, new_rest.len() - tail);

    // longest[i][j]: how many entries old[i..] and new[j..] share, in order
    let mut longest = vec![vec![0u32; columns + 1]; rows + 1];
    for i in (0..rows).rev() {
        for j in (0..columns).rev() {
            longest[i][j] = if old_rest[i] == new_rest[j] {
                longest[i + 1][j + 1] + 1
            } else {
                longest[i + 1][j].max(longest[i][j + 1])
            };
        }
    }

    let mut steps: Vec<Step> = (0..head).map(|i| Step::Both(i, i)).collect();
    let (mut i, mut j) = (0, 0);
    while i < rows || j < columns {
        if i < rows && j < columns && old_rest[i] == new_rest[j] {
            steps.push(Step::Both(head + i, head + j));
            i += 1;
            j += 1;
        } else if j == columns || (i < rows && longest[i + 1][j] >= longest[i][j + 1]) {
            steps.push(Step::Old(head + i));
            i += 1;
        } else {
            steps.push(Step::New(head + j));
            j += 1;
        }
    }
    steps.extend((0..tail).map(|k| Step::Both(head + rows + k, head + columns + k)));
    steps
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
