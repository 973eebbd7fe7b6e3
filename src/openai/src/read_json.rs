//! Bodies of requests take no more memory than they need: what no answer depends on is skipped while it's read, and nothing is
//! read into a tree of values to see what it is.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::StringDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, Error, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess,
    Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::Value;

use crate::request_body::{Content, Logprobs, Prompts, Stops};

/// An object with the fields of `T`, and its others.
#[derive(Debug)]
pub struct With<T>(pub T, pub Rest);

/// All other fields, in their order: the first of them.
pub type Rest = Vec<(String, Short)>;

/// There are fewer names that we know: after so many some name is unknown, or is there twice.
const NAMES: usize = 64;

impl<'de, T: Deserialize<'de>> Deserialize<'de> for With<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<With<T>, D::Error> {
        struct Object<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
            type Value = With<T>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<With<T>, A::Error> {
                let mut rest = Vec::new();
                let known = T::deserialize(Known { map, names: &[], rest: &mut rest })?;
                Ok(With(known, rest))
            }
        }
        deserializer.deserialize_map(Object(PhantomData))
    }
}

/// The object again, for a type that knows the names of its fields: it gets no others.
struct Known<'r, A> {
    map: A,
    names: &'static [&'static str],
    rest: &'r mut Rest,
}

impl<'de, A: MapAccess<'de>> Deserializer<'de> for Known<'_, A> {
    type Error = A::Error;

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.names = names;
        visitor.visit_map(self)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, A::Error> {
        visitor.visit_map(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Known<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some(name) = self.map.next_key::<String>()? {
            if self.names.contains(&name.as_str()) {
                let name: StringDeserializer<A::Error> = name.into_deserializer();
                return seed.deserialize(name).map(Some);
            }
            let value = self.map.next_value()?;
            if self.rest.len() < NAMES {
                self.rest.push((name, value));
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// A value, if it's short enough to be one that asks for nothing: simple, or a list or an object with one that is.
#[derive(Debug)]
pub struct Short(pub Option<Value>);

impl<'de> Deserialize<'de> for Short {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Short, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Short;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a JSON value")
            }

            fn visit_unit<E>(self) -> Result<Short, E> {
                Ok(Short(Some(Value::Null)))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Short, E> {
                Ok(Short(Some(value.into())))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Short, E> {
                Ok(Short(Some(value.into())))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Short, E> {
                Ok(Short(Some(value.into())))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Short, E> {
                Ok(Short(Some(value.into())))
            }

            fn visit_str<E>(self, value: &str) -> Result<Short, E> {
                Ok(Short((value.len() <= 16).then(|| value.into())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Short, A::Error> {
                let first = list.next_element::<Short>()?;
                let more = skipped(&mut list)? > 0;
                let Some(Short(first)) = first else {
                    return Ok(Short(Some(Value::Array(Vec::new()))));
                };
                let first = first.filter(|value| !more && is_simple(value));
                Ok(Short(first.map(|value| Value::Array(vec![value]))))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Short, A::Error> {
                let first = map.next_entry::<String, Short>()?;
                let mut more = false;
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
                    more = true;
                }
                let Some((name, Short(value))) = first else {
                    return Ok(Short(Some(Value::Object(Default::default()))));
                };
                let value = value.filter(|value| !more && name.len() <= 16 && is_simple(value));
                Ok(Short(
                    value.map(|value| Value::Object([(name, value)].into_iter().collect())),
                ))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

fn is_simple(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

/// How many more there were.
fn skipped<'de, A: SeqAccess<'de>>(list: &mut A) -> Result<usize, A::Error> {
    let mut count = 0;
    while list.next_element::<IgnoredAny>()?.is_some() {
        count += 1;
    }
    Ok(count)
}

/// No more than the checks need to see that there are too many; the others are only read.
const MANY: usize = 17;

/// What a list has, behind what was taken from it already, but no more than so many.
fn taken<'de, T: Deserialize<'de>, A: SeqAccess<'de>>(
    mut list: A,
    mut all: Vec<T>,
    most: usize,
) -> Result<Vec<T>, A::Error> {
    while all.len() < most {
        let Some(one) = list.next_element()? else { return Ok(all) };
        all.push(one);
    }
    skipped(&mut list)?;
    Ok(all)
}

/// A type whose values look different from each other: what is there decides.
macro_rules! by_looks {
    ($type:ident, $expecting:literal, $($methods:tt)*) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                struct Looks;
                impl<'de> Visitor<'de> for Looks {
                    type Value = $type;

                    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                        f.write_str($expecting)
                    }

                    $($methods)*
                }
                deserializer.deserialize_any(Looks)
            }
        }
    };
}

by_looks! {
    Content, "a text, or a list of parts of type \"text\"",

    fn visit_str<E>(self, text: &str) -> Result<Content, E> {
        Ok(Content::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Content, A::Error> {
        taken(list, Vec::new(), usize::MAX).map(Content::Parts)
    }
}

by_looks! {
    Stops, "a text, or a list of texts",

    fn visit_str<E>(self, text: &str) -> Result<Stops, E> {
        Ok(Stops(vec![text.into()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Stops, A::Error> {
        taken(list, Vec::new(), MANY).map(Stops)
    }
}

by_looks! {
    Logprobs, "true or false in a chat, a whole number in a completion",

    fn visit_bool<E>(self, told: bool) -> Result<Logprobs, E> {
        Ok(Logprobs::Told(told))
    }

    fn visit_u64<E: Error>(self, count: u64) -> Result<Logprobs, E> {
        usize::try_from(count).map(Logprobs::Likely).map_err(E::custom)
    }
}

/// One of a list of prompts, or a token of the only one.
enum One {
    Text(String),
    Id(u32),
    List(Vec<u32>),
}

by_looks! {
    One, "a text, a token id, or a list of token ids",

    fn visit_str<E>(self, text: &str) -> Result<One, E> {
        Ok(One::Text(text.into()))
    }

    fn visit_u64<E: Error>(self, id: u64) -> Result<One, E> {
        u32::try_from(id).map(One::Id).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<One, A::Error> {
        taken(list, Vec::new(), usize::MAX).map(One::List)
    }
}

by_looks! {
    Prompts, "a text, a list of texts, of token ids, or of lists of token ids",

    fn visit_str<E>(self, text: &str) -> Result<Prompts, E> {
        Ok(Prompts::Text(text.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Prompts, A::Error> {
        match list.next_element()? {
            None => Ok(Prompts::Texts(Vec::new())),
            Some(One::Text(text)) => taken(list, vec![text], MANY).map(Prompts::Texts),
            Some(One::Id(id)) => taken(list, vec![id], usize::MAX).map(Prompts::Ids),
            Some(One::List(ids)) => taken(list, vec![ids], MANY).map(Prompts::Lists),
        }
    }
}
