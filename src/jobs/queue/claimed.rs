//! Claimed entries that have not begun. A claim reads the submissions of all its entries in one query, and each of
//! their forms once, so that the runs need no reads.

use std::rc::Rc;

use serde_json::Value;

use super::{Claim, Entries};
use crate::error::Error;
use crate::forms::{self, Form, FormSchema};
use crate::store::queue::{self, Claimed, EntryRow};
use crate::store::submissions;
use crate::submissions::Submission;
use crate::task::Context;

/// Age from which an entry is read again, which also renews its lease.
const MAX_AGE_MS: i64 = 5_000;

/// A form with the data that its actions need.
#[derive(Clone)]
pub(in crate::jobs) struct ActionForm {
    /// The form with the texts of its language.
    pub form: Rc<Form>,
    pub schema: Rc<FormSchema>,
}

/// A claimed entry, with its form and its submission if the claim read them.
pub(super) struct ReadEntry {
    pub lease: String,
    /// The moment of the claim.
    pub claimed_at: i64,
    /// The queue's count of withdrawals when the entry was claimed. A different count means that the entry may be
    /// withdrawn.
    pub withdrawals: u64,
    pub entry: EntryRow,
    pub form: Option<ActionForm>,
    pub submission: Option<Submission>,
}

/// Loads a form with the data that its actions need.
pub(in crate::jobs) async fn load_form(cx: &Context, id: i64) -> Result<Option<ActionForm>, Error> {
    let Some(mut form) = forms::load_any(cx, id).await? else {
        return Ok(None);
    };
    let schema = forms::effective_schema(cx, &form)?;
    forms::language::fill_in_form_language(cx, &mut form);
    let form = Rc::new(form);
    Ok(Some(ActionForm { form, schema }))
}

/// Reads claimed entries, and describes them for the host: `{"id","lease","lane","alone","large"}`. An entry that cannot
/// be read, or whose answers are `large`, is read when it begins.
pub(super) async fn read(
    cx: &Context,
    claimed: Vec<Claimed>,
    lease: &str,
    alone: bool,
) -> Vec<Value> {
    let ids: Vec<i64> = claimed
        .iter()
        .map(|(entry, _)| entry.submission_id)
        .collect();
    let (claimed_at, withdrawals) = (cx.now(), queue::withdrawals(cx));
    let found = submissions::find_short_for_actions(cx, &ids).await;
    let found = found.unwrap_or_default();
    let mut forms: Vec<ActionForm> = Vec::new();
    let mut described = Vec::with_capacity(claimed.len());
    let entries = cx.state::<Entries>();
    let is_fresh = |read: &ReadEntry| is_fresh(cx, read);
    entries.read.borrow_mut().retain(is_fresh);
    for (entry, lane) in claimed {
        let stored = found
            .iter()
            .find(|stored| stored.submission.id == entry.submission_id);
        described.push(json!({
            "id": entry.id,
            "lease": lease,
            "lane": lane,
            "alone": alone,
            "large": stored.is_none(),
        }));
        let Some(stored) = stored else { continue };
        if !forms.iter().any(|known| known.form.id == entry.form_id)
            && let Ok(Some(form)) = load_form(cx, entry.form_id).await
        {
            forms.push(form);
        }
        let form = forms.iter().find(|known| known.form.id == entry.form_id);
        entries.read.borrow_mut().push(ReadEntry {
            lease: lease.to_owned(),
            claimed_at,
            withdrawals,
            form: form.cloned(),
            submission: Some(stored.submission.clone()),
            entry,
        });
    }
    described
}

fn is_fresh(cx: &Context, read: &ReadEntry) -> bool {
    (0..MAX_AGE_MS).contains(&(cx.now() - read.claimed_at))
        && read.withdrawals == queue::withdrawals(cx)
}

/// Takes a claimed entry that was read and is still fresh.
pub(super) fn take(cx: &Context, claim: &Claim) -> Option<ReadEntry> {
    let entries = cx.state::<Entries>();
    let mut entries = entries.read.borrow_mut();
    let place = entries
        .iter()
        .position(|read| read.entry.id == claim.id && read.lease == claim.lease)?;
    let read = entries.swap_remove(place);
    is_fresh(cx, &read).then_some(read)
}
