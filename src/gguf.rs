//! Opening a GGUF file: from bytes that may be anything to metadata and tensors that have been checked.
//!
//! A file has four parts: a header of 24 bytes, metadata (keys with values), one description per tensor, and the
//! tensors' data. The first three are read once and kept; the data stays where it is and is lent out as slices.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Cursor, ErrorKind};
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};

use gguf_rs_lib::error::GGUFError;
use gguf_rs_lib::format::{GGUFHeader, GGUFTensorType, Metadata, MetadataValue, TensorInfo};
use memmap2::Mmap;

use crate::stored::StoredType;
pub use crate::tensor::Tensor;

/// An open, checked GGUF file.
pub struct Gguf {
    bytes: Bytes,
    metadata: Metadata,
    places: Vec<Place>, // one per tensor, in the order of the file
    by_name: HashMap<String, usize>, // name -> index into `places`
}

/// Where the file's bytes live.
enum Bytes {
    Mapped(Mmap),
    Static(&'static [u8]),
    Owned(Vec<u8>),
}

/// Where one tensor lies in the file, and what it is.
struct Place {
    name: String,
    rows: usize,
    columns: usize,
    stored: StoredType,
    range: Range<usize>, // of the file's bytes
}

/// Why a file cannot be opened, or a question to it not answered.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum GgufError {
    #[error("cannot open {path:?}: {source}")]
    Open { path: PathBuf, source: std::io::Error },
    #[error("the file is empty: download it again")]
    Empty,
    #[error("not a GGUF file: it begins with \"{}\", expected \"GGUF\"", found.escape_ascii())]
    NotGguf { found: Vec<u8> },
    #[error(
        "a GGUF file of version {found}, expected version 3: convert the model again with a present-day converter"
    )]
    Version { found: u32 },
    #[error(
        "a big-endian GGUF file (version {found}), expected little-endian: convert the model again without the big-endian option"
    )]
    BigEndian { found: u32 },
    #[error(
        "the file ends within its {part}, after {length} bytes: the download is incomplete, fetch it again"
    )]
    EndsEarly { part: &'static str, length: usize },
    #[error(
        "the {part} cannot be read near byte {at}: {reason}; the file is damaged or was written wrongly"
    )]
    Malformed { part: &'static str, at: u64, reason: String },
    #[error(
        "the alignment of tensors is {found}, expected a power of two: the file was written wrongly"
    )]
    Alignment { found: u64 },
    #[error("tensor {name:?}: {problem}")]
    BadTensor { name: String, problem: String },
    #[error("no tensor {name:?} in the file: it is not a complete Qwen3 model")]
    MissingTensor { name: String },
    #[error("no metadata key {key:?} in the file: convert the model again")]
    MissingKey { key: String },
    #[error("metadata key {key:?}: found {found}, expected {expected}")]
    WrongType { key: String, found: String, expected: &'static str },
}

impl Gguf {
    /// Opens a file by mapping it into memory: nothing but the descriptions is read until it is needed.
    #[allow(unsafe_code)]
    pub fn open(path: &Path) -> Result<Gguf, GgufError> {
        let open_error = |source| GgufError::Open { path: path.to_owned(), source };
        let file = File::open(path).map_err(open_error)?;
        if file.metadata().map_err(open_error)?.len() == 0 {
            return Err(GgufError::Empty); // an empty file cannot be mapped
        }
        // SAFETY: the map is read-only. Should another program shorten the file meanwhile, the system stops this one;
        // no language can prevent that, and reading all of a model beforehand would cost more than it protects.
        let map = unsafe { Mmap::map(&file) }.map_err(open_error)?;
        Gguf::check(Bytes::Mapped(map))
    }

    /// Opens a file that is part of the program.
    pub fn from_static(bytes: &'static [u8]) -> Result<Gguf, GgufError> {
        Gguf::check(Bytes::Static(bytes))
    }

    /// Opens a file that lies in memory.
    pub fn from_vec(bytes: Vec<u8>) -> Result<Gguf, GgufError> {
        Gguf::check(Bytes::Owned(bytes))
    }

    /// Reads the first three parts and checks that every tensor lies within the fourth.
    fn check(bytes: Bytes) -> Result<Gguf, GgufError> {
        check_beginning(&bytes)?;
        let mut reader = Cursor::new(&bytes[..]);
        let header =
            GGUFHeader::read_from(&mut reader).map_err(|e| unreadable("header", &reader, e))?;

        // A value takes up to 32 bytes in memory where the file may spend one: bounded, so that a small file stays small.
        let memory_limit = 64 * 1024 + bytes.len().saturating_mul(8);
        let metadata = Metadata::read_from_with_limits(
            &mut reader,
            header.metadata_kv_count,
            usize::MAX,
            memory_limit,
        )
        .map_err(|e| unreadable("metadata", &reader, e))?;

        let mut descriptions = Vec::new(); // not sized by the header's count, which may be anything
        for _ in 0..header.tensor_count {
            let description = TensorInfo::read_from(&mut reader);
            descriptions
                .push(description.map_err(|e| unreadable("list of tensors", &reader, e))?);
        }

        let alignment =
            metadata.tensor_alignment().map_err(|e| unreadable("metadata", &reader, e))? as u64;
        if !alignment.is_power_of_two() {
            return Err(GgufError::Alignment { found: alignment });
        }
        let data_start = reader.position().next_multiple_of(alignment);
        let places: Vec<Place> = (descriptions.into_iter())
            .map(|description| place(description, data_start, alignment, bytes.len()))
            .collect::<Result<_, _>>()?;
        check_overlaps(&places)?;

        let mut by_name = HashMap::new();
        for (index, place) in places.iter().enumerate() {
            if by_name.insert(place.name.clone(), index).is_some() {
                return Err(bad_tensor(&place.name, "it is in the file twice".to_string()));
            }
        }
        Ok(Gguf { bytes, metadata, places, by_name })
    }

    /// The metadata's keys, sorted.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        let mut keys: Vec<&str> = self.metadata.keys().map(String::as_str).collect();
        keys.sort_unstable();
        keys.into_iter()
    }

    /// Whether the metadata has this key.
    pub fn has(&self, key: &str) -> bool {
        self.metadata.contains_key(key)
    }

    /// The text under this key.
    pub fn text(&self, key: &str) -> Result<&str, GgufError> {
        self.value(key, "a text", MetadataValue::as_str)
    }

    /// The number under this key, whichever of the eight integer types it has; a negative one is an error.
    pub fn integer(&self, key: &str) -> Result<u64, GgufError> {
        self.value(key, "an integer that is not negative", not_negative)
    }

    /// The floating-point number under this key.
    pub fn float(&self, key: &str) -> Result<f64, GgufError> {
        self.value(key, "a floating-point number", MetadataValue::as_f64)
    }

    /// The truth value under this key.
    pub fn flag(&self, key: &str) -> Result<bool, GgufError> {
        self.value(key, "true or false", MetadataValue::as_bool)
    }

    /// The list of texts under this key.
    pub fn texts(&self, key: &str) -> Result<Vec<&str>, GgufError> {
        self.value(key, "a list of texts", |value| list(value, MetadataValue::as_str))
    }

    /// The list of numbers under this key, of any integer type; a negative one is an error.
    pub fn integers(&self, key: &str) -> Result<Vec<u64>, GgufError> {
        self.value(key, "a list of integers that are not negative", |value| {
            list(value, not_negative)
        })
    }

    fn value<'a, T>(
        &'a self,
        key: &str,
        expected: &'static str,
        pick: impl Fn(&'a MetadataValue) -> Option<T>,
    ) -> Result<T, GgufError> {
        let value = self
            .metadata
            .get(key)
            .ok_or_else(|| GgufError::MissingKey { key: key.to_owned() })?;
        pick(value).ok_or_else(|| GgufError::WrongType {
            key: key.to_owned(),
            found: describe(value),
            expected,
        })
    }

    /// The value under this key in a few words, for people to read.
    pub fn describe(&self, key: &str) -> String {
        self.metadata.get(key).map_or("nothing".to_string(), describe)
    }

    /// Every tensor, in the order of the file.
    pub fn tensors(&self) -> impl Iterator<Item = Tensor<'_>> {
        self.places.iter().map(|place| self.view(place))
    }

    /// Whether the file has a tensor of this name.
    pub fn has_tensor(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The tensor of this name.
    pub fn tensor(&self, name: &str) -> Result<Tensor<'_>, GgufError> {
        let index = self
            .by_name
            .get(name)
            .ok_or_else(|| GgufError::MissingTensor { name: name.to_owned() })?;
        Ok(self.view(&self.places[*index]))
    }

    fn view<'a>(&'a self, place: &'a Place) -> Tensor<'a> {
        let Place { name, rows, columns, stored, range } = place;
        Tensor {
            name,
            rows: *rows,
            columns: *columns,
            stored: *stored,
            bytes: &self.bytes[range.clone()],
        }
    }
}

impl Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Static(bytes) => bytes,
            Bytes::Owned(bytes) => bytes,
        }
    }
}

/// What the first eight bytes show: no GGUF file at all, or one that was written for another time or machine.
fn check_beginning(bytes: &[u8]) -> Result<(), GgufError> {
    if bytes.is_empty() {
        return Err(GgufError::Empty);
    }
    let magic = &bytes[..bytes.len().min(4)];
    if !b"GGUF".starts_with(magic) {
        return Err(GgufError::NotGguf { found: magic.to_vec() });
    }
    let Some(version) = bytes[magic.len()..].first_chunk() else {
        return Err(GgufError::EndsEarly { part: "header", length: bytes.len() });
    };
    match (u32::from_le_bytes(*version), u32::from_be_bytes(*version)) {
        (3, _) => Ok(()),
        (_, found @ 1..=3) => Err(GgufError::BigEndian { found }),
        (found, _) => Err(GgufError::Version { found }),
    }
}

/// Checks one tensor's description and turns it into a place in the file.
fn place(
    info: TensorInfo,
    data_start: u64,
    alignment: u64,
    file_length: usize,
) -> Result<Place, GgufError> {
    let bad = |problem| bad_tensor(&info.name, problem);
    if info.dimensions.contains(&0) {
        return Err(bad(format!(
            "its shape is {:?}, expected no dimension of zero",
            info.dimensions
        )));
    }
    let kind = GGUFTensorType::from_u32(info.tensor_type).map_err(|e| bad(e.to_string()))?;
    let Some(stored) = StoredType::from_name(kind.name()) else {
        let known = StoredType::ALL.map(StoredType::name).join(", ");
        return Err(bad(format!("it is stored as {}, expected one of {known}", kind.name())));
    };
    if info.offset % alignment != 0 {
        return Err(bad(format!(
            "its offset is {}, expected a multiple of {alignment}",
            info.offset
        )));
    }
    // The reader has made sure that the number of elements and of bytes fits into 64 bits.
    let length = kind.checked_calculate_size(info.element_count()).unwrap_or(u64::MAX);
    let start = data_start.saturating_add(info.offset);
    let end = start.saturating_add(length);
    if end > file_length as u64 {
        return Err(bad(format!(
            "it takes the bytes {start} to {end}, but the file has {file_length}: the download is incomplete, fetch it again"
        )));
    }
    // Dimensions come innermost first: the first is the length of a row.
    let rows: u64 = info.dimensions[1..].iter().product();
    let (rows, columns) = (rows as usize, info.dimensions[0] as usize);
    Ok(Place { name: info.name, rows, columns, stored, range: start as usize..end as usize })
}

fn check_overlaps(places: &[Place]) -> Result<(), GgufError> {
    let mut sorted: Vec<&Place> = places.iter().collect();
    sorted.sort_by_key(|place| place.range.start);
    for pair in sorted.windows(2) {
        let (first, second) = (pair[0], pair[1]);
        if first.range.end > second.range.start {
            let problem = format!(
                "it ends at byte {}, but {:?} begins at {}",
                first.range.end, second.name, second.range.start
            );
            return Err(bad_tensor(&first.name, problem));
        }
    }
    Ok(())
}

fn bad_tensor(name: &str, problem: String) -> GgufError {
    GgufError::BadTensor { name: name.to_owned(), problem }
}

/// The reader's error with the place where it happened.
fn unreadable(part: &'static str, reader: &Cursor<&[u8]>, error: GGUFError) -> GgufError {
    match error {
        GGUFError::Io(e) if e.kind() == ErrorKind::UnexpectedEof => {
            GgufError::EndsEarly { part, length: reader.get_ref().len() }
        }
        // The message may quote the file: whatever would break the line is taken out.
        e => GgufError::Malformed {
            part,
            at: reader.position(),
            reason: e.to_string().replace(char::is_control, " "),
        },
    }
}

fn not_negative(value: &MetadataValue) -> Option<u64> {
    value.as_u64().or_else(|| u64::try_from(value.as_i64()?).ok())
}

fn list<'a, T>(
    value: &'a MetadataValue,
    pick: impl Fn(&'a MetadataValue) -> Option<T>,
) -> Option<Vec<T>> {
    let MetadataValue::Array(array) = value else { return None };
    array.values.iter().map(pick).collect()
}

/// A value in a few words: long texts and lists are cut, and nothing in them can reach the terminal as a command.
fn describe(value: &MetadataValue) -> String {
    match value {
        MetadataValue::String(text) if text.chars().count() > 60 => {
            let beginning: String = text.chars().take(60).collect();
            format!("{beginning:?}... ({} bytes)", text.len())
        }
        MetadataValue::String(text) => format!("{text:?}"),
        MetadataValue::Array(array) => {
            let some: Vec<String> = array.values.iter().take(4).map(describe).collect();
            format!(
                "[{}{}] ({} of type {})",
                some.join(", "),
                if array.len() > 4 { ", ..." } else { "" },
                array.len(),
                array.element_type
            )
        }
        number => number.to_string_representation(),
    }
}
