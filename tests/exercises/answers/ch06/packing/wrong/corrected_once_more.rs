//? recognised: in `start` already
//? why: Takes the 128 away from each stored byte. `start` does so for all of them; now it is done twice.

pub fn pack(rows: &[[i8; 16]; 16]) -> [[u8; 64]; 4] {
    let mut columns = [[0; 64]; 4];
    for (r, row) in rows.iter().enumerate() {
        for (i, byte) in row.iter().enumerate() {
            columns[i / 4][4 * r + i % 4] = (*byte as u8).wrapping_add(128);
        }
    }
    columns
}

pub fn start(x: &[i8; 16]) -> i32 {
    -128 * x.iter().map(|x| i32::from(*x)).sum::<i32>()
}

pub fn add_column(column: &[u8; 64], x: &[i8; 4], totals: &mut [i32; 16]) {
    for (total, four) in totals.iter_mut().zip(column.as_chunks::<4>().0) {
        *total +=
            four.iter().zip(x).map(|(w, x)| (i32::from(*w) - 128) * i32::from(*x)).sum::<i32>();
    }
}
