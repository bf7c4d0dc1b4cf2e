//! The condition with which other statements exclude forms in the trash.

/// The condition that a column contains the id of a form which is not in the trash.
pub(super) fn not_trashed(column: &str) -> String {
    [
        column,
        " NOT IN (SELECT t.id FROM cf_forms t WHERE t.trashed_at > 0)",
    ]
    .concat()
}
