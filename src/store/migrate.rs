//! Bringing a database to the newest shape. Migrations are numbered and only ever added to.

use super::{Batch, Dialect, Result, StoreError};
use crate::task::Context;

/// The names and texts of all, in order: the first is number 1. `build.rs` reads them from their folder.
const MIGRATIONS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

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
    for (number, (name, text)) in (1..).zip(MIGRATIONS) {
        if applied.contains(&number) {
            continue;
        }
        if let Err(error) = apply(cx, number, name, text).await {
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

async fn apply(cx: &Context, number: i64, name: &str, text: &str) -> Result<()> {
    let mut batch = Batch::new(cx);
    lock(&mut batch);
    batch.add(
        "INSERT INTO cf_migrations (number, name, applied_at) VALUES (?1, ?2, ?3)",
        params![number, name, cx.now()],
    );
    for statement in statements(text, batch.dialect()) {
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

/// The statements of a migration's text for a database: separated by a semicolon at the end of a line, comments dropped.
/// After a line `-- sqlite` or `-- postgres` they are that database's alone; `{identity}` is how it numbers rows.
fn statements(text: &str, dialect: Dialect) -> Vec<String> {
    let (own, identity) = match dialect {
        Dialect::Sqlite => ("-- sqlite", "INTEGER PRIMARY KEY AUTOINCREMENT"),
        Dialect::Postgres => (
            "-- postgres",
            "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
        ),
    };
    let mut is_own = true;
    let lines = text.lines().filter(|line| {
        if ["-- sqlite", "-- postgres"].contains(line) {
            is_own = *line == own;
        }
        is_own && !line.trim_start().starts_with("--")
    });
    let code = lines.collect::<Vec<_>>().join("\n");
    let code = code.replace("{identity}", identity);
    let statements = code.split(";\n");
    let statements = statements.map(|own| own.trim().trim_end_matches(';'));
    let statements = statements.filter(|own| !own.is_empty());
    statements.map(str::to_owned).collect()
}
