//! Migrates the database at start-up after an update of the engine: the tables, folded titles and counted answers. The
//! search index is rebuilt while the site serves, unless it is so old that searches cannot use it.

use crate::error::Error;
use crate::forms::{Loaded, effective_schema};
use crate::http::{Request, Response};
use crate::jobs::reindex::reindex_some;
use crate::store::forms::fold_titles;
use crate::store::submissions::{self, uncounted};
use crate::store::{migrate as migrate_tables, reindex};
use crate::submissions::{IndexState, UNSAVED};
use crate::task::Context;
use model::analytics::answers;

/// Migrates the tables, then the data derived from forms and submissions, in small transactions. An interrupted
/// migration continues where it stopped. Also releases the queue entries of this instance's previous process.
pub async fn migrate(cx: &Context, _: &Request) -> Result<Response, Error> {
    migrate_tables(cx).await?;
    super::queue::release_instance(cx).await?;
    if reindex::read_index_state(cx).await? == IndexState::Older {
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
