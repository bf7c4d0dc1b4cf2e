//! Writing what browsers' events count: the counters, and the sketches of who came.

use super::{Batch, StoreError, stats};
use crate::task::Context;
use model::analytics::{Gathered, Sketch};

/// A day's sketch with what is to be added.
struct GrownSketch<'g> {
    form_id: i64,
    day: &'g str,
    added: &'g Sketch,
    change_token: String,
}

/// Writes what was gathered in one batch, with one statement for all counters. A sketch that another
/// process wrote at the same time, or whose form is gone, is left in `gathered`; after an error,
/// everything is.
pub async fn write(cx: &Context, gathered: &mut Gathered) -> Result<(), StoreError> {
    let mut grown: Vec<GrownSketch<'_>> = Vec::new();
    for ((form_id, day), added) in &gathered.visitors {
        grown.push(GrownSketch {
            form_id: *form_id,
            day,
            added,
            change_token: crate::security::random::token(16)?,
        });
    }
    let known = read(cx, &grown).await?;

    let mut batch = Batch::new(cx);
    let places: Vec<Option<usize>> = grown
        .iter()
        .zip(&known)
        .map(|(sketch, known)| add_sketch(&mut batch, sketch, known))
        .collect();
    for (sketch, (_, known)) in grown.iter().zip(&known) {
        let by = merged(known, sketch.added).estimate() - known.estimate();
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
    for (sketch, (token_read, _)) in grown.iter().zip(&known) {
        if token_read.is_empty() {
            // The first visitors of a day: those of the days before are counted for good.
            batch.add(
                "DELETE FROM cf_visitors WHERE form_id = ?1 AND date < ?2",
                params![sketch.form_id, day_before(sketch.day)],
            );
        }
    }
    stats::add_gathered(&mut batch, &gathered.counts);
    let results = batch.run().await?;

    let written: Vec<bool> = places
        .into_iter()
        .map(|place| place.is_none_or(|place| results.changes(place) > 0))
        .collect();
    let mut written = written.into_iter();
    gathered.counts.clear();
    gathered
        .visitors
        .retain(|_, _| !written.next().unwrap_or(true));
    Ok(())
}

fn merged(known: &Sketch, added: &Sketch) -> Sketch {
    let mut sketch = known.clone();
    sketch.merge(added);
    sketch
}

/// The change tokens and sketches that are stored; empty ones where there are none.
async fn read(
    cx: &Context,
    grown: &[GrownSketch<'_>],
) -> Result<Vec<(String, Sketch)>, StoreError> {
    if grown.is_empty() {
        return Ok(Vec::new());
    }
    let mut batch = Batch::new(cx);
    let places: Vec<usize> = grown
        .iter()
        .map(|own| {
            batch.add(
                "SELECT change_token, sketch FROM cf_visitors WHERE form_id = ?1 AND date = ?2",
                params![own.form_id, own.day],
            )
        })
        .collect();
    let mut results = batch.run().await?;
    let mut stored = Vec::with_capacity(places.len());
    for place in places {
        let (token, sketch): (String, String) = results.first(place)?.unwrap_or_default();
        stored.push((token, Sketch::from_text(&sketch)));
    }
    Ok(stored)
}

/// Adds what replaces a sketch, if it is still the one that was read; answers the place of the
/// statement. `None` when everybody was in the sketch already.
fn add_sketch(
    batch: &mut Batch<'_>,
    grown: &GrownSketch<'_>,
    (token_read, known): &(String, Sketch),
) -> Option<usize> {
    let sketch = merged(known, grown.added);
    if sketch == *known {
        return None;
    }
    let place = batch.add(
        "INSERT INTO cf_visitors (form_id, date, change_token, sketch) \
         SELECT f.id, ?2, ?3, ?4 FROM cf_forms f WHERE f.id = ?1 \
         ON CONFLICT (form_id, date) DO UPDATE SET change_token = excluded.change_token, sketch = excluded.sketch \
         WHERE cf_visitors.change_token = ?5",
        params![grown.form_id, grown.day, &grown.change_token, sketch.to_text(), token_read],
    );
    Some(place)
}

/// Another process may still be writing the events of yesterday.
fn day_before(day: &str) -> String {
    let days = model::dates::parse_day(day).unwrap_or_default();
    model::dates::format_day(days - 1)
}
