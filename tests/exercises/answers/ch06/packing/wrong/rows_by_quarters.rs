//? recognised: 4 rows apart
//? why: Puts rows 0, 4, 8 and 12 next to each other, as unpacking instructions of x86 do with the quarters of a register. Then the totals are those of other rows.

pub fn pack(rows: &[[i8; 16]; 16]) -> [[u8; 64]; 4] {
    let mut columns = [[0; 64]; 4];
    for (r, row) in rows.iter().enumerate() {
        for (i, byte) in row.iter().enumerate() {
            columns[i / 4][(r % 4 * 4 + r / 4) * 4 + i % 4] = (*byte as u8).wrapping_add(128);
        }
    }
    columns
}

pub fn start(x: &[i8; 16]) -> i32 {
    -128 * x.iter().map(|x| i32::from(*x)).sum::<i32>()
}

pub fn add_column(column: &[u8; 64], x: &[i8; 4], totals: &mut [i32; 16]) {
    for (total, four) in totals.iter_mut().zip(column.as_chunks::<4>().0) {
        *total += four.iter().zip(x).map(|(w, x)| i32::from(*w) * i32::from(*x)).sum::<i32>();
    }
}
