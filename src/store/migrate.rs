//! Bringing a database to the newest shape. Migrations are numbered and only ever added to.

use super::{Batch, Dialect, Result, StoreError};
use crate::task::Context;

struct Migration {
    name: &'static str,
    /// What both dialects share, with `{identity}` and `{bigint}` to be filled in.
    shared: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

/// A migration from its file, or from files of what both dialects share and of each.
macro_rules! migration {
    ($name:literal $file:literal) => {
        migration!($name, shared include_str!(concat!("migrations/", $file, ".sql")), "", "")
    };
    ($name:literal $shared:expr, $file:literal) => {
        migration!(
            $name,
            shared $shared,
            include_str!(concat!("migrations/", $file, ".sqlite.sql")),
            include_str!(concat!("migrations/", $file, ".postgres.sql"))
        )
    };
    ($name:literal, shared $shared:expr, $sqlite:expr, $postgres:expr) => {
        Migration { name: $name, shared: $shared, sqlite: $sqlite, postgres: $postgres }
    };
}

/// All, in order: the first is number 1.
const MIGRATIONS: [Migration; 15] = [
    migration!("foundation" include_str!("migrations/0001_foundation.sql"), "0001_search"),
    migration!("analytics" "0002_analytics"),
    migration!("answer_names" "0003_answer_names"),
    migration!("workflow_lists" "0004_workflow_lists"),
    migration!("erasures" "0005_erasures"),
    migration!("lists_by_id" "0006_lists_by_id"),
    migration!("open_entries" "0007_open_entries"),
    migration!("search_blocks" "", "0008_search_blocks"),
    migration!("leases" "0009_leases"),
    migration!("form_states" include_str!("migrations/0010_form_states.sql"), "0010_form_states"),
    migration!("upload_totals" "0011_upload_totals"),
    migration!("repeats" "0012_repeats"),
    migration!("submission_care" "0013_submission_care"),
    migration!("action_ids" "0014_action_ids"),
    migration!("answer_sums" "0015_answer_sums"),
];

/// Applies the migrations that are missing.
///
/// Each is one batch that begins with its own row in `cf_migrations`: of processes that start
/// together all but one fail on that row, roll back, look again and find it applied. That can happen to
/// one process at every migration, so it counts the migrations and not the attempts.
pub async fn migrate(cx: &Context) -> Result<()> {
    let mut applied = applied_migrations(cx).await?;
    let newest = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    if let Some(unknown) = applied.iter().find(|number| **number > newest) {
        return Err(StoreError::Newer(*unknown));
    }
    for (number, migration) in (1..).zip(&MIGRATIONS) {
        if applied.contains(&number) {
            continue;
        }
        if let Err(error) = apply(cx, number, migration).await {
            applied = applied_migrations(cx).await?;
            if !applied.contains(&number) {
                return Err(error);
            }
        }
    }
    Ok(())
}

async fn applied_migrations(cx: &Context) -> Result<Vec<i64>> {
    let mut batch = Batch::new(cx);
    lock(&mut batch);
    batch.add(
        "CREATE TABLE IF NOT EXISTS cf_migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)",
        vec![],
    );
    let read = batch.add("SELECT number FROM cf_migrations ORDER BY number", vec![]);
    batch.run_patiently().await?.rows(read)
}

async fn apply(cx: &Context, number: i64, migration: &Migration) -> Result<()> {
    let mut batch = Batch::new(cx);
    lock(&mut batch);
    batch.add(
        "INSERT INTO cf_migrations (number, name, applied_at) VALUES (?1, ?2, ?3)",
        params![number, migration.name, cx.now()],
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
    for statement in [statements(&shared), statements(own)].concat() {
        batch.add(statement, vec![]);
    }
    batch.run_patiently().await.map(drop)
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
fn statements(text: &str) -> Vec<String> {
    let lines = text.lines();
    let lines = lines.filter(|line| !line.trim_start().starts_with("--"));
    let code = lines.collect::<Vec<_>>().join("\n");
    let statements = code
        .split(";\n")
        .map(|own| own.trim().trim_end_matches(';'));
    let statements = statements.filter(|own| !own.is_empty());
    statements.map(str::to_owned).collect()
}
