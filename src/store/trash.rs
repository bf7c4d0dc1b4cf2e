//! The trash of forms, as other statements see it.

/// The condition that a column's form is not in the trash.
pub(super) fn not_trashed(column: &str) -> String {
    [
        column,
        " NOT IN (SELECT t.id FROM cf_forms t WHERE t.trashed_at > 0)",
    ]
    .concat()
}
