//! Bringing the database up to date at the start, after an update of the engine: its tables, the names of answers and
//! their sums. The index of words is brought up to date while the site serves, unless it is so old that searches do
//! not understand it.

use crate::error::Error;
use crate::forms::{Loaded, effective_schema};
use crate::http::{Request, Response};
use crate::jobs::reindex::reindex_some;
use crate::store::forms::fold_titles;
use crate::store::submissions::{self, uncounted};
use crate::store::{migrate as migrate_tables, search};
use crate::submissions::{IndexState, UNSAVED};
use crate::task::Context;
use model::analytics::answers;

/// Brings the database to the newest shape: its tables, then what is made from its submissions, a few
/// in one transaction. What is cut off goes on where it was.
pub async fn migrate(cx: &Context, _: &Request) -> Result<Response, Error> {
    migrate_tables(cx).await?;
    super::queue::release_instance(cx).await?;
    if search::read_index_state(cx).await? == IndexState::Older {
        while reindex_some(cx).await? {}
    }
    let mut last = Some(0);
    while let Some(id) = last {
        last = fold_titles(cx, id).await?;
    }
    count_answers(cx).await?;
    Ok(Response::empty(200))
}

async fn count_answers(cx: &Context) -> Result<(), Error> {
    loop {
        let found = uncounted(cx).await?;
        if found.is_empty() {
            return Ok(());
        }
        let mut forms = Loaded::default();
        let mut counted = Vec::with_capacity(found.len());
        for stored in found {
            let counts = match forms.get(cx, stored.submission.form_id).await? {
                Some(form) => {
                    let schema = effective_schema(cx, form)?;
                    let is_kept = stored.submission.status != UNSAVED;
                    answers::counts(&schema, &stored.submission.data, is_kept)
                }
                None => Vec::new(),
            };
            counted.push((stored, counts));
        }
        submissions::count_answers(cx, &counted).await?;
    }
}
