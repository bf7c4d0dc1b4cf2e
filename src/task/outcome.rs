//! The outcomes of effects, as the host reports them.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde_json::Value;

/// A value bound to, or read from, a statement.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum SqlValue {
    /// SQL NULL.
    Null,
    /// An integer between -2^53 and 2^53.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// Text.
    Text(String),
}

impl<'de> Deserialize<'de> for SqlValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SqlValue, D::Error> {
        struct SqlValueVisitor;
        impl Visitor<'_> for SqlValueVisitor {
            type Value = SqlValue;
            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("null, a number or text")
            }
            fn visit_unit<E>(self) -> Result<SqlValue, E> {
                Ok(SqlValue::Null)
            }
            fn visit_i64<E>(self, value: i64) -> Result<SqlValue, E> {
                Ok(SqlValue::Integer(value))
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<SqlValue, E> {
                i64::try_from(value)
                    .map(SqlValue::Integer)
                    .map_err(E::custom)
            }
            fn visit_f64<E>(self, value: f64) -> Result<SqlValue, E> {
                Ok(SqlValue::Real(value))
            }
            fn visit_str<E>(self, value: &str) -> Result<SqlValue, E> {
                Ok(SqlValue::Text(value.to_owned()))
            }
            fn visit_string<E>(self, value: String) -> Result<SqlValue, E> {
                Ok(SqlValue::Text(value))
            }
        }
        deserializer.deserialize_any(SqlValueVisitor)
    }
}

macro_rules! sql_values {
    ($($of:ty: $value:ident => $made:expr;)*) => {$(
        impl From<$of> for SqlValue {
            fn from($value: $of) -> SqlValue {
                $made
            }
        }
    )*};
}
sql_values! {
    i64: value => SqlValue::Integer(value);
    u32: value => SqlValue::Integer(value.into());
    bool: value => SqlValue::Integer(value.into());
    &str: value => SqlValue::Text(value.to_owned());
    &String: value => SqlValue::Text(value.clone());
    String: value => SqlValue::Text(value);
}

impl<T: Into<SqlValue>> From<Option<T>> for SqlValue {
    fn from(value: Option<T>) -> SqlValue {
        value.map_or(SqlValue::Null, Into::into)
    }
}

/// The result of one statement of a batch.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
pub struct StatementResult {
    /// The rows, each with its columns in the statement's order.
    pub rows: Vec<Vec<SqlValue>>,
    /// The number of inserted, updated or deleted rows.
    pub changes: u64,
}

/// An HTTP response.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
pub struct IncomingResponse {
    /// The status code.
    pub status: u16,
    /// The headers, names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body, cut at the request's `max_bytes`. The bytes follow the frame's head.
    #[serde(skip)]
    pub body: Vec<u8>,
}

/// The error of a port.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, serde::Deserialize)]
#[error("{port}: {message}")]
pub struct PortError {
    /// The port, such as `sql` or `mail`.
    #[serde(default)]
    pub port: String,
    /// The kind of error: `timeout`, `missing`, `invalid` (a value of a wrong shape), `busy` (locked temporarily),
    /// `full` (the disk), `permanent` (another attempt would fail too) or `failed`. Reading a body has further codes.
    pub code: String,
    /// The port's error message; for the log, never for a client.
    pub message: String,
}

/// The outcome of one effect.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The results of a batch, one for each statement.
    Sql(Vec<StatementResult>),
    /// An HTTP response.
    Http(IncomingResponse),
    /// The bytes of a file, of the request's body or of the reference, which follow the frame's head. `None` if the
    /// file does not exist.
    #[serde(deserialize_with = "no_bytes_yet")]
    File(Option<Vec<u8>>),
    /// A file of a multipart body that was read to its end. Its first bytes follow the frame's head.
    Received(super::context::Received),
    /// Any other outcome, as JSON, such as a mail's receipt, a meta value or a callback's result.
    Value(Value),
    /// The port failed.
    Failed(PortError),
}

/// Reads whether the file exists. `frame.rs` adds the bytes later.
fn no_bytes_yet<'de, D: Deserializer<'de>>(is_there: D) -> Result<Option<Vec<u8>>, D::Error> {
    Ok(bool::deserialize(is_there)?.then(Vec::new))
}
