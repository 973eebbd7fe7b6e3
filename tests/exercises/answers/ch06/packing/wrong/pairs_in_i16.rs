//? recognised: pair of products
//? why: Adds two products in 16 bits that wrap. Two times 255 * 127 is 64,770, and an `i16` ends at 32,767.

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
        let product = |i: usize| i16::from(four[i]) * i16::from(x[i]);
        *total += i32::from(product(0).wrapping_add(product(1)));
        *total += i32::from(product(2).wrapping_add(product(3)));
    }
}
