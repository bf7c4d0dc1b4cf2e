//! Reading a row, column by column.

use serde::de::DeserializeOwned;

use super::StoreError;
use crate::task::SqlValue;

/// A row of a result.
#[derive(Debug)]
pub struct Row(Vec<SqlValue>);

impl Row {
    /// A row of these columns.
    pub fn new(columns: Vec<SqlValue>) -> Row {
        Row(columns)
    }

    fn take(&mut self, column: usize) -> Option<SqlValue> {
        self.0
            .get_mut(column)
            .map(|value| std::mem::replace(value, SqlValue::Null))
    }

    /// An integer.
    pub fn integer(&self, column: usize) -> Result<i64, StoreError> {
        match self.0.get(column) {
            Some(SqlValue::Integer(value)) => Ok(*value),
            _ => Err(StoreError::Shape {
                column,
                expected: "an integer",
            }),
        }
    }

    /// An integer that the statement gives as text: PostgreSQL's adapter need not look at text before it commits.
    pub fn integer_of_text(&mut self, column: usize) -> Result<i64, StoreError> {
        self.text(column)?.parse().map_err(|_| StoreError::Shape {
            column,
            expected: "an integer as text",
        })
    }

    /// An integer, or `None` for NULL.
    pub fn optional_integer(&self, column: usize) -> Result<Option<i64>, StoreError> {
        match self.0.get(column) {
            Some(SqlValue::Null) => Ok(None),
            _ => self.integer(column).map(Some),
        }
    }

    /// A flag, stored as 0 or 1.
    pub fn flag(&self, column: usize) -> Result<bool, StoreError> {
        self.integer(column).map(|value| value != 0)
    }

    /// Text, moved out of the row.
    pub fn text(&mut self, column: usize) -> Result<String, StoreError> {
        match self.take(column) {
            Some(SqlValue::Text(value)) => Ok(value),
            _ => Err(StoreError::Shape {
                column,
                expected: "text",
            }),
        }
    }

    /// Text, or `None` for NULL.
    pub fn optional_text(&mut self, column: usize) -> Result<Option<String>, StoreError> {
        match self.take(column) {
            Some(SqlValue::Null) => Ok(None),
            Some(SqlValue::Text(value)) => Ok(Some(value)),
            _ => Err(StoreError::Shape {
                column,
                expected: "text or null",
            }),
        }
    }

    /// A value from a column of JSON text.
    pub fn json<T: DeserializeOwned>(&mut self, column: usize) -> Result<T, StoreError> {
        Ok(serde_json::from_str(&self.text(column)?)?)
    }
}
