//! The free seats of options on a visitor's page.

use crate::error::Error;
use crate::forms::{Form, FormSchema};
use crate::logic::localized::localized;
use crate::markup::{SeatNote, with_seats};
use crate::store::holds::taken_seats;
use crate::task::Context;
use model::logic::holds::{SEATS, SEATS_LEFT};

/// Disables options without a free seat, and shows the number of free seats in fields with `data-seats-left`.
pub(super) async fn noted(
    cx: &Context,
    form: &Form,
    schema: &FormSchema,
    fields: String,
) -> Result<String, Error> {
    let has_seats = |name: &str| {
        schema
            .fields
            .iter()
            .any(|field| field.attributes.contains_key(name))
    };
    if !has_seats(SEATS) {
        return Ok(fields);
    }
    let taken = taken_seats(cx, form.id).await?;
    let mut notes = Vec::new();
    for field in schema.all_answer_fields() {
        let shows = field.attributes.contains_key(SEATS_LEFT);
        for (option, seats) in field.seats().unwrap_or_default() {
            let mut rows = taken.iter();
            let row = rows.find(|(name, key, _)| *name == field.name && *key == option);
            let left = (seats - row.map_or(0, |(_, _, taken)| *taken)).max(0);
            let text = match left {
                0 => form.word("seats_none").to_owned(),
                _ => {
                    let number = localized(&left.to_string(), &form.messages);
                    form.word("seats_left").replace("{left}", &number)
                }
            };
            if shows || left == 0 {
                notes.push(SeatNote {
                    field: field.name.clone(),
                    option,
                    is_full: left == 0,
                    text,
                });
            }
        }
    }
    Ok(with_seats(&fields, &notes))
}
