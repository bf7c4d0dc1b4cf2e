//! Database port of the native host: SQLite through rusqlite.

use cf_forms::task::{SqlValue, Statement, StatementResult};
use model::MAX_SAFE_INTEGER;
use rusqlite::types::{Value as Column, ValueRef};

/// Runs the statements in order, all or none.
pub fn batch(
    database: &mut rusqlite::Connection,
    statements: &[Statement],
) -> rusqlite::Result<Vec<StatementResult>> {
    let transaction = database.transaction()?;
    let results = statements
        .iter()
        .map(|statement| run(&transaction, statement))
        .collect::<rusqlite::Result<Vec<_>>>()?;
    transaction.commit()?;
    Ok(results)
}

fn run(
    transaction: &rusqlite::Transaction,
    statement: &Statement,
) -> rusqlite::Result<StatementResult> {
    let mut prepared = transaction.prepare(&statement.sql.text)?;
    for value in &statement.params {
        assert!(is_exact(value), "{value:?} for {}", statement.sql.text);
    }
    let params = rusqlite::params_from_iter(statement.params.iter().map(|value| match value {
        SqlValue::Null => Column::Null,
        SqlValue::Integer(value) => Column::Integer(*value),
        SqlValue::Real(value) => Column::Real(*value),
        SqlValue::Text(value) => Column::Text(value.clone()),
    }));
    let columns = prepared.column_count();

    let mut rows = Vec::new();
    let mut found = prepared.query(params)?;
    while let Some(row) = found.next()? {
        let columns = (0..columns).map(|column| {
            Ok(match row.get_ref(column)? {
                ValueRef::Null => SqlValue::Null,
                ValueRef::Integer(value) => SqlValue::Integer(value),
                ValueRef::Real(value) => SqlValue::Real(value),
                ValueRef::Text(value) | ValueRef::Blob(value) => {
                    SqlValue::Text(String::from_utf8_lossy(value).into_owned())
                }
            })
        });
        let columns = columns.collect::<rusqlite::Result<Vec<_>>>()?;
        for value in &columns {
            assert!(is_exact(value), "{value:?} of {}", statement.sql.text);
        }
        rows.push(columns);
    }
    drop(found);
    let changes = if prepared.readonly() {
        0
    } else {
        transaction.changes()
    };
    Ok(StatementResult { rows, changes })
}

/// Whether the shim's adapters bind and read the value unchanged. They reject values that a database or JavaScript
/// would store as another value.
fn is_exact(value: &SqlValue) -> bool {
    match value {
        SqlValue::Null => true,
        SqlValue::Integer(value) => value.unsigned_abs() <= MAX_SAFE_INTEGER.unsigned_abs(),
        SqlValue::Real(value) => value.is_finite(),
        SqlValue::Text(value) => !value.contains('\0'),
    }
}
