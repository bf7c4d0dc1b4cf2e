//! Writing the counts of browser events to the database.

use std::cell::RefCell;

use super::Gathered;
use crate::http::Response;
use crate::store::{StoreError, visitors};
use crate::task::Context;

/// Limit on the attempts to write a sketch that other processes write at the same time.
const MAX_ATTEMPTS: usize = 4;

/// Writes the gathered counts. After an error, the counts are kept for the next call. A sketch that no attempt could
/// write is dropped.
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
