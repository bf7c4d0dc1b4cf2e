//! Writing what browsers' events count: the counters, and the sketches of who came.

use super::{Batch, Result, stats};
use crate::task::Context;
use model::analytics::{Gathered, Sketch};
use model::dates;

/// A day's sketch as it was read and as it is to be; empty, with no token, where there was none.
struct Grown<'g> {
    form_id: i64,
    day: &'g str,
    token_read: String,
    before: Sketch,
    after: Sketch,
    change_token: String,
}

/// Writes the gathered counts in one batch, with one statement for all counters. A sketch that
/// another process wrote at the same time, or whose form is gone, is left in `gathered`; after an
/// error, everything is.
pub async fn write(cx: &Context, gathered: &mut Gathered) -> Result<()> {
    let grown = read(cx, gathered).await?;
    let mut batch = Batch::new(cx);
    let places: Vec<Option<usize>> = grown
        .iter()
        .map(|own| (own.before != own.after).then(|| add_sketch(&mut batch, own)))
        .collect();
    for own in &grown {
        let by = own.after.estimate() - own.before.estimate();
        if by > 0 {
            stats::add_visitors(&mut batch, own.form_id, own.day, by, &own.change_token);
        }
    }
    for own in grown.iter().filter(|own| own.token_read.is_empty()) {
        // The first visitors of a day: those of the days before are counted for good, but another process may
        // still be writing the events of yesterday.
        let yesterday = dates::parse_day(own.day).unwrap_or_default() - 1;
        batch.add(
            "DELETE FROM cf_visitors WHERE form_id = ?1 AND date < ?2",
            params![own.form_id, dates::format_day(yesterday)],
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

/// The sketches that are stored, with what is to be added.
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

/// Adds what replaces a sketch, if it is still the one that was read.
fn add_sketch(batch: &mut Batch, own: &Grown<'_>) -> usize {
    batch.add(
        "INSERT INTO cf_visitors (form_id, date, change_token, sketch) \
         SELECT f.id, ?2, ?3, ?4 FROM cf_forms f WHERE f.id = ?1 \
         ON CONFLICT (form_id, date) DO UPDATE SET change_token = excluded.change_token, sketch = excluded.sketch \
         WHERE cf_visitors.change_token = ?5",
        params![own.form_id, own.day, &own.change_token, own.after.to_text(), &own.token_read],
    )
}
