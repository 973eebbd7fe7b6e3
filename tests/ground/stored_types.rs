//! Every stored type widens to the numbers that the Python package `gguf` gives, bit for bit.
//! The fixtures and the script that made them: `lab/reference/stored_types.py`.

use ground::dtype::StoredType;
use ground::gguf::Gguf;
use ground::tensor::Tensor;
use test_support::tiny::{TinyTensor, tiny_gguf};

fn fixture(name: &str) -> (Vec<u8>, Vec<f32>) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/stored");
    let read = |ending: &str| {
        let path = format!("{folder}/{}.{ending}", name.to_lowercase());
        std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    let numbers = read("f32").as_chunks().0.iter().map(|b| f32::from_le_bytes(*b)).collect();
    (read("stored"), numbers)
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn all_types_equal_the_reference_to_the_bit() {
    for stored in StoredType::ALL {
        let (bytes, expected) = fixture(stored.name());
        assert!(expected.len() >= 500, "{}: only {} numbers", stored.name(), expected.len());
        let mut found = vec![f32::NAN; expected.len()];
        stored.widen(&bytes, &mut found);
        for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let name = stored.name();
            assert_eq!(
                found.to_bits(),
                expected.to_bits(),
                "{name} at {at}: {found} {expected}"
            );
        }
    }
}

#[test]
fn rows_and_the_whole_are_the_same_numbers() {
    for stored in StoredType::ALL {
        let (bytes, expected) = fixture(stored.name());
        // As many rows of two blocks as there are whole ones.
        let columns = 2 * stored.block_len();
        let rows = expected.len() / columns;
        let bytes = &bytes[..rows * stored.row_bytes(columns)];
        let tensor = Tensor { name: "t", rows, columns, stored, bytes };
        let whole = tensor.to_f32();
        assert_eq!(bits(&whole), bits(&expected[..rows * columns]), "{}", stored.name());
        for (row, expected) in whole.chunks_exact(columns).enumerate() {
            let mut found = vec![f32::NAN; columns];
            tensor.row_to_f32(row, &mut found);
            assert_eq!(bits(&found), bits(expected), "{} row {row}", stored.name());
        }
    }
}

#[test]
fn a_type_that_is_rewritten_keeps_its_numbers_to_the_bit() {
    for (name, kind, block_len, into) in [
        ("Q5_0", 6, 32, StoredType::Q8_0),
        ("IQ4_NL", 20, 32, StoredType::Q8_0),
        ("Q3_K", 11, 256, StoredType::Q6_K),
        ("MXFP4", 39, 32, StoredType::BF16),
    ] {
        let (bytes, expected) = fixture(name);
        let (columns, count) = (2 * block_len, expected.len() as u64);
        let dims = vec![columns, count / columns];
        let mut file = tiny_gguf();
        file.tensors = vec![TinyTensor { name: "t".into(), dims, kind, offset: 0, bytes }];
        let file = Gguf::from_vec(file.to_bytes()).expect("a file");

        let place = file.place("t").expect("it is there");
        assert_eq!((place.type_in_file(), place.stored), (name, into));
        let tensor = file.tensor("t").expect("it is there");
        assert_eq!(tensor.stored, into);
        for (at, (found, expected)) in tensor.to_f32().iter().zip(&expected).enumerate() {
            let same = found.to_bits() == expected.to_bits();
            assert!(same, "{name} at {at}: {found} {expected}");
        }
        let again = file.tensor("t").expect("it is there");
        assert_eq!(again.bytes.as_ptr(), tensor.bytes.as_ptr(), "{name}: rewritten once");
    }
}

#[test]
fn plain_numbers_are_lent_without_a_copy() {
    #[repr(align(64))]
    struct Aligned([u8; 16]);
    let mut memory = Aligned([0; 16]);
    for (i, x) in [1.0f32, -2.5, 0.0, 7.0].iter().enumerate() {
        memory.0[i * 4..][..4].copy_from_slice(&x.to_le_bytes());
    }
    let of = |stored: StoredType, bytes| {
        let columns = 12 / stored.block_bytes();
        Tensor { name: "t", rows: 1, columns, stored, bytes }
    };
    let aligned = of(StoredType::F32, &memory.0[..12]);
    assert_eq!(aligned.as_f32(), Some(&[1.0, -2.5, 0.0][..]));
    assert_eq!(aligned.as_f32().unwrap().as_ptr().cast(), memory.0.as_ptr(), "not a copy");
    assert!(aligned.as_f16().is_none(), "another type");
    assert!(aligned.as_bf16().is_none(), "another type");
    assert!(of(StoredType::F32, &memory.0[2..14]).as_f32().is_none(), "misaligned");

    assert_eq!(of(StoredType::F16, &memory.0[2..14]).as_f16().map(<[_]>::len), Some(6));
    assert_eq!(of(StoredType::BF16, &memory.0[2..14]).as_bf16().map(<[_]>::len), Some(6));
    assert!(of(StoredType::F16, &memory.0[1..13]).as_f16().is_none(), "misaligned");
}

#[test]
fn blocks_are_lent_without_a_copy() {
    fn expect<const BYTES: usize>(stored: StoredType) {
        let (bytes, _) = fixture(stored.name());
        let columns = bytes.len() / BYTES * stored.block_len();
        let tensor = Tensor { name: "t", rows: 1, columns, stored, bytes: &bytes };
        let Some(blocks) = tensor.as_blocks::<BYTES>() else {
            panic!("{}: no blocks of {BYTES} bytes", stored.name());
        };
        assert_eq!(blocks.as_flattened(), bytes, "{}", stored.name());
        assert_eq!(blocks.as_ptr().cast(), bytes.as_ptr(), "{} is not a copy", stored.name());
        // No other type has blocks of this length.
        for other in StoredType::ALL {
            let tensor = Tensor { stored: other, ..tensor };
            let found = tensor.as_blocks::<BYTES>().is_some();
            assert_eq!(found, other == stored, "{} as {BYTES} bytes", other.name());
        }
    }
    expect::<34>(StoredType::Q8_0);
    expect::<18>(StoredType::Q4_0);
    expect::<20>(StoredType::Q4_1);
    expect::<144>(StoredType::Q4_K);
    expect::<176>(StoredType::Q5_K);
    expect::<210>(StoredType::Q6_K);

    let bytes = [0; 8];
    let of = |stored| Tensor { name: "t", rows: 1, columns: 2, stored, bytes: &bytes };
    assert!(of(StoredType::F32).as_blocks::<4>().is_none(), "a number is no block");
    assert!(of(StoredType::F16).as_blocks::<2>().is_none(), "a number is no block");
    assert!(of(StoredType::BF16).as_blocks::<2>().is_none(), "a number is no block");
}

#[test]
fn names_lead_to_types_and_back() {
    for stored in StoredType::ALL {
        assert_eq!(StoredType::from_name(stored.name()), Some(stored));
        assert_eq!(StoredType::from_name(&stored.name().to_lowercase()), Some(stored));
    }
    assert_eq!(StoredType::from_name("Q5_0"), None);
}
