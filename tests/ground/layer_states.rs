//! The window for tests: what is noted is found again, the later pass wins, and shut it keeps nothing.

use ground::states::{self, Place};

const ROW: [f32; 2] = [1.0, 2.0];

#[test]
fn shut_it_keeps_nothing() {
    states::note(0, 0, [&ROW]);
    assert_eq!(states::take(), None);
}

#[test]
fn passes_over_new_rows_add_to_the_old_ones() {
    states::start();
    for (position, rows) in [(0, 2), (2, 1)] {
        for stage in 0..3 {
            states::note(stage, position, vec![&ROW; rows]);
        }
    }
    assert_eq!(states::take(), Some(vec![vec![ROW.to_vec(); 3]; 3]));
    assert_eq!(states::take(), None, "it is shut again");
}

#[test]
fn a_pass_from_the_beginning_replaces_all() {
    states::start();
    states::note(0, 0, vec![&[9.0, 9.0]; 4]);
    states::note(0, 0, [&ROW]);
    assert_eq!(states::take(), Some(vec![vec![ROW.to_vec()]]));
}

#[test]
fn two_texts_in_one_pass_are_kept_apart() {
    states::start();
    let (first, second) = ([1.0], [2.0]);
    for (text, row) in [(0, &first), (7, &second)] {
        states::note(0, Place { text, position: 0 }, vec![row; 2]);
        states::note(0, Place { text, position: 1 }, vec![row; 2]);
    }
    let texts = states::take_all().expect("it was open");
    let rows = |row: [f32; 1]| vec![vec![row.to_vec(); 3]];
    assert_eq!(texts.into_iter().collect::<Vec<_>>(), [(0, rows(first)), (7, rows(second))]);
}
