//! `POST /{slug}`: a submit, in the order of the contract (section 8). The response is sent only after everything
//! that it promises is stored.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::closing::closing_reason;
use super::input::{self, BodyError, Sent};
use super::outcome::{Accepted, Outcome, Rejection};
use super::{limits, page, plugins, uploads};
use crate::analytics::answers;
use crate::error::{Error, Missing};
use crate::forms::settings::{RunActions, Settings};
use crate::forms::{self, Field, FieldType, Form, SubmitRules};
use crate::http::{Request, Response};
use crate::jobs::queue;
use crate::logic::validate::{AnswerFault, CleanData, unchecked_data};
use crate::pages::{self, REVIEWED};
use crate::security::{Signer, Use};
use crate::spam;
use crate::store::rate_limits::Gate;
use crate::store::submissions::{
    self as store, Inserted, Key, KeyHashes, NewSubmission, insert, screen,
};
use crate::submissions::{
    Data, Labels, NEW, SPAM, Submission, address_files, form_succeeded, kept_address,
    kept_user_agent, page_address,
};
use crate::task::Context;

/// Handles a submit. With a cached form the result may be `None`: then nothing is stored, and the form must be read
/// first.
pub async fn submit(
    cx: &Context,
    form: &Form,
    request: &mut Request,
    is_cached_form: bool,
) -> Result<Option<Response>, Error> {
    let accepts = request.header("accept").unwrap_or_default();
    let accepts_json = accepts.contains("application/json");
    let rules = forms::submit_rules(cx, form)?;
    let mut sent = match received(cx, form, &rules.settings, request).await? {
        Received::Whole(sent) => sent,
        _ if is_cached_form => return Ok(None),
        Received::Rejected(rejection, mut sent) => {
            let is_json = accepts_json || request.content_type().ends_with("json");
            if let Some(sent) = &mut sent {
                sent.input.use_current_names(&rules.schema);
            }
            return Ok(Some(match sent {
                _ if is_json => rejection.json(false),
                Some(sent) => page::show_again(cx, form, &sent, &rejection).await?,
                None => {
                    let page = page::notice(cx, rejection.status, &form.title, &rejection.text);
                    rejection.with_headers(page)
                }
            }));
        }
    };
    let signer = crate::store::signer(cx).await?;
    // The hashes use the sent names, so that a repeat is recognized after a field was renamed.
    let hashes = limits::key_hashes(&signer, request, &rules.schema, &sent);
    sent.input.use_current_names(&rules.schema);
    let rendered = sent.value("_cf_time");
    let rendered = rendered.and_then(|token| signer.moment(Use::Rendered, form.id, token));
    sent.input.is_of_older_page = rendered.is_some_and(|rendered| rendered < form.updated_at);
    let submit = Submit {
        cx,
        form,
        rules: &rules,
        request,
        sent: &sent,
        signer: &signer,
        hashes,
        kept: RefCell::default(),
        is_cached_form,
    };
    let outcome = submit.run().await;
    // A rejection may be due to an outdated cached form.
    let is_open = match &outcome {
        Ok((outcome, _)) => !matches!(outcome, Outcome::Accepted(_)),
        Err(error) => matches!(error, Error::NotFound(_)),
    };
    if is_cached_form && is_open {
        return Ok(None);
    }
    if !sent.uploads.is_empty() {
        uploads::drop_unkept(cx, &sent, &submit.kept.take()).await;
    }
    let (outcome, run_queue) = match outcome {
        Err(error @ Error::NotFound(_)) => return Err(error),
        // The form is shown again with its answers, so that the visitor loses nothing.
        Err(error) => {
            let rejection = Rejection::fault(cx, form, &error, &request.request_id).await;
            (Outcome::Rejected(rejection), false)
        }
        Ok(outcome) => outcome,
    };
    // The visitor's script sends this input (visitor/script/form.ts).
    let is_script = sent.value("_cf_script").is_some();
    let as_json = accepts_json || sent.is_json;
    let mut response = match outcome {
        Outcome::Rejected(rejection) if as_json => rejection.json(is_script),
        Outcome::Rejected(rejection) => page::show_again(cx, form, &sent, &rejection).await?,
        Outcome::Review(answers) => page::review(cx, form, &sent, &answers).await?,
        Outcome::Accepted(accepted) => submit.thanks(&accepted, as_json, is_script).await,
    };
    response.run_queue = run_queue;
    Ok(Some(response))
}

/// The result of reading a submit.
enum Received {
    Whole(Sent),
    /// The rejection and the answers that were read; `None` if the form is not shown again.
    Rejected(Rejection, Option<Sent>),
}

/// Reads the body of a submit. A body that the host streams is read only if the form accepts submissions.
async fn received(
    cx: &Context,
    form: &Form,
    settings: &Settings,
    request: &mut Request,
) -> Result<Received, Error> {
    if request.body_waits
        && let Some(rejection) = closing_reason(cx, form, settings, request).await?
    {
        return Ok(Received::Rejected(rejection, None));
    }
    let (sent, fault) = if request.body_waits && request.content_type() == "multipart/form-data" {
        uploads::receive(cx, form).await
    } else {
        let read = request.read_body(cx).await.map_err(BodyError::from);
        match read.and_then(|()| input::read(request)) {
            Ok(sent) => (sent, None),
            Err(fault) if fault.keeps_answers() => {
                (input::kept_answers(cx, request).await, Some(fault))
            }
            Err(fault) => (Sent::default(), Some(fault)),
        }
    };
    let Some(fault) = fault else {
        return Ok(Received::Whole(sent));
    };
    let rejection = Rejection::body(cx, form, &fault, request).await;
    let sent = fault.keeps_answers().then_some(sent);
    Ok(Received::Rejected(rejection, sent))
}

/// A running submit.
pub(super) struct Submit<'a> {
    pub(super) cx: &'a Context,
    pub(super) form: &'a Form,
    pub(super) rules: &'a SubmitRules,
    pub(super) request: &'a Request,
    pub(super) sent: &'a Sent,
    pub(super) signer: &'a Signer,
    hashes: Option<KeyHashes>,
    /// The keys of the files that the submission keeps.
    kept: RefCell<Vec<String>>,
    /// Whether the form comes from the cache.
    is_cached_form: bool,
}

impl Submit<'_> {
    /// Runs the submit; returns its outcome, and whether the queue has work now.
    async fn run(&self) -> Result<(Outcome, bool), Error> {
        let (cx, form) = (self.cx, self.form);
        if let Some(outcome) = self.screened().await? {
            return Ok((outcome, false));
        }
        let schema = &self.rules.schema;
        let mut verdict = spam::inspect(self.signer, form.id, schema, &self.sent.input, cx.now());
        let mut clean = match self.validated() {
            Ok(clean) => clean,
            // Spam gets no error messages; its answers are stored unchecked.
            Err(_) if verdict.is_spam => unchecked_data(&self.rules.schema, &self.sent.input),
            Err(faults) => {
                let rejection = Rejection::for_faults(cx, form, faults).await;
                return Ok((self.reject(rejection).await, false));
            }
        };
        if !verdict.is_spam && self.is_to_review() {
            let answers = pages::answers(form, &self.rules.schema, &clean.answers.to_map());
            return Ok((Outcome::Review(answers), false));
        }
        let ignored = plugins::ignored_names(cx).await;
        clean.answers.0.retain(|(name, _)| !ignored.contains(name));
        if !verdict.is_spam {
            match plugins::validate(cx, form, &clean.answers).await {
                plugins::PluginVerdict::Accept => {}
                plugins::PluginVerdict::Spam => verdict.add("cf_validate_form", 100),
                plugins::PluginVerdict::Reject(rejection) => {
                    return Ok((self.reject(rejection).await, false));
                }
            }
        }
        let CleanData { answers, files } = clean;
        let mut submission = self.submission(answers);
        plugins::process_form(cx, form, &submission, "").await;
        if !verdict.is_spam {
            spam::run(cx, form, &submission, &self.sent.input, &mut verdict).await?;
        }
        verdict = spam::ask_plugins(cx, verdict, &submission, form).await;
        submission.is_spam = verdict.is_spam;
        submission.status = if verdict.is_spam { SPAM } else { NEW }.to_owned();
        submission.spam_reasons = verdict.reasons;
        submission.spam_score = verdict.score;
        self.store(submission, &files).await
    }

    /// Returns the outcome of a submit that needs no validation: a repeat, or a rejection.
    async fn screened(&self) -> Result<Option<Outcome>, Error> {
        let (cx, form) = (self.cx, self.form);
        let gates: Vec<Gate> = self.rate_gate().into_iter().collect();
        let hashes = self.hashes.as_ref();
        Ok(match screen(cx, form.id, hashes, &gates).await? {
            Some(Inserted::KeyReused) => Some(self.reject(Rejection::key_reused()).await),
            Some(Inserted::Repeated {
                answer,
                submission_id,
            }) => Some(repeated(&answer, submission_id)?),
            Some(Inserted::Rejected(gate_rejection)) => {
                let rejection = Rejection::at_gate(cx, form, gate_rejection).await;
                Some(self.reject(rejection).await)
            }
            _ => match closing_reason(cx, form, &self.rules.settings, self.request).await? {
                Some(rejection) => Some(self.reject(rejection).await),
                None => None,
            },
        })
    }

    /// Whether the server must show the form's review, because the browser runs no visitor's script. Forms with files
    /// or passwords get no review, since a page cannot contain them again.
    fn is_to_review(&self) -> bool {
        let accepts = self.request.header("accept").unwrap_or_default();
        let is_of_program = self.sent.is_json || accepts.contains("application/json");
        let was_sent = |name| self.sent.value(name).is_some();
        let is_lost = |field: &Field| matches!(field.kind, FieldType::File | FieldType::Password);
        self.form.setting("review") == Some(&Value::Bool(true))
            && !(is_of_program || was_sent("_cf_script") || was_sent(REVIEWED))
            && !self.rules.schema.fields.iter().any(is_lost)
    }

    async fn reject(&self, rejection: Rejection) -> Outcome {
        plugins::form_response(self.cx, self.form, None, &rejection.code).await;
        Outcome::Rejected(rejection)
    }

    pub(super) fn validated(&self) -> Result<CleanData, Vec<AnswerFault>> {
        let validate = |messages: &Map<String, Value>| {
            let rules = self.rules.with_messages(messages);
            rules.validate(&self.sent.input)
        };
        // Messages are translated only when validation failed.
        validate(&self.form.messages).or_else(|_| validate(&self.form.all_texts()))
    }

    pub(super) fn submission(&self, answers: Data) -> Submission {
        let now = self.cx.now();
        let address = self.request.address.clone().unwrap_or_default();
        let user_agent = self.request.header("user-agent").unwrap_or_default();
        Submission {
            form_id: self.form.id,
            labels: Labels::of(&self.rules.schema, &answers),
            data: answers,
            ip_address: kept_address(&self.rules.settings, &address),
            user_agent: kept_user_agent(&self.rules.settings, user_agent),
            referer_url: page_address(self.sent.value("_cf_referrer").unwrap_or_default()),
            page_url: self.page_url(),
            submitted_at: now,
            modified_at: now,
            schema_revision: self.form.revision,
            ..Submission::default()
        }
    }

    /// The page that contains the form. The page's script sends the address, since browsers send other sites only the
    /// domain.
    fn page_url(&self) -> String {
        let sent_page = page_address(self.sent.value("_cf_page").unwrap_or_default());
        if sent_page.is_empty() {
            page::address_header(self.request, "referer")
        } else {
            sent_page
        }
    }

    /// Seconds since the visitor's first input, as measured by the page's script.
    fn seconds_taken(&self) -> Option<i64> {
        self.sent.value("_cf_seconds")?.parse().ok()
    }

    /// Stores the submission with its files, then notifies plugins and runs inline actions.
    async fn store(
        &self,
        mut submission: Submission,
        files: &[usize],
    ) -> Result<(Outcome, bool), Error> {
        let (cx, form) = (self.cx, self.form);
        let uuid = crate::security::random::uuid_at(cx.now())?;
        let entries = Rc::clone(&self.rules.entries);
        // Spam with actions is always stored, so that a false positive can be moved out of spam.
        let withheld = submission.is_spam && !entries.is_empty();
        let saved = self.rules.settings.save_submissions || withheld;
        // Without a stored submission and actions nobody could access the files.
        if saved || !entries.is_empty() {
            submission.files = match uploads::stored(cx, self.sent, files).await {
                Ok(files) => files,
                Err(field) => {
                    let rejection =
                        uploads::not_stored(cx, form, &self.rules.schema, &[field]).await;
                    return Ok((self.reject(rejection).await, false));
                }
            };
        }
        let accepted = self.accepted(&uuid, &submission).await;
        let mut new = NewSubmission {
            key: self.hashes.clone().map(|hashes| Key {
                hashes,
                answer: serde_json::to_string(&accepted).unwrap_or_default(),
            }),
            gates: self.gates(&submission),
            address_hashes: self.signer.address_hashes(&submission),
            uuid,
            counted: answers::counts(&self.rules.schema, &submission.data, saved),
            submission,
            saved,
            seconds_taken: self.seconds_taken(),
            entries,
            revision: self.is_cached_form.then_some(form.revision),
        };
        match self.inserted(&new).await? {
            Inserted::Stored(id) => {
                let run_queue = self.stored(&mut new, id).await;
                let outcome = accepted.with_id(self.shown_id(id));
                Ok((Outcome::Accepted(outcome), run_queue))
            }
            Inserted::Repeated {
                answer,
                submission_id,
            } => Ok((repeated(&answer, self.shown_id(submission_id))?, false)),
            Inserted::KeyReused => Ok((self.reject(Rejection::key_reused()).await, false)),
            Inserted::Rejected(gate_rejection) => {
                let rejection = Rejection::at_gate(cx, form, gate_rejection).await;
                Ok((self.reject(rejection).await, false))
            }
            Inserted::FilesGone(fields) => {
                let rejection = uploads::purged(cx, form, &self.rules.schema, &fields).await;
                Ok((self.reject(rejection).await, false))
            }
            Inserted::FormGone => Err(Error::NotFound(Missing::Form)),
        }
    }

    /// The id for the response; 0 for none. Spam gets an id like other submissions.
    fn shown_id(&self, id: i64) -> i64 {
        if self.rules.settings.save_submissions {
            id
        } else {
            0
        }
    }

    /// Inserts the submission. Its files stay if it is stored, or if the database cannot tell.
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

/// The outcome of a repeat, which equals the first one.
fn repeated(answer: &str, submission_id: i64) -> Result<Outcome, Error> {
    let accepted: Accepted = serde_json::from_str(answer)?;
    Ok(Outcome::Accepted(accepted.with_id(submission_id)))
}
