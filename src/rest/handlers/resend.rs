//! Runs a form's actions again for a submission (contract, section 9).

use serde_json::Value;

use super::submissions::{MAX_ATTEMPTS, entries_of_form, read};
use crate::error::Error;
use crate::http::Response;
use crate::rest::Call;
use crate::store::queue;

/// `POST /cf/v1/submissions/{id}/actions`: queues the form's enabled actions, or only those that `action_ids` names.
/// Each gets a new delivery key. Responds with the entries.
pub async fn resend(call: Call) -> Result<Response, Error> {
    let id = call.arguments.id("id");
    let wanted = call.arguments.value("action_ids").and_then(Value::as_array);
    let text = |id: &Value| id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    let wanted = wanted.map(|ids| ids.iter().map(text).collect::<Vec<String>>());
    for _ in 0..MAX_ATTEMPTS {
        let stored = read(&call.cx, id).await?;
        if stored.submission.is_spam {
            return Err(Error::SubmissionIsSpam);
        }
        let mut entries = entries_of_form(&call.cx, stored.submission.form_id).await?;
        if let Some(wanted) = &wanted {
            let is_unknown = |id: &&String| !entries.iter().any(|entry| entry.action_id == **id);
            if let Some(unknown) = wanted.iter().find(is_unknown) {
                let message = format!("The form has no action `{unknown}` that is switched on.");
                return Err(Error::invalid("action_ids", "rest_not_in_enum", message));
            }
            entries.retain(|entry| wanted.contains(&entry.action_id));
        }
        for entry in &mut entries {
            entry.key = crate::security::random::token(8)?;
        }
        let queued = queue::add_again(&call.cx, &stored, &entries).await?;
        if queued.len() == entries.len() {
            let shown: Vec<Value> = queued.iter().map(crate::jobs::queue::shown).collect();
            let location = call.address(&format!("/submissions/{id}/timeline"));
            let mut response = Response::json(201, &shown).with_header("location", location);
            response.run_queue = true;
            return Ok(response);
        }
    }
    Err(Error::Conflict)
}
