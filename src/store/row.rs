//! Deserializes rows. Each value reads the next column. A tuple or struct reads one column for each member, in order,
//! and ignores names.

use serde::Deserialize;
use serde::de::value::Error;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::Result;
use crate::task::SqlValue;

/// The remaining columns of a row.
pub(crate) struct Row(std::vec::IntoIter<SqlValue>);

impl Row {
    pub(super) fn new(columns: Vec<SqlValue>) -> Row {
        Row(columns.into_iter())
    }

    /// Reads the next column, or the next columns of a tuple or a struct.
    pub(super) fn read<T: DeserializeOwned>(&mut self) -> Result<T> {
        Ok(T::deserialize(self)?)
    }

    fn take(&mut self) -> SqlValue {
        self.0.next().unwrap_or(SqlValue::Null)
    }
}

/// Reads a member of a struct from a column of JSON text; `None` if the text is empty or does not match the type.
pub(super) fn json_if_any<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    column: D,
) -> Result<Option<T>, D::Error> {
    Ok(serde_json::from_str(&String::deserialize(column)?).ok())
}

/// An integer that the statement returns as text. PostgreSQL's adapter need not inspect text before it commits.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct IntegerText(pub(super) i64);

impl TryFrom<String> for IntegerText {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<IntegerText, Self::Error> {
        text.parse().map(IntegerText)
    }
}

impl<'de> SeqAccess<'de> for Row {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        seed.deserialize(self).map(Some)
    }
}

impl<'de> Deserializer<'de> for &mut Row {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.take() {
            SqlValue::Null => visitor.visit_unit(),
            SqlValue::Integer(value) => visitor.visit_i64(value),
            SqlValue::Real(value) => visitor.visit_f64(value),
            SqlValue::Text(value) => visitor.visit_string(value),
        }
    }

    /// The database stores flags as 0 or 1.
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(i64::deserialize(self)? != 0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0.as_slice().first() == Some(&SqlValue::Null) {
            self.take();
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(self)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_seq(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(String::deserialize(self)?.into_deserializer())
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct
        seq tuple_struct map identifier ignored_any
    }
}
