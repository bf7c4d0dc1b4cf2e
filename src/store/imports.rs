//! The records of imports that run in parts, with their progress. The host runs the statements by name.

use super::{Batch, Result};
use crate::task::{Context, SqlValue};

/// The statements by name. `{columns}` stands for the columns of a record. `{states}` stands for the FROM source that
/// reads the last parameter, a JSON list of states.
const STATEMENTS: [(&str, &str); 12] = [
    (
        "add",
        "INSERT INTO cf_imports (state, data, created_at) VALUES ('new', ?1, ?2) RETURNING id",
    ),
    ("read", "SELECT {columns} FROM cf_imports WHERE id = ?1"),
    (
        "change",
        "UPDATE cf_imports SET state = ?2, data = ?3 WHERE id = ?1 AND state IN (SELECT listed.value FROM {states}) \
         RETURNING id",
    ),
    // Takes the lease of the oldest import that has work, or of the import `?3` if it is not 0.
    (
        "claim",
        "UPDATE cf_imports SET lease_until = ?1 WHERE lease_until <= ?2 AND id = (SELECT i.id FROM cf_imports i \
         WHERE i.state IN ('running', 'cancelling') AND i.lease_until <= ?2 \
         AND (CAST(?3 AS BIGINT) = 0 OR i.id = CAST(?3 AS BIGINT)) ORDER BY i.created_at LIMIT 1) RETURNING {columns}",
    ),
    // Stores the progress, unless the lease was lost or the import was cancelled.
    (
        "save",
        "UPDATE cf_imports SET state = ?3, data = ?4, lease_until = ?5 \
         WHERE id = ?1 AND lease_until = ?2 AND state = ?6 RETURNING id",
    ),
    (
        "release",
        "UPDATE cf_imports SET lease_until = 0 WHERE id = ?1 AND lease_until = ?2 RETURNING id",
    ),
    (
        "before",
        "SELECT {columns} FROM cf_imports WHERE created_at < ?1 AND state IN (SELECT listed.value FROM {states}) \
         ORDER BY created_at LIMIT 100",
    ),
    (
        "remove",
        "DELETE FROM cf_imports WHERE id = ?1 RETURNING id",
    ),
    // Lists the forms that an import created, with their places in the file.
    (
        "made",
        "SELECT m.value, m.form_id FROM cf_form_meta m WHERE m.name = '_cf_import_part' AND m.value LIKE ?1 \
         ORDER BY m.form_id",
    ),
    // Lists up to 100 submissions that an import stored.
    (
        "stored",
        "SELECT s.id FROM cf_submissions s WHERE s.import_id = ?1 ORDER BY s.id LIMIT 100",
    ),
    (
        "count",
        "SELECT COUNT(*) FROM cf_submissions s WHERE s.import_id = ?1",
    ),
    // Records a fetched file before it is stored, so that the purge finds the file if no submission takes it.
    (
        "add_file",
        "INSERT INTO cf_uploads (uuid, form_id, submission_id, field_name, filename, content_type, size, file_key, created_at) \
         VALUES (?1, 0, 0, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING id",
    ),
];

const COLUMNS: &str = "id, state, data, lease_until, created_at";

/// Runs the statement with a name. Returns its rows, or `None` for an unknown name.
pub async fn run(
    cx: &Context,
    name: &str,
    parameters: Vec<SqlValue>,
) -> Result<Option<Vec<Vec<SqlValue>>>> {
    let Some((_, sql)) = STATEMENTS.iter().find(|(known, _)| *known == name) else {
        return Ok(None);
    };
    let mut batch = Batch::new(cx);
    let states = batch.dialect().listed(&format!("?{}", parameters.len()));
    let sql = sql
        .replace("{columns}", COLUMNS)
        .replace("{states}", &states);
    let place = batch.add(sql, parameters);
    Ok(Some(batch.run().await?.take_values(place)))
}
