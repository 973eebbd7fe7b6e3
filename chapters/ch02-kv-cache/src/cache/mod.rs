mod basic;
mod contiguous;

use std::ffi::OsString;
use std::fmt;

use clap::ValueEnum;
use ground::config::Config;
use ground::error::Error;
use ndarray::ArrayView2;

pub use basic::BasicCache;
pub use contiguous::ContiguousCache;

/// The keys and values of every position that the model has seen.
///
/// A forward pass writes the new rows of each layer behind the rows that are complete, and advances the
/// length once, when every layer has written: a pass that fails half-way leaves nothing behind.
pub trait KvCache: fmt::Debug + Send + Sync {
    fn kind(&self) -> &'static str;
    fn layers(&self) -> usize;
    /// How wide a row is: kv_heads * head_dim.
    fn width(&self) -> usize;
    /// How many positions are complete, in all layers.
    fn length(&self) -> usize;
    /// How many positions it can hold; `None` if it grows.
    fn capacity(&self) -> Option<usize>;
    /// The memory that its rows take at the moment.
    fn memory_bytes(&self) -> usize;

    /// Writes rows from position `length()` on, whatever was written there before.
    /// k and v: [rows, width]
    fn write(
        &mut self,
        layer: usize,
        k: ArrayView2<f32>,
        v: ArrayView2<f32>,
    ) -> Result<(), CacheError>;
    /// From now on the rows just written count. Every layer must have written them.
    fn advance(&mut self, rows: usize);
    /// Keys and values of the first `rows` positions of a layer, each [rows, width]
    fn view(&self, layer: usize, rows: usize) -> Result<Rows<'_>, CacheError>;

    /// Forgets every position from `length` on, in all layers.
    fn truncate(&mut self, length: usize);
    /// A copy that stays as it is while this one goes on.
    fn snapshot(&self) -> Box<dyn KvCache>;

    fn clear(&mut self) {
        self.truncate(0);
    }

    /// Takes over what a snapshot holds, also one of another kind.
    fn restore(&mut self, snapshot: &dyn KvCache) -> Result<(), CacheError> {
        check_model((snapshot.layers(), snapshot.width()), (self.layers(), self.width()))?;
        check_room(self.capacity(), 0, snapshot.length())?;
        self.clear();
        for layer in 0..snapshot.layers() {
            let (k, v) = snapshot.view(layer, snapshot.length())?;
            self.write(layer, k, v)?;
        }
        self.advance(snapshot.length());
        Ok(())
    }
}

/// Keys and values, each [rows, width].
pub type Rows<'a> = (ArrayView2<'a, f32>, ArrayView2<'a, f32>);

/// A cache that is lent to a forward pass, or none.
pub type Lent<'a> = Option<&'a mut (dyn KvCache + 'static)>;

/// Which cache to use, as `--kv` names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    Basic,
    Contiguous,
}

impl Mode {
    /// A new cache with the dimensions of this model. `positions`: the most that will be needed.
    pub fn cache(self, config: &Config, positions: usize) -> Box<dyn KvCache> {
        let width = config.kv_heads * config.head_dim;
        match self {
            Mode::Basic => Box::new(BasicCache::new(config.layers, width)),
            Mode::Contiguous => Box::new(ContiguousCache::new(config.layers, width, positions)),
        }
    }
}

/// `--kv contiguous` becomes `--kv=contiguous`; after a plain `--kv` any other word is the prompt.
pub fn join_mode(arguments: Vec<OsString>) -> Vec<OsString> {
    let mut joined: Vec<OsString> = Vec::new();
    let mut only_words_left = false;
    for argument in arguments {
        let is_mode = argument.to_str().is_some_and(|word| Mode::from_str(word, false).is_ok());
        match joined.last_mut() {
            Some(last) if !only_words_left && last == "--kv" && is_mode => {
                last.push("=");
                last.push(argument);
            }
            _ => {
                only_words_left |= argument == "--";
                joined.push(argument);
            }
        }
    }
    joined
}

/// Everything that has to be true before a forward pass writes its first row.
pub fn check(
    cache: &dyn KvCache,
    config: &Config,
    position: usize,
    rows: usize,
) -> Result<(), CacheError> {
    let expected = (config.layers, config.kv_heads * config.head_dim);
    check_model((cache.layers(), cache.width()), expected)?;
    if position != cache.length() {
        return Err(CacheError::Position { position, length: cache.length() });
    }
    check_room(cache.capacity(), position, rows)
}

/// A cache that holds rows of one prompt must not be used for another.
pub fn check_empty(cache: &dyn KvCache) -> Result<(), CacheError> {
    match cache.length() {
        0 => Ok(()),
        length => Err(CacheError::Position { position: 0, length }),
    }
}

fn check_model(found: (usize, usize), expected: (usize, usize)) -> Result<(), CacheError> {
    if found == expected { Ok(()) } else { Err(CacheError::OtherModel { found, expected }) }
}

fn check_room(capacity: Option<usize>, length: usize, rows: usize) -> Result<(), CacheError> {
    match capacity {
        Some(capacity) if length + rows > capacity => {
            Err(CacheError::Full { length, rows, capacity })
        }
        _ => Ok(()),
    }
}

fn check_layer(cache: &dyn KvCache, layer: usize) -> Result<(), CacheError> {
    let layers = cache.layers();
    if layer < layers { Ok(()) } else { Err(CacheError::Layer { layer, layers }) }
}

/// Whether these rows can be written to this layer.
fn check_write(
    cache: &dyn KvCache,
    layer: usize,
    k: ArrayView2<f32>,
    v: ArrayView2<f32>,
) -> Result<(), CacheError> {
    check_layer(cache, layer)?;
    for width in [k.ncols(), v.ncols()] {
        if width != cache.width() {
            return Err(CacheError::Width { found: width, expected: cache.width() });
        }
    }
    if k.nrows() != v.nrows() {
        return Err(CacheError::Rows { keys: k.nrows(), values: v.nrows() });
    }
    check_room(cache.capacity(), cache.length(), k.nrows())
}

/// Whether these rows of a layer have been written.
fn check_view(layer: usize, rows: usize, written: usize) -> Result<(), CacheError> {
    if rows <= written { Ok(()) } else { Err(CacheError::Unwritten { layer, rows, written }) }
}

/// What can be wrong about using a cache; nothing has been written when one of these is returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CacheError {
    #[error(
        "the cache is full: {rows} rows behind {length} do not fit into its {capacity} positions"
    )]
    Full { length: usize, rows: usize, capacity: usize },
    #[error("layer {layer} is not in the cache: it has layers 0 to {}", layers - 1)]
    Layer { layer: usize, layers: usize },
    #[error("a row has {found} numbers, but the cache's rows have {expected}")]
    Width { found: usize, expected: usize },
    #[error("{keys} rows of keys came with {values} rows of values")]
    Rows { keys: usize, values: usize },
    #[error(
        "the next position is {position}, but the cache holds {length}: use an empty cache for a new prompt"
    )]
    Position { position: usize, length: usize },
    #[error(
        "this cache belongs to another model: layers and row width are {found:?}, expected {expected:?}"
    )]
    OtherModel { found: (usize, usize), expected: (usize, usize) },
    #[error("{rows} rows were asked of layer {layer}, but only {written} are written")]
    Unwritten { layer: usize, rows: usize, written: usize },
}

impl From<CacheError> for Error {
    fn from(error: CacheError) -> Error {
        Error::Chapter(error.to_string())
    }
}

/// What `{:?}` shows of a cache: a page of numbers helps nobody.
fn describe(cache: &dyn KvCache, f: &mut fmt::Formatter) -> fmt::Result {
    f.debug_struct("KvCache")
        .field("kind", &cache.kind())
        .field("layers", &cache.layers())
        .field("length", &cache.length())
        .field("capacity", &cache.capacity())
        .field("memory_bytes", &cache.memory_bytes())
        .finish()
}
