//! Opening a GGUF file: from bytes that may be anything to metadata and tensors to rely on.
//!
//! A file has four parts: a header of 24 bytes, metadata (keys with values), one description
//! per tensor, and the tensors' data. The first three are read once and kept; the data stays
//! where it is and is lent out as slices.

use std::collections::HashMap;
use std::fs::{File, FileType};
use std::io::{Cursor, ErrorKind};
use std::ops::{Deref, Range};
use std::path::Path;

use gguf_rs_lib::error::GGUFError;
use gguf_rs_lib::format::{GGUFHeader, GGUFTensorType, Metadata, TensorInfo};
use memmap2::Mmap;

use crate::dtype::StoredType;
use crate::not_a_model;
use crate::requantize::Rewritten;
pub use crate::tensor::Tensor;
use crate::text::{NAME, one_line};

/// An open, checked GGUF file.
pub struct Gguf {
    bytes: Bytes,
    pub(crate) metadata: Metadata, // read through the methods in `metadata.rs`
    places: Vec<Place>,            // in the order of the file
    by_name: HashMap<String, usize>, // a tensor's name -> its index in `places`
}

/// Where the file's bytes live.
enum Bytes {
    Mapped(Mmap),
    Static(&'static [u8]),
    Owned(Vec<u8>),
}

/// What one tensor is, and where in the file.
pub struct Place {
    /// Its name, such as `blk.0.attn_q.weight`.
    pub name: String,
    /// How many rows it has.
    pub rows: usize,
    /// How many numbers a row has.
    pub columns: usize,
    /// How [`Gguf::tensor`] gives the numbers.
    pub stored: StoredType,
    /// Where the file has them.
    pub range: Range<usize>,
    rewritten: Option<Rewritten>, // if the file has them in another type
}

/// Why a file cannot be opened, or a question about it not be answered.
#[derive(Debug, thiserror::Error)]
pub enum GgufError {
    /// The operating system refused.
    #[error("cannot open the file: {0}")]
    Open(#[from] std::io::Error),
    /// No byte at all.
    #[error("the file is empty: download it again")]
    Empty,
    /// Something that has a name and no bytes of its own; to wait for bytes could take for ever.
    #[error("it is {found}, expected a file{advice}")]
    NotAFile { found: &'static str, advice: &'static str },
    /// Another kind of file.
    #[error("not a GGUF file: it begins with \"{}\", not \"GGUF\"{advice}", found.escape_ascii())]
    NotGguf { found: Vec<u8>, advice: &'static str },
    /// From before or after version 3.
    #[error("a GGUF file of version {found}, expected 3: convert the model again")]
    Version { found: u32 },
    /// Written for machines that put the high byte first.
    #[error("a big-endian GGUF file, expected little-endian: convert the model again")]
    BigEndian,
    /// The file stops before the tensors' data.
    #[error("the file ends after {length} bytes, within its {part}: download it again")]
    EndsEarly { part: &'static str, length: usize },
    /// Something before the tensors' data breaks the rules of the format.
    #[error(
        "the {part} cannot be read near byte {at}: {}; the file is damaged",
        one_line(reason, 200)
    )]
    Malformed { part: &'static str, at: u64, reason: String },
    /// Tensors must lie at multiples of a power of two.
    #[error("general.alignment is {found}, expected a power of two: convert the model again")]
    Alignment { found: u64 },
    /// A tensor that cannot be used.
    #[error("tensor \"{}\": {problem}", one_line(name, NAME))]
    BadTensor { name: String, problem: String },
    /// A tensor that should be there.
    #[error("no tensor \"{}\" in the file: it is not the whole model", one_line(name, NAME))]
    MissingTensor { name: String },
    /// A metadata key that should be there.
    #[error("no metadata key \"{}\" in the file: convert the model again", one_line(key, NAME))]
    MissingKey { key: String },
    /// A metadata value of another type.
    #[error("metadata key \"{}\": found {found}, expected {expected}", one_line(key, NAME))]
    WrongType { key: String, found: String, expected: &'static str },
}

impl Gguf {
    /// Opens a file by mapping it into memory: its data is not read before it is used.
    #[allow(unsafe_code)]
    pub fn open(path: &Path) -> Result<Gguf, GgufError> {
        let found = std::fs::metadata(path)?.file_type();
        if !found.is_file() {
            let advice = not_a_model::of_folder(path);
            return Err(GgufError::NotAFile { found: name_of(found), advice });
        }
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Err(GgufError::Empty); // not every system can map an empty file
        }
        // SAFETY: nothing writes through this map. Should another program cut the file short
        // meanwhile, the system ends this one; should it write into the file, numbers change under
        // us. That is the price of not copying a model.
        let map = unsafe { Mmap::map(&file) }?;
        Gguf::read(Bytes::Mapped(map))
    }

    /// Opens a file that is part of the program.
    pub fn from_static(bytes: &'static [u8]) -> Result<Gguf, GgufError> {
        Gguf::read(Bytes::Static(bytes))
    }

    /// Opens a file that is in memory.
    pub fn from_vec(bytes: Vec<u8>) -> Result<Gguf, GgufError> {
        Gguf::read(Bytes::Owned(bytes))
    }

    /// Reads the first three parts, and checks that every tensor is within the fourth.
    fn read(bytes: Bytes) -> Result<Gguf, GgufError> {
        check_beginning(&bytes)?;
        let mut reader = Cursor::new(&bytes[..]);
        let header =
            GGUFHeader::read_from(&mut reader).map_err(|e| unreadable("header", &reader, e))?;

        // One byte of the file can become a value of 24 bytes in memory. Real files stay far
        // below this limit; a crafted one cannot take more than a small multiple of its size.
        let limit = bytes.len().saturating_mul(8).saturating_add(65536);
        let count = header.metadata_kv_count;
        let metadata = Metadata::read_from_with_limits(&mut reader, count, usize::MAX, limit)
            .map_err(|e| unreadable("metadata", &reader, e))?;
        let alignment =
            metadata.tensor_alignment().map_err(|e| unreadable("metadata", &reader, e))? as u64;
        if !alignment.is_power_of_two() {
            return Err(GgufError::Alignment { found: alignment });
        }

        let mut descriptions = Vec::new(); // grows as it is filled: the count may be a lie
        for _ in 0..header.tensor_count {
            let description = TensorInfo::read_from(&mut reader)
                .map_err(|e| unreadable("list of tensors", &reader, e))?;
            descriptions.push(description);
        }

        let data_start = reader.position().next_multiple_of(alignment);
        let mut places = Vec::new();
        let mut by_name = HashMap::new();
        for description in descriptions {
            let place = find_place(description, &metadata, data_start, alignment, bytes.len())?;
            if by_name.insert(place.name.clone(), places.len()).is_some() {
                return Err(bad_tensor(&place.name, "it is in the file twice".to_owned()));
            }
            places.push(place);
        }
        check_overlaps(&places)?;
        Ok(Gguf { bytes, metadata, places, by_name })
    }

    /// What every tensor is, in the order of the file. Nothing of the data is read.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// What the tensor of this name is.
    pub fn place(&self, name: &str) -> Result<&Place, GgufError> {
        match self.by_name.get(name) {
            Some(&index) => Ok(&self.places[index]),
            None => Err(GgufError::MissingTensor { name: name.to_owned() }),
        }
    }

    /// Every tensor, in the order of the file.
    pub fn tensors(&self) -> impl Iterator<Item = Tensor<'_>> {
        self.places.iter().map(|place| self.view(place))
    }

    /// Whether its data is in memory only as far as it is looked at.
    pub fn is_mapped(&self) -> bool {
        matches!(self.bytes, Bytes::Mapped(_))
    }

    /// Gives back the memory of a tensor whose data won't be needed soon: what is looked at again is read again.
    #[allow(unsafe_code)]
    pub fn forget(&self, place: &Place) {
        let Range { start, end } = place.range;
        #[cfg(unix)]
        if let Bytes::Mapped(map) = &self.bytes {
            let advice = memmap2::UncheckedAdvice::DontNeed;
            // SAFETY: nothing is written through this map, so no change is lost with its pages.
            let _ = unsafe { map.unchecked_advise_range(advice, start, end - start) };
        }
        let _ = (start, end); // elsewhere nobody is told
    }

    /// Whether the file has a tensor of this name.
    pub fn has_tensor(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// The tensor of this name.
    pub fn tensor(&self, name: &str) -> Result<Tensor<'_>, GgufError> {
        Ok(self.view(self.place(name)?))
    }

    fn view<'a>(&'a self, place: &'a Place) -> Tensor<'a> {
        let &Place { ref name, rows, columns, stored, .. } = place;
        let in_file = &self.bytes[place.range.clone()];
        let rewritten = place.rewritten.as_ref().map(|rewritten| rewritten.bytes(in_file));
        Tensor { name, rows, columns, stored, bytes: rewritten.unwrap_or(in_file) }
    }
}

impl Place {
    /// The name of the type that the file has: not that of `stored`, if the tensor is rewritten.
    pub fn type_in_file(&self) -> &'static str {
        self.rewritten.as_ref().map_or(self.stored.name(), |rewritten| rewritten.from)
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

/// What has a name in a folder and is no file.
fn name_of(found: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if found.is_fifo() {
            return "a pipe";
        }
        if found.is_char_device() || found.is_block_device() {
            return "a device";
        }
    }
    if found.is_dir() { "a folder" } else { "no ordinary file" }
}

/// Looks at the first eight bytes for what deserves a clearer word than "damaged".
fn check_beginning(bytes: &[u8]) -> Result<(), GgufError> {
    let magic = &bytes[..bytes.len().min(4)];
    if bytes.is_empty() {
        return Err(GgufError::Empty);
    }
    if !b"GGUF".starts_with(magic) {
        let advice = not_a_model::of_bytes(bytes);
        return Err(GgufError::NotGguf { found: magic.to_vec(), advice });
    }
    let Some(version) = bytes[magic.len()..].first_chunk() else {
        return Err(GgufError::EndsEarly { part: "header", length: bytes.len() });
    };
    match (u32::from_le_bytes(*version), u32::from_be_bytes(*version)) {
        (3, _) => Ok(()),
        (_, 1..=3) => Err(GgufError::BigEndian),
        (found, _) => Err(GgufError::Version { found }),
    }
}

/// Checks one tensor's description, and finds where its data is.
fn find_place(
    info: TensorInfo,
    metadata: &Metadata,
    data_start: u64,
    alignment: u64,
    file_length: usize,
) -> Result<Place, GgufError> {
    let bad = |problem| Err(bad_tensor(&info.name, problem));
    if info.dimensions.contains(&0) {
        return bad(format!("its shape is {:?}, expected no zero", info.dimensions));
    }
    let kind = GGUFTensorType::from_u32(info.tensor_type)
        .map_err(|e| bad_tensor(&info.name, e.to_string()))?;
    let rewritten = Rewritten::of(kind.name());
    let into = rewritten.as_ref().map(|rewritten| rewritten.into);
    let Some(stored) = StoredType::from_name(kind.name()).or(into) else {
        let known = [&StoredType::ALL.map(StoredType::name)[..], &Rewritten::NAMES].concat();
        let architecture = metadata.get_string("general.architecture").unwrap_or("qwen3");
        let (found, advice) = (kind.name(), not_a_model::of_type(kind.name(), architecture));
        let known = known.join(", ");
        return bad(format!("it is stored as {found}, expected one of {known}: {advice}"));
    };
    if !info.offset.is_multiple_of(alignment) {
        return bad(format!("its offset {} is not a multiple of {alignment}", info.offset));
    }
    // A size beyond 64 bits lies outside of any file.
    let size = kind.checked_calculate_size(info.element_count()).unwrap_or(u64::MAX);
    let start = data_start.saturating_add(info.offset);
    let end = start.saturating_add(size);
    if end > file_length as u64 {
        let whole = format!("bytes {start} to {end}, but the file ends after {file_length}");
        return bad(format!("its data takes {whole}: download it again"));
    }
    // Dimensions are listed innermost first: the first is the length of a row.
    let rows = info.dimensions[1..].iter().product::<u64>() as usize;
    let columns = info.dimensions[0] as usize;
    let range = start as usize..end as usize;
    Ok(Place { name: info.name, rows, columns, stored, range, rewritten })
}

/// No byte may belong to two tensors.
fn check_overlaps(places: &[Place]) -> Result<(), GgufError> {
    let mut in_order: Vec<&Place> = places.iter().collect();
    in_order.sort_by_key(|place| place.range.start);
    for pair in in_order.windows(2) {
        let (end, start) = (pair[0].range.end, pair[1].range.start);
        if start < end {
            let other = one_line(&pair[0].name, NAME);
            let problem = format!("it begins at byte {start}, but \"{other}\" ends at {end}");
            return Err(bad_tensor(&pair[1].name, problem));
        }
    }
    Ok(())
}

fn bad_tensor(name: &str, problem: String) -> GgufError {
    GgufError::BadTensor { name: name.to_owned(), problem }
}

/// The reader's error, with the part of the file and the byte where it happened.
fn unreadable(part: &'static str, reader: &Cursor<&[u8]>, error: GGUFError) -> GgufError {
    match error {
        GGUFError::Io(e) if e.kind() == ErrorKind::UnexpectedEof => {
            GgufError::EndsEarly { part, length: reader.get_ref().len() }
        }
        e => GgufError::Malformed { part, at: reader.position(), reason: e.to_string() },
    }
}
