//! The holds of stored submissions: values that a form accepts once (`cf_unique`) and seats of options (`cf_seats`). Each
//! submission stores the list of its holds, so that they can be released.

use serde_json::Value;

use super::{Batch, Bindings, Dialect, Result, select, select_one};
use crate::security::Signer;
use crate::task::{Context, SqlValue};
use model::logic::holds::{Hold, holds};
use model::status::{SPAM, TRASH};
use model::{Data, FormSchema, MAX_SAFE_INTEGER};

/// The tables, each with its key column and the position of its locking statements in a shared transaction. All batches
/// lock in this order, so that they cannot deadlock.
const TABLES: [(&str, &str, i8); 2] = [("cf_unique", "hash", -2), ("cf_seats", "option", -1)];

/// The holds of answers. Values are hashed with the site's key.
pub fn of_answers(signer: &Signer, schema: &FormSchema, form_id: i64, data: &Data) -> Vec<Hold> {
    hashed(signer, form_id, holds(schema, data))
}

/// Replaces values by their hashes.
pub fn hashed(signer: &Signer, form_id: i64, mut holds: Vec<Hold>) -> Vec<Hold> {
    for hold in holds.iter_mut().filter(|hold| !hold.is_seat) {
        let text = json!([form_id, hold.field, hold.key]).to_string();
        hold.key = signer.hash("unique value", &text);
    }
    holds
}

/// The list of holds that a submission stores.
pub fn stored(holds: &[Hold]) -> String {
    let rows = holds
        .iter()
        .map(|hold| json!([i64::from(hold.is_seat), hold.field, hold.key, hold.count]));
    Value::from_iter(rows).to_string()
}

/// Whether the holds of a submission count in this status.
pub(super) fn is_holding(status: &str, is_spam: bool) -> bool {
    !is_spam && status != SPAM && status != TRASH
}

/// The SQL form of [`is_holding`], for `cf_submissions s`.
pub(in crate::store) const HOLDING: &str = "s.is_spam = 0 AND s.status NOT IN ('spam', 'trash')";

/// Reads how often each hold's value or option is taken.
pub async fn taken(cx: &Context, form_id: i64, holds: &[Hold]) -> Result<Vec<i64>> {
    if holds.is_empty() {
        return Ok(Vec::new());
    }
    let mut batch = Batch::new(cx);
    let listed = batch.dialect().listed_rows("?2");
    let places = TABLES.map(|(table, key, _)| {
        let rows: Value = of_table(holds, key)
            .map(|hold| json!([hold.field, hold.key]))
            .collect();
        let sql = format!(
            "SELECT field, {key}, taken FROM {table} WHERE form_id = ?1 AND (field, {key}) IN \
             (SELECT listed.value ->> 0, listed.value ->> 1 FROM {listed})"
        );
        batch.add(sql, params![form_id, rows.to_string()])
    });
    let mut results = batch.run().await?;
    let [values, seats]: [Result<Vec<(String, String, i64)>>; 2] =
        places.map(|place| results.rows(place));
    let (values, seats) = (values?, seats?);
    let count = |hold: &Hold| {
        let rows = if hold.is_seat { &seats } else { &values };
        let row = rows
            .iter()
            .find(|(field, key, _)| *field == hold.field && *key == hold.key);
        row.map_or(0, |(_, _, taken)| *taken)
    };
    Ok(holds.iter().map(count).collect())
}

/// Whether any of the holds is no longer free.
pub async fn is_any_taken(cx: &Context, form_id: i64, wanted: &[Hold]) -> Result<bool> {
    let taken = taken(cx, form_id, wanted).await?;
    let mut all = wanted.iter().enumerate().zip(taken);
    Ok(
        all.any(|((index, hold), taken)| {
            hold.excess(taken + count_before(wanted, index)).is_some()
        }),
    )
}

/// Sums the counts of the earlier holds on the same value or option.
fn count_before(holds: &[Hold], index: usize) -> i64 {
    let (earlier, rest) = holds.split_at_checked(index).unwrap_or_default();
    let same = earlier
        .iter()
        .filter(|other| rest.first().is_some_and(|hold| hold.is_same(other)));
    same.map(|other| other.count).sum()
}

/// Reads the taken seats of a form, as field, option and number.
pub async fn taken_seats(cx: &Context, form_id: i64) -> Result<Vec<(String, String, i64)>> {
    let sql = "SELECT field, option, taken FROM cf_seats WHERE form_id = ?1";
    select(cx, sql, params![form_id]).await
}

fn of_table<'h>(holds: &'h [Hold], key: &str) -> impl Iterator<Item = &'h Hold> {
    let is_seat = key == "option";
    holds.iter().filter(move |hold| hold.is_seat == is_seat)
}

/// Adds statements that lock the rows of a new submission's holds, and create missing rows. A deleted form gets no
/// rows.
pub(super) fn lock(batch: &mut Batch, form_id: i64, holds: &[Hold], is_shared: bool) {
    for (table, key, place) in TABLES {
        let rows = of_table(holds, key).map(|hold| row![form_id, &hold.field, &hold.key]);
        let rows: Vec<String> = rows.collect();
        if rows.is_empty() {
            continue;
        }
        let sql = format!(
            "INSERT INTO {table} (form_id, field, {key}, taken) \
             SELECT f.id, listed.value ->> 1, listed.value ->> 2, 0 \
             FROM {} JOIN cf_forms f ON f.id = CAST(listed.value ->> 0 AS BIGINT) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 \
             ON CONFLICT (form_id, field, {key}) DO UPDATE SET taken = {table}.taken",
            batch.dialect().listed_rows("?1")
        );
        batch.add_rows(sql.into(), rows, if is_shared { place } else { 0 });
    }
}

/// The SQL conditions under which a new submission's holds are free. They are reliable only in the batch that has
/// locked the rows.
pub(super) fn are_free(bindings: &mut Bindings, form_id: i64, holds: &[Hold]) -> String {
    let mut sql = String::new();
    for (index, hold) in holds.iter().enumerate() {
        let Some(limit) = hold.limit.filter(|_| hold.count > 0) else {
            continue;
        };
        let [values, seats] = TABLES;
        let (table, key, _) = if hold.is_seat { seats } else { values };
        let form = bindings.bind(form_id);
        let (field, value) = (
            bindings.bind(hold.field.as_str()),
            bindings.bind(hold.key.as_str()),
        );
        let most = bindings.integer(limit - count_before(holds, index) - hold.count);
        sql += &format!(
            " AND COALESCE((SELECT taken FROM {table} WHERE form_id = {form} AND field = {field} AND {key} = {value}), 0) <= {most}"
        );
    }
    sql
}

/// Adds statements that count the holds of submissions or, with `gives_back`, subtract them. `which` is a condition on
/// `cf_submissions s`.
pub(in crate::store) fn count(
    batch: &mut Batch,
    which: &str,
    params: &[SqlValue],
    gives_back: bool,
) {
    let sign = if gives_back { "-" } else { "" };
    let list = "CASE WHEN s.held = '' THEN '[]' ELSE s.held END";
    let listed = batch.dialect().listed_rows(list);
    for (number, (table, key, _)) in TABLES.into_iter().enumerate() {
        let from = format!(
            "FROM cf_submissions s CROSS JOIN {listed} WHERE {which} AND s.held <> '[]' \
             AND CAST(listed.value ->> 0 AS BIGINT) = {number}"
        );
        let sql = format!(
            "INSERT INTO {table} (form_id, field, {key}, taken) \
             SELECT s.form_id, listed.value ->> 1, listed.value ->> 2, {sign}CAST(SUM(CAST(listed.value ->> 3 AS BIGINT)) AS BIGINT) \
             {from} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 \
             ON CONFLICT (form_id, field, {key}) DO UPDATE SET taken = {table}.taken + excluded.taken"
        );
        batch.add(sql, params.to_vec());
        if gives_back && number == 0 {
            // The hash of a value is deleted with the last submission that has the value.
            let sql = format!(
                "DELETE FROM cf_unique WHERE taken <= 0 AND (form_id, field, hash) IN \
                 (SELECT s.form_id, listed.value ->> 1, listed.value ->> 2 {from})"
            );
            batch.add(sql, params.to_vec());
        }
    }
}

/// Counts the holds of a new submission if the batch stores it. Then deletes those hashes of its values that no
/// submission holds.
pub(super) fn count_new(batch: &mut Batch, uuid: &str, form_id: i64, holds: &[Hold]) {
    count(
        batch,
        &format!("s.uuid = ?1 AND {HOLDING}"),
        &[SqlValue::from(uuid)],
        false,
    );
    let rows = of_table(holds, "hash").map(|hold| json!([form_id, hold.field, hold.key]));
    let rows: Vec<Value> = rows.collect();
    if !rows.is_empty() {
        let listed = batch.dialect().listed_rows("?1");
        let sql = format!(
            "DELETE FROM cf_unique WHERE taken <= 0 AND (form_id, field, hash) IN \
             (SELECT CAST(listed.value ->> 0 AS BIGINT), listed.value ->> 1, listed.value ->> 2 FROM {listed})"
        );
        batch.add(sql, params![Value::from(rows).to_string()]);
    }
}

/// The condition that rows `s` have the UUIDs and the times of the last change in the list `?1`.
fn among_versions(dialect: Dialect) -> String {
    let listed = dialect.listed_rows("?1");
    format!(
        "s.uuid IN (SELECT listed.value ->> 0 FROM {listed}) AND (s.uuid, s.modified_at) IN \
         (SELECT listed.value ->> 0, CAST(listed.value ->> 1 AS BIGINT) FROM {listed})"
    )
}

/// Adds statements that release the holds of submissions before they change, if their rows are still as they were read.
pub(super) fn release(batch: &mut Batch, versions: &[Value]) {
    if !versions.is_empty() {
        let which = format!("{} AND {HOLDING}", among_versions(batch.dialect()));
        count(
            batch,
            &which,
            &[SqlValue::from(Value::from(versions).to_string())],
            true,
        );
    }
}

/// Adds statements that count the holds of the submissions that the batch has changed with a token.
pub(in crate::store) fn take(batch: &mut Batch, uuids: &[&str], token: &str) {
    if !uuids.is_empty() {
        let listed = batch.dialect().listed("?1");
        let which = format!(
            "s.uuid IN (SELECT listed.value FROM {listed}) AND s.change_token = ?2 AND {HOLDING}"
        );
        let uuids = Value::from_iter(uuids.iter().copied()).to_string();
        count(
            batch,
            &which,
            &[SqlValue::from(uuids), SqlValue::from(token)],
            false,
        );
    }
}

/// Adds statements that release the holds of the submissions that the batch has marked for deletion.
pub(super) fn release_deleted(batch: &mut Batch, ids: &[i64], token: &str) {
    let listed = batch.dialect().listed("?1");
    let which = format!(
        "s.id IN (SELECT CAST(listed.value AS BIGINT) FROM {listed}) AND s.change_token = ?2 AND {HOLDING}"
    );
    let ids = Value::from_iter(ids.iter().copied()).to_string();
    count(
        batch,
        &which,
        &[SqlValue::from(ids), SqlValue::from(token)],
        true,
    );
}

/// Adds a statement which records that the holds of the batch's form must be counted again.
pub(super) fn add_fill(batch: &mut Batch, form_token: &str) {
    batch.add(
        "INSERT INTO cf_hold_fills (form_id, after_id) SELECT f.id, 0 FROM cf_forms f WHERE f.change_token = ?1 \
         ON CONFLICT (form_id) DO UPDATE SET after_id = 0",
        params![form_token],
    );
}

/// Finds a form whose holds must be counted again, with the id of the last counted submission. `form_id` restricts the
/// search to one form.
pub async fn next_fill(cx: &Context, form_id: Option<i64>) -> Result<Option<(i64, i64)>> {
    let sql = "SELECT form_id, after_id FROM cf_hold_fills WHERE form_id >= ?1 AND form_id <= ?2 ORDER BY form_id LIMIT 1";
    let params = params![form_id.unwrap_or(0), form_id.unwrap_or(MAX_SAFE_INTEGER)];
    select_one(cx, sql, params).await
}
