//! Converts between JavaScript objects and Rust values. An argument is first read as a JSON value of bounded depth.
//! Otherwise a cyclic object would overflow the stack and end the WebAssembly instance.

use std::fmt;

use serde::Serialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use wasm_bindgen::prelude::*;

/// The deepest nesting of an argument; `serde_json` has the same limit for text.
const MAX_DEPTH: u8 = 128;

/// Reads an argument as a JSON value.
///
/// # Errors
/// The value is nested too deeply or cannot be JSON.
pub fn read(value: JsValue) -> Result<Value, JsError> {
    let deserializer = serde_wasm_bindgen::Deserializer::from(value);
    Bounded(MAX_DEPTH)
        .deserialize(deserializer)
        .map_err(JsError::from)
}

/// Converts a result to a JavaScript object. One call of `JSON.parse` is faster than a call for each member.
///
/// # Errors
/// The value cannot be JSON.
pub fn write(value: &impl Serialize) -> Result<JsValue, JsError> {
    let text = serde_json::to_string(value)?;
    js_sys::JSON::parse(&text).map_err(|_| JsError::new("the result is not JSON"))
}

/// Reads a value that is nested at most this many levels deep.
#[derive(Clone, Copy)]
struct Bounded(u8);

impl Bounded {
    fn inner<E: Error>(self) -> Result<Bounded, E> {
        let depth = self.0.checked_sub(1);
        depth
            .map(Bounded)
            .ok_or_else(|| E::custom("the value is nested too deep"))
    }
}

impl<'de> DeserializeSeed<'de> for Bounded {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Bounded {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(inner)? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let inner = self.inner()?;
        let mut map = Map::new();
        while let Some(name) = members.next_key()? {
            map.insert(name, members.next_value_seed(inner)?);
        }
        Ok(map.into())
    }
}
