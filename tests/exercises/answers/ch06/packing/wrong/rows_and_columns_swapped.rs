//? recognised: by themselves
//? why: Turns rows into columns byte by byte: first byte 0 of all rows, then byte 1 of all rows. Four neighbours of a row are then 16 places apart.

pub fn pack(rows: &[[i8; 16]; 16]) -> [[u8; 64]; 4] {
    let mut columns = [[0; 64]; 4];
    for (r, row) in rows.iter().enumerate() {
        for (i, byte) in row.iter().enumerate() {
            columns[i / 4][i % 4 * 16 + r] = (*byte as u8).wrapping_add(128);
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
