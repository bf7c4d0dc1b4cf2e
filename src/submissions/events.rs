//! The actions that notify plugins of a submission (specification, "Events").

use super::{Submission, submission_argument};
use crate::forms::{Form, Loaded, form_argument};
use crate::hooks::Kind;
use crate::store::StoreError;
use crate::store::submissions::Change;
use crate::task::Context;

/// The action for a submission that is not spam, or that has left spam.
const FORM_SUCCESS: &str = "cf_form_success";

/// The action for a changed status of a submission.
const STATUS_CHANGED: &str = "cf_submission_status_changed";

/// Runs the action `cf_form_success` (submission, form).
pub async fn form_succeeded(cx: &Context, form: &Form, submission: &Submission) {
    cx.notify(FORM_SUCCESS, || {
        vec![submission_argument(submission), form_argument(form)]
    })
    .await;
}

/// Runs `cf_submission_status_changed` (submission, former status, form) for changed statuses, and `cf_form_success`
/// for submissions that arrived as spam and now leave spam for the first time.
pub async fn notify_changed(cx: &Context, changes: &[Change]) -> Result<(), StoreError> {
    let mut hooks = [STATUS_CHANGED, FORM_SUCCESS].into_iter();
    if !hooks.any(|name| cx.has_callbacks(Kind::Action, name)) {
        return Ok(());
    }
    let is_changed = |change: &&Change| change.stored.submission.status != change.status;
    let mut forms = Loaded::default();
    for change in changes.iter().filter(is_changed) {
        let before = &change.stored.submission;
        if let Some(form) = forms.get(cx, before.form_id).await? {
            let submission = Submission {
                status: change.status.clone(),
                is_spam: change.is_spam(),
                ..before.clone()
            };
            let arguments = [
                submission_argument(&submission),
                json!(before.status),
                form_argument(form),
            ];
            cx.do_action(STATUS_CHANGED, &arguments).await;
            if change.releases_actions() {
                form_succeeded(cx, form, &submission).await;
            }
        }
    }
    Ok(())
}
