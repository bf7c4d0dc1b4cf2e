//! What a host reports back about an effect.

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
    /// An integer within ±2^53.
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

impl From<i64> for SqlValue {
    fn from(value: i64) -> SqlValue {
        SqlValue::Integer(value)
    }
}

impl From<u32> for SqlValue {
    fn from(value: u32) -> SqlValue {
        SqlValue::Integer(value.into())
    }
}

impl From<bool> for SqlValue {
    fn from(value: bool) -> SqlValue {
        SqlValue::Integer(value.into())
    }
}

impl From<&str> for SqlValue {
    fn from(value: &str) -> SqlValue {
        SqlValue::Text(value.to_owned())
    }
}

impl From<&String> for SqlValue {
    fn from(value: &String) -> SqlValue {
        SqlValue::Text(value.clone())
    }
}

impl From<String> for SqlValue {
    fn from(value: String) -> SqlValue {
        SqlValue::Text(value)
    }
}

impl<T: Into<SqlValue>> From<Option<T>> for SqlValue {
    fn from(value: Option<T>) -> SqlValue {
        value.map_or(SqlValue::Null, Into::into)
    }
}

/// What one statement of a batch gave.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
pub struct StatementResult {
    /// The rows, in the order of the statement's columns.
    pub rows: Vec<Vec<SqlValue>>,
    /// How many rows it inserted, updated or deleted.
    pub changes: u64,
}

/// An HTTP answer.
#[derive(Clone, Debug, PartialEq)]
pub struct IncomingResponse {
    /// The status code.
    pub status: u16,
    /// The headers, names in lower case.
    pub headers: BTreeMap<String, String>,
    /// The body, cut at the request's `max_bytes`.
    pub body: Vec<u8>,
}

/// Why a port could not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, serde::Deserialize)]
#[error("{port}: {message}")]
pub struct PortError {
    /// The port, such as `sql` or `mail`.
    #[serde(default)]
    pub port: String,
    /// `timeout`, `missing`, `invalid` (a wrong shape), `permanent` (another attempt would fail too)
    /// or `failed`.
    pub code: String,
    /// What the port said; for the log, never for a client.
    pub message: String,
}

/// The outcome of one effect.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The results of a batch, one for each statement.
    Sql(Vec<StatementResult>),
    /// An HTTP answer.
    Http(IncomingResponse),
    /// A file's bytes, or `None` where there is no such file.
    File(Option<Vec<u8>>),
    /// Any other answer, as JSON: a mail's receipt, a meta value, a callback's return.
    Value(Value),
    /// The port failed.
    Failed(PortError),
}
