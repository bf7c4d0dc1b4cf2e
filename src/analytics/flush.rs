//! Writing the counts of browser events to the database.

use std::cell::RefCell;

use super::Gathered;
use crate::http::Response;
use crate::store::{StoreError, visitors};
use crate::task::Context;

/// How often a sketch is tried again that other processes keep writing first.
const MAX_ATTEMPTS: usize = 4;

/// Writes the gathered counts. Whatever cannot be written now waits for the next time.
pub async fn flush(cx: &Context) -> Result<(), StoreError> {
    let waiting = cx.state::<RefCell<Gathered>>();
    let mut gathered = waiting.take();
    for _ in 0..MAX_ATTEMPTS {
        if gathered.is_empty() {
            return Ok(());
        }
        if let Err(error) = visitors::write(cx, &mut gathered).await {
            waiting.borrow_mut().restore(gathered);
            return Err(error);
        }
    }
    Ok(())
}

/// Writes the gathered counts, on the host's request.
pub async fn flush_events(cx: Context) -> Response {
    match flush(&cx).await {
        Ok(()) => Response::empty(204),
        Err(error) => Response {
            log: Some(format!("events could not be written: {error}")),
            ..Response::json(500, &json!({}))
        },
    }
}
