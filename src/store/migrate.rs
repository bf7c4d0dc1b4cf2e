//! Migrations of the database. Migrations are numbered; released migrations never change.

use super::{Batch, Dialect, Result, StoreError};
use crate::task::Context;

/// The names and texts of all migrations, in the order of their numbers from 1. `build.rs` reads them from
/// `migrations/`.
const MIGRATIONS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// Applies the migrations that are missing.
///
/// Each migration is one batch that begins by inserting its row into `cf_migrations`. When several processes start
/// together, all but one fail to insert that row, roll back and then find the migration applied. A process may lose
/// this race at every migration, so the number of attempts is not limited.
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
    batch.run_without_timeout().await?.rows(read)
}

async fn apply(cx: &Context, number: i64, name: &str, text: &str) -> Result<()> {
    let mut batch = Batch::new(cx);
    lock(&mut batch);
    batch.add(
        "INSERT INTO cf_migrations (number, name, applied_at) VALUES (?1, ?2, ?3)",
        params![number, name, cx.now()],
    );
    let now = cx.now().to_string();
    for statement in statements(text, batch.dialect()) {
        batch.add(statement.replace("{now}", &now), vec![]);
    }
    batch.run_without_timeout().await.map(drop)
}

/// Serializes migrations on PostgreSQL, where concurrent transactions that create the same table fail with misleading
/// errors. SQLite has only one writer anyway.
fn lock(batch: &mut Batch) {
    if batch.dialect() == Dialect::Postgres {
        batch.add("SELECT pg_advisory_xact_lock(7215301)::text", vec![]);
    }
}

/// Splits a migration's text into the statements for a database, without comments. A semicolon at the end of a line
/// ends a statement. A line `-- sqlite` or `-- postgres` begins a part for that database only. `{identity}` stands for
/// the database's type of row ids.
fn statements(text: &str, dialect: Dialect) -> Vec<String> {
    let (marker, identity) = match dialect {
        Dialect::Sqlite => ("-- sqlite", "INTEGER PRIMARY KEY AUTOINCREMENT"),
        Dialect::Postgres => (
            "-- postgres",
            "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
        ),
    };
    let mut is_included = true;
    let lines = text.lines().filter(|line| {
        if ["-- sqlite", "-- postgres"].contains(line) {
            is_included = *line == marker;
        }
        is_included && !line.trim_start().starts_with("--")
    });
    let code = lines.collect::<Vec<_>>().join("\n");
    let code = code.replace("{identity}", identity);
    let statements = code.split(";\n");
    let statements = statements.map(|statement| statement.trim().trim_end_matches(';'));
    let statements = statements.filter(|statement| !statement.is_empty());
    statements.map(str::to_owned).collect()
}
