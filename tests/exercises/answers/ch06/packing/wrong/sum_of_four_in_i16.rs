//? recognised: nearly fills an i16
//? why: Adds four products in a checked `i16`. One of them fits, and two need not.

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
        let sum: i16 = four.iter().zip(x).map(|(w, x)| i16::from(*w) * i16::from(*x)).sum();
        *total += i32::from(sum);
    }
}
