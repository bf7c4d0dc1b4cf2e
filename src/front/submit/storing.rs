//! Stores a submission with its files, and handles the outcome.

use std::cell::RefCell;
use std::rc::Rc;

use super::run::{Submit, repeated};
use crate::analytics::{Starts, Visit, answers, is_bot, visitor_hash};
use crate::dates::day_of;
use crate::error::{Error, Missing};
use crate::forms::settings::RunActions;
use crate::front::input::SAVED_TOKEN;
use crate::front::outcome::{Accepted, Outcome, Rejection};
use crate::front::{claims, plugins, uploads};
use crate::http::Principal;
use crate::jobs::queue;
use crate::security::token_hash;
use crate::store::submissions::{self as store, Inserted, Key, NewSubmission, insert};
use crate::store::{saved, visitor_key};
use crate::submissions::{Submission, address_files, form_succeeded};

/// The suffix of `_cf_seconds` if the page has reported the visit's start. Older scripts write no suffix.
const START_SENT: &str = ";sent";

/// The suffix of `_cf_seconds` if the page has not reported the start and never will.
const START_MISSED: &str = ";missed";

impl Submit<'_> {
    /// Seconds since the visitor's first input, as measured by the page's script.
    fn seconds_taken(&self) -> Option<i64> {
        let sent = self.sent.value("_cf_seconds")?;
        let seconds = sent.split(';').next().unwrap_or_default();
        seconds.parse().ok()
    }

    /// Whether the visit began with an input, and whether that start is counted already. If the day's key cannot be
    /// read, only the page's report counts.
    async fn visit(&self) -> Visit {
        let (cx, request) = (self.cx, self.request);
        let user_agent = request.header("user-agent").unwrap_or_default();
        // Events of bots and editors are not counted either.
        if is_bot(user_agent)
            || request
                .principal
                .as_ref()
                .is_some_and(Principal::edits_forms)
        {
            return Visit::NotStarted;
        }
        let sent = self.sent.value("_cf_seconds").unwrap_or_default();
        if sent.ends_with(START_MISSED) {
            // An open start of the same visitor belongs to an earlier visit.
            return Visit::StartMissed;
        }
        let starts = cx.state::<RefCell<Starts>>();
        let mut is_counted = sent.ends_with(START_SENT);
        if !starts.borrow().is_empty()
            && let Ok(key) = visitor_key(cx, &day_of(cx.now())).await
        {
            let address = request.address.as_deref().unwrap_or_default();
            let visitor = visitor_hash(&key, address, user_agent);
            is_counted |= starts.borrow_mut().take(self.form.id, visitor);
        }
        match (self.seconds_taken(), is_counted) {
            (_, true) => Visit::Started,
            (Some(_), false) => Visit::StartMissed,
            (None, false) => Visit::NotStarted,
        }
    }

    /// Stores the submission with its files, then notifies plugins and runs inline actions. `missing` is the field of a
    /// file that the host could not store.
    pub(super) async fn store(
        &self,
        mut submission: Submission,
        missing: Option<String>,
    ) -> Result<Outcome, Error> {
        let (cx, form) = (self.cx, self.form);
        let uuid = crate::security::random::uuid_at(cx.now())?;
        let entries = Rc::clone(&self.rules.entries);
        // Spam with actions is always stored, so that a false positive can be moved out of spam.
        let withheld = submission.is_spam && !entries.is_empty();
        let saved = self.rules.settings.save_submissions || withheld;
        // Files are needed only if the submission is stored or actions run.
        if !saved && entries.is_empty() {
            submission.files.clear();
        } else if let Some(field) = missing {
            let rejection = uploads::not_stored(cx, form, &self.rules.schema, &[field]).await;
            return Ok(self.reject(rejection).await);
        }
        let mut accepted = self.accepted(&uuid, &submission).await;
        let mut new = NewSubmission {
            key: self.key(&accepted),
            gates: self.gates(&submission),
            address_hashes: self.signer.address_hashes(&submission),
            uuid,
            holds: self.holds(&submission, saved),
            counted: answers::counts(&self.rules.schema, &submission.data, saved),
            submission,
            saved,
            seconds_taken: self.seconds_taken(),
            visit: self.visit().await,
            entries,
            resumed: self.resumed().await?,
            revision: self.expected_revision,
        };
        match self.inserted(&new).await? {
            Inserted::Stored(id) => {
                accepted.has_work = self.stored(&mut new, id).await;
                Ok(Outcome::Accepted(accepted.with_id(self.shown_id(id))))
            }
            Inserted::Repeated {
                answer,
                submission_id,
            } => repeated(&answer, self.shown_id(submission_id)),
            Inserted::KeyReused => Ok(self.reject(Rejection::key_reused()).await),
            Inserted::Rejected(gate_rejection) => {
                let rejection = Rejection::at_gate(cx, form, gate_rejection).await;
                Ok(self.reject(rejection).await)
            }
            Inserted::Taken => self.taken_meanwhile().await,
            Inserted::FilesGone(fields) => {
                let rejection = uploads::purged(cx, form, &self.rules.schema, &fields).await;
                Ok(self.reject(rejection).await)
            }
            Inserted::FormGone => Err(Error::NotFound(Missing::Form)),
        }
    }

    /// The id of the saved progress that the submission replaces.
    async fn resumed(&self) -> Result<Option<String>, Error> {
        let Some(token) = self.sent.value(SAVED_TOKEN) else {
            return Ok(None);
        };
        let found = saved::find(self.cx, self.form.id, &token_hash(token)).await?;
        Ok(found.map(|saved| saved.id))
    }

    /// The submit's key, with the outcome that a repeat returns.
    fn key(&self, accepted: &Accepted) -> Option<Key> {
        self.hashes.clone().map(|hashes| Key {
            hashes,
            answer: serde_json::to_string(accepted).unwrap_or_default(),
        })
    }

    /// The submission's id for the response; 0 if the form keeps no submissions. Spam also gets an id.
    pub(super) fn shown_id(&self, id: i64) -> i64 {
        if self.rules.settings.save_submissions {
            id
        } else {
            0
        }
    }

    /// Inserts the submission. Keeps its files if it was stored, or if the database cannot tell whether it was.
    async fn inserted(&self, new: &NewSubmission) -> Result<Inserted, Error> {
        let inserted = insert(self.cx, new).await;
        let is_stored = match &inserted {
            Ok(inserted) => matches!(inserted, Inserted::Stored(_)),
            Err(_) => store::exists(self.cx, &new.uuid).await.unwrap_or(true),
        };
        if is_stored {
            *self.kept.borrow_mut() = uploads::keys(&new.submission.files);
        }
        Ok(inserted?)
    }

    /// Keeps or removes the files of a submit that has run. Files of a rejected submit may wait for the next attempt;
    /// other files that the submission does not keep are removed.
    pub(super) async fn settle_files(&mut self, outcome: &Result<Outcome, Error>) {
        if self.sent.uploads.is_empty() {
            return;
        }
        let (cx, kept) = (self.cx, self.kept.take());
        let settled = match outcome {
            Ok(Outcome::Accepted(_)) => claims::drop_leftover(cx, &self.sent, &kept)
                .await
                .map_err(Error::from),
            _ if !kept.is_empty() => Ok(()),
            outcome => {
                let faults = match outcome {
                    Ok(Outcome::Rejected(rejection)) => rejection.faults.as_slice(),
                    _ => &[],
                };
                let unaccepted = claims::Unaccepted {
                    form: self.form,
                    schema: &self.rules.schema,
                    request: self.request,
                    signer: &self.signer,
                    faults,
                    is_page: !self.wants_json(),
                };
                claims::keep(cx, &unaccepted, &mut self.sent).await
            }
        };
        if let Err(error) = settled {
            let fields = json!({"form_id": self.form.id, "error": error.to_string()});
            cx.log(
                "warn",
                "files could not be kept for the next attempt",
                fields,
            )
            .await;
        }
        uploads::drop_unkept(cx, &self.sent, &kept).await;
    }

    /// Notifies plugins of a stored submission and runs inline actions. Returns whether the queue has work.
    async fn stored(&self, new: &mut NewSubmission, id: i64) -> bool {
        let cx = self.cx;
        new.submission.id = id;
        address_files(cx, &mut new.submission);
        let submission = &new.submission;
        plugins::inserted(cx, self.form, submission).await;
        if submission.is_spam {
            plugins::form_response(cx, self.form, Some(submission), "spam").await;
            return false;
        }
        form_succeeded(cx, self.form, submission).await;
        let has_work = !new.entries.is_empty();
        if has_work
            && self.rules.settings.run_actions == RunActions::Inline
            && let Err(error) = queue::run_inline(cx, &new.uuid).await
        {
            // The entries are stored, so the queue runs them later.
            let fields = json!({"submission_id": id, "error": error.to_string()});
            cx.log("error", "actions could not run at once", fields)
                .await;
        }
        plugins::form_response(cx, self.form, Some(submission), "").await;
        has_work
    }
}
