//! Bringing a database to the newest shape. Migrations are numbered and only ever added to.

use super::{Batch, Dialect, StoreError};
use crate::task::Context;

struct Migration {
    number: i64,
    name: &'static str,
    /// What both dialects share, with `{identity}` and `{bigint}` to be filled in.
    shared: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

const MIGRATIONS: [Migration; 15] = [
    Migration {
        number: 1,
        name: "foundation",
        shared: include_str!("migrations/0001_foundation.sql"),
        sqlite: include_str!("migrations/0001_search.sqlite.sql"),
        postgres: include_str!("migrations/0001_search.postgres.sql"),
    },
    shared(
        2,
        "analytics",
        include_str!("migrations/0002_analytics.sql"),
    ),
    shared(
        3,
        "answer_names",
        include_str!("migrations/0003_answer_names.sql"),
    ),
    shared(
        4,
        "workflow_lists",
        include_str!("migrations/0004_workflow_lists.sql"),
    ),
    shared(5, "erasures", include_str!("migrations/0005_erasures.sql")),
    shared(
        6,
        "lists_by_id",
        include_str!("migrations/0006_lists_by_id.sql"),
    ),
    shared(
        7,
        "open_entries",
        include_str!("migrations/0007_open_entries.sql"),
    ),
    Migration {
        number: 8,
        name: "search_blocks",
        shared: "",
        sqlite: include_str!("migrations/0008_search_blocks.sqlite.sql"),
        postgres: include_str!("migrations/0008_search_blocks.postgres.sql"),
    },
    shared(9, "leases", include_str!("migrations/0009_leases.sql")),
    Migration {
        number: 10,
        name: "form_states",
        shared: include_str!("migrations/0010_form_states.sql"),
        sqlite: include_str!("migrations/0010_form_states.sqlite.sql"),
        postgres: include_str!("migrations/0010_form_states.postgres.sql"),
    },
    shared(
        11,
        "upload_totals",
        include_str!("migrations/0011_upload_totals.sql"),
    ),
    shared(12, "repeats", include_str!("migrations/0012_repeats.sql")),
    shared(
        13,
        "submission_care",
        include_str!("migrations/0013_submission_care.sql"),
    ),
    shared(
        14,
        "action_ids",
        include_str!("migrations/0014_action_ids.sql"),
    ),
    shared(
        15,
        "answer_sums",
        include_str!("migrations/0015_answer_sums.sql"),
    ),
];

/// A migration that is the same for both dialects.
const fn shared(number: i64, name: &'static str, shared: &'static str) -> Migration {
    Migration {
        number,
        name,
        shared,
        sqlite: "",
        postgres: "",
    }
}

/// Applies the migrations that are missing.
///
/// Each is one batch that begins with its own row in `cf_migrations`: of processes that start
/// together all but one fail on that row, roll back, look again and find it applied. That can happen to
/// one process at every migration, so it counts the migrations and not the attempts.
pub async fn migrate(cx: &Context) -> Result<(), StoreError> {
    let mut applied = applied_migrations(cx).await?;
    let known = MIGRATIONS.iter().map(|migration| migration.number);
    let newest = known.max().unwrap_or(0);
    if let Some(unknown) = applied.iter().find(|number| **number > newest) {
        return Err(StoreError::Newer(*unknown));
    }
    for migration in &MIGRATIONS {
        if applied.contains(&migration.number) {
            continue;
        }
        if let Err(error) = apply(cx, migration).await {
            applied = applied_migrations(cx).await?;
            if !applied.contains(&migration.number) {
                return Err(error);
            }
        }
    }
    Ok(())
}

async fn applied_migrations(cx: &Context) -> Result<Vec<i64>, StoreError> {
    let mut batch = Batch::new(cx);
    lock(&mut batch);
    batch.add(
        "CREATE TABLE IF NOT EXISTS cf_migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)",
        vec![],
    );
    let read = batch.add("SELECT number FROM cf_migrations ORDER BY number", vec![]);
    batch
        .run_patiently()
        .await?
        .rows(read)
        .iter()
        .map(|row| row.integer(0))
        .collect()
}

async fn apply(cx: &Context, migration: &Migration) -> Result<(), StoreError> {
    let mut batch = Batch::new(cx);
    lock(&mut batch);
    batch.add(
        "INSERT INTO cf_migrations (number, name, applied_at) VALUES (?1, ?2, ?3)",
        vec![
            migration.number.into(),
            migration.name.into(),
            cx.now().into(),
        ],
    );
    let (identity, own) = match batch.dialect() {
        Dialect::Sqlite => ("INTEGER PRIMARY KEY AUTOINCREMENT", migration.sqlite),
        Dialect::Postgres => (
            "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
            migration.postgres,
        ),
    };
    let shared = migration
        .shared
        .replace("{identity}", identity)
        .replace("{bigint}", "BIGINT");
    for statement in statements(&shared).chain(statements(own)) {
        batch.add(statement, vec![]);
    }
    batch.run_patiently().await?;
    Ok(())
}

/// PostgreSQL lets two transactions create the same table at once and fails one oddly: take turns.
/// SQLite's writers take turns anyway.
fn lock(batch: &mut Batch) {
    if batch.dialect() == Dialect::Postgres {
        batch.add("SELECT pg_advisory_xact_lock(7215301)::text", vec![]);
    }
}

/// The statements of a migration's text: separated by a semicolon at the end of a line, comments
/// dropped.
fn statements(text: &str) -> impl Iterator<Item = String> {
    let code: String = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("--"))
        .collect::<Vec<_>>()
        .join("\n");
    code.split(";\n")
        .map(|statement| statement.trim().trim_end_matches(';').to_owned())
        .filter(|statement| !statement.is_empty())
        .collect::<Vec<_>>()
        .into_iter()
}
