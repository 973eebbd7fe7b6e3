//! Questions to a file's metadata: each asks for a key and a type, and either may be missing.

use gguf_rs_lib::format::MetadataValue;

use crate::gguf::{Gguf, GgufError};
use crate::text::one_line;

impl Gguf {
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

    /// The number under this key, of any integer type; a negative one is an error.
    pub fn integer(&self, key: &str) -> Result<u64, GgufError> {
        self.value(key, "an integer that is not negative", integer)
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
            list(value, integer)
        })
    }

    /// The list of floating-point numbers under this key.
    pub fn floats(&self, key: &str) -> Result<Vec<f32>, GgufError> {
        self.value(key, "a list of floating-point numbers", |value| {
            list(value, |number| Some(number.as_f64()? as f32))
        })
    }

    /// The value under this key in a few words, for people to read.
    pub fn describe(&self, key: &str) -> String {
        self.metadata.get(key).map_or("nothing".to_owned(), describe)
    }

    fn value<'a, T>(
        &'a self,
        key: &str,
        expected: &'static str,
        as_type: impl Fn(&'a MetadataValue) -> Option<T>,
    ) -> Result<T, GgufError> {
        match self.metadata.get(key) {
            None => Err(GgufError::MissingKey { key: key.to_owned() }),
            Some(value) => as_type(value).ok_or_else(|| GgufError::WrongType {
                key: key.to_owned(),
                found: describe(value),
                expected,
            }),
        }
    }
}

/// The format has eight integer types, and writers do not agree on which to use.
fn integer(value: &MetadataValue) -> Option<u64> {
    value.as_u64().or_else(|| u64::try_from(value.as_i64()?).ok())
}

fn list<'a, T>(
    value: &'a MetadataValue,
    as_type: impl Fn(&'a MetadataValue) -> Option<T>,
) -> Option<Vec<T>> {
    match value {
        MetadataValue::Array(array) => array.values.iter().map(as_type).collect(),
        _ => None,
    }
}

/// Long values are cut, and control characters escaped: a file may hold anything.
fn describe(value: &MetadataValue) -> String {
    let whole = match value {
        MetadataValue::String(text) => {
            let beginning: String = text.chars().take(60).collect();
            let rest = text.len() - beginning.len();
            if rest == 0 {
                format!("{text:?}")
            } else {
                format!("{beginning:?} and {rest} bytes")
            }
        }
        MetadataValue::Array(array) => {
            let mut items: Vec<String> = array.values.iter().take(4).map(in_list).collect();
            if array.len() > items.len() {
                items.push("...".to_owned());
            }
            format!("{} x {} [{}]", array.len(), array.element_type, items.join(", "))
        }
        number => number.to_string_representation(),
    };
    one_line(&whole, 200)
}

/// A list in a list is not described: there could be very many.
fn in_list(value: &MetadataValue) -> String {
    match value {
        MetadataValue::Array(array) => format!("{} x {}", array.len(), array.element_type),
        other => describe(other),
    }
}
