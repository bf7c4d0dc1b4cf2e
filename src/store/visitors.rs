//! Writes the counts of browser events: the counters, and the sketches of distinct visitors.

use super::{Batch, Result, stats};
use crate::task::Context;
use model::analytics::{Gathered, Sketch};
use model::dates;

/// A day's sketch before and after an update. If none is stored yet, the old sketch and its token are empty.
struct Grown<'g> {
    form_id: i64,
    day: &'g str,
    token_read: String,
    before: Sketch,
    after: Sketch,
    change_token: String,
}

/// Writes the gathered counts in one batch. A sketch stays in `gathered` if another process wrote it at the same time
/// or its form does not exist. After an error, everything stays.
pub async fn write(cx: &Context, gathered: &mut Gathered) -> Result<()> {
    let grown = read(cx, gathered).await?;
    let mut batch = Batch::new(cx);
    let places: Vec<Option<usize>> = grown
        .iter()
        .map(|sketch| (sketch.before != sketch.after).then(|| add_sketch(&mut batch, sketch)))
        .collect();
    for sketch in &grown {
        let by = sketch.after.estimate() - sketch.before.estimate();
        if by > 0 {
            stats::add_visitors(
                &mut batch,
                sketch.form_id,
                sketch.day,
                by,
                &sketch.change_token,
            );
        }
    }
    for sketch in grown.iter().filter(|sketch| sketch.token_read.is_empty()) {
        // This is the first sketch of a day, so delete old ones. Another process may still write yesterday's sketch.
        let yesterday = dates::parse_day(sketch.day).unwrap_or_default() - 1;
        batch.add(
            "DELETE FROM cf_visitors WHERE form_id = ?1 AND date < ?2",
            params![sketch.form_id, dates::format_day(yesterday)],
        );
    }
    stats::add_gathered(&mut batch, &gathered.counts);
    let results = batch.run().await?;
    let is_written = |place: Option<usize>| place.is_none_or(|place| results.changes(place) > 0);
    let mut written = places.into_iter().map(is_written);
    gathered.counts.clear();
    gathered
        .visitors
        .retain(|_| !written.next().unwrap_or(true));
    Ok(())
}

/// Reads the stored sketches and merges the gathered visitors into them.
async fn read<'g>(cx: &Context, gathered: &'g Gathered) -> Result<Vec<Grown<'g>>> {
    let mut grown = Vec::with_capacity(gathered.visitors.len());
    if gathered.visitors.is_empty() {
        return Ok(grown);
    }
    let mut batch = Batch::new(cx);
    for ((form_id, day), _) in &gathered.visitors {
        batch.add(
            "SELECT change_token, sketch FROM cf_visitors WHERE form_id = ?1 AND date = ?2",
            params![*form_id, day],
        );
    }
    let mut results = batch.run().await?;
    for (place, ((form_id, day), added)) in gathered.visitors.iter().enumerate() {
        let (token_read, before): (String, String) = results.first(place)?.unwrap_or_default();
        let before = Sketch::from_text(&before);
        let mut after = before.clone();
        after.merge(added);
        grown.push(Grown {
            form_id: *form_id,
            day,
            token_read,
            before,
            after,
            change_token: crate::security::random::token(16)?,
        });
    }
    Ok(grown)
}

/// Adds a statement that replaces a sketch, unless another process has changed it.
fn add_sketch(batch: &mut Batch, sketch: &Grown<'_>) -> usize {
    batch.add(
        "INSERT INTO cf_visitors (form_id, date, change_token, sketch) \
         SELECT f.id, ?2, ?3, ?4 FROM cf_forms f WHERE f.id = ?1 \
         ON CONFLICT (form_id, date) DO UPDATE SET change_token = excluded.change_token, sketch = excluded.sketch \
         WHERE cf_visitors.change_token = ?5",
        params![sketch.form_id, sketch.day, &sketch.change_token, sketch.after.to_text(), &sketch.token_read],
    )
}
