//! The steps of a submit up to the verdict on the answers, and the response to its outcome.

use std::cell::RefCell;

use serde_json::{Map, Value};

use super::repeats::key_hashes;
use crate::error::Error;
use crate::forms::{Field, Form, SubmitRules};
use crate::front::closing::closing_reason;
use crate::front::input::Sent;
use crate::front::outcome::{Accepted, Outcome, Rejection};
use crate::front::plugins::{self, PluginVerdict};
use crate::front::{claims, page, uploads};
use crate::http::{Request, Response};
use crate::logic::prefill::without_answers;
use crate::logic::validate::{AnswerFault, CleanData, unchecked_data};
use crate::pages::{self, REVIEWED};
use crate::security::{Signer, Use};
use crate::spam;
use crate::store::rate_limits::Gate;
use crate::store::submissions::{Inserted, KeyHashes, screen};
use crate::submissions::{
    Data, Labels, NEW, SPAM, Submission, kept_address, kept_user_agent, page_address,
};
use crate::task::Context;
use model::field_kinds::AnswerShape;

/// A running submit.
pub(super) struct Submit<'a> {
    pub(super) cx: &'a Context,
    pub(super) form: &'a Form,
    pub(super) rules: &'a SubmitRules,
    pub(super) request: &'a Request,
    pub(super) sent: Sent,
    pub(super) signer: Signer,
    /// The moment of the submit in the form's local time, in milliseconds.
    pub(super) local_now: i64,
    pub(super) hashes: Option<KeyHashes>,
    /// The keys of the files that the submission keeps.
    pub(super) kept: RefCell<Vec<String>>,
    /// The revision that the form must still have when the submission is stored, if the form comes from the cache.
    pub(super) expected_revision: Option<i64>,
}

impl<'a> Submit<'a> {
    /// Prepares a submit whose body was read.
    pub(super) async fn of(
        cx: &'a Context,
        form: &'a Form,
        rules: &'a SubmitRules,
        request: &'a Request,
        mut sent: Sent,
    ) -> Result<Submit<'a>, Error> {
        let signer = crate::store::signer(cx).await?;
        claims::resolve(cx, form, &rules.schema, &mut sent).await?;
        // The hashes use the sent names, so that a repeat is recognized after a field was renamed.
        let hashes = key_hashes(&signer, request, &rules.schema, &sent);
        sent.input.use_current_names(&rules.schema);
        let rendered = sent.value("_cf_time");
        let rendered = rendered.and_then(|token| signer.moment(Use::Rendered, form.id, token));
        sent.input.is_of_older_page = rendered.is_some_and(|rendered| rendered < form.updated_at);
        Ok(Submit {
            cx,
            form,
            rules,
            request,
            sent,
            signer,
            local_now: form.local(cx, cx.now()).await,
            hashes,
            kept: RefCell::default(),
            expected_revision: None,
        })
    }

    /// Runs the submit.
    pub(super) async fn run(&self) -> Result<Outcome, Error> {
        let (cx, form) = (self.cx, self.form);
        if let Some(outcome) = self.screened().await? {
            return Ok(outcome);
        }
        let (schema, input) = (&self.rules.schema, &self.sent.input);
        if pages::changes_rows(schema, input) && !self.wants_json() {
            return Ok(Outcome::Rows);
        }
        let mut verdict = spam::inspect(&self.signer, form.id, schema, input, cx.now());
        let checked = if verdict.is_spam {
            self.validated()
        } else {
            self.checked().await?
        };
        let mut clean = match checked {
            Ok(clean) => clean,
            // Spam gets no error messages; its answers are stored unchecked.
            Err(_) if verdict.is_spam => unchecked_data(schema, input),
            Err(faults) => {
                return Ok(self
                    .reject(Rejection::for_faults(cx, form, faults).await)
                    .await);
            }
        };
        if !verdict.is_spam && self.is_to_review() {
            let answers = pages::answers(form, schema, &clean.answers.to_map());
            return Ok(Outcome::Review(answers));
        }
        let ignored = plugins::ignored_names(cx).await;
        clean.answers.0.retain(|(name, _)| !ignored.contains(name));
        if !verdict.is_spam {
            match plugins::validate(cx, form, &clean.answers).await {
                PluginVerdict::Accept => {}
                PluginVerdict::Spam => verdict.add("cf_validate_form", 100),
                PluginVerdict::Reject(rejection) => return Ok(self.reject(rejection).await),
            }
        }
        let CleanData { answers, files } = clean;
        let mut submission = self.submission(answers);
        let stored = uploads::stored(cx, &self.sent, &files).await;
        let missing = stored.map(|files| submission.files = files).err();
        plugins::process_form(cx, form, &submission, "").await;
        if !verdict.is_spam {
            spam::run(cx, form, &submission, input, &mut verdict).await?;
        }
        verdict = spam::ask_plugins(cx, verdict, &submission, form).await;
        submission.is_spam = verdict.is_spam;
        submission.status = if verdict.is_spam { SPAM } else { NEW }.to_owned();
        submission.spam_reasons = verdict.reasons;
        submission.spam_score = verdict.score;
        self.store(submission, missing).await
    }

    /// The response to an outcome. After an error the form is shown again with its answers, so that the visitor loses
    /// nothing.
    pub(super) async fn response(
        &self,
        outcome: Result<Outcome, Error>,
    ) -> Result<Response, Error> {
        let (cx, form, sent) = (self.cx, self.form, &self.sent);
        let rejection = match outcome {
            Ok(Outcome::Accepted(accepted)) => {
                let mut response = self.thanks(&accepted).await;
                response.run_queue = accepted.has_work;
                return Ok(response);
            }
            Ok(Outcome::Rows) => return page::with_rows(cx, form, sent).await,
            Ok(Outcome::Review(answers)) => return page::review(cx, form, sent, &answers).await,
            Ok(Outcome::Rejected(rejection)) => rejection,
            Err(error @ Error::NotFound(_)) => return Err(error),
            Err(error) => Rejection::fault(cx, form, &error, &self.request.request_id).await,
        };
        if self.wants_json() {
            Ok(rejection.json(self.is_of_script()))
        } else {
            page::show_again(cx, form, sent, &rejection).await
        }
    }

    /// Whether the client expects JSON: the visitor's script or another program.
    pub(super) fn wants_json(&self) -> bool {
        let accepts = self.request.header("accept").unwrap_or_default();
        self.sent.is_json || accepts.contains("application/json")
    }

    /// Whether the visitor's script sent the answers; it adds this input (`visitor/script/form.ts`).
    pub(super) fn is_of_script(&self) -> bool {
        self.sent.value("_cf_script").is_some()
    }

    /// Returns the outcome if the submit is a repeat or is rejected before validation.
    async fn screened(&self) -> Result<Option<Outcome>, Error> {
        let (cx, form) = (self.cx, self.form);
        let gates = self.rate_gate().into_iter().chain(self.guess_gate());
        let gates: Vec<Gate> = gates.collect();
        let hashes = self.hashes.as_ref();
        Ok(match screen(cx, form.id, hashes, &gates).await? {
            Some(Inserted::KeyReused) => Some(self.reject(Rejection::key_reused()).await),
            Some(Inserted::Repeated {
                answer,
                submission_id,
            }) => Some(repeated(&answer, self.shown_id(submission_id))?),
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

    /// Whether the server must show the form's review, because the browser does not run the visitor's script. Forms
    /// with passwords get no review, since a page must not repeat passwords.
    fn is_to_review(&self) -> bool {
        let was_reviewed = self.sent.value(REVIEWED).is_some();
        let is_lost = |field: &Field| field.shape() == AnswerShape::Secret;
        pages::has_review(self.form, &self.rules.schema)
            && !(self.wants_json() || self.is_of_script() || was_reviewed)
            && !self.rules.schema.fields.iter().any(is_lost)
    }

    pub(super) async fn reject(&self, rejection: Rejection) -> Outcome {
        plugins::form_response(self.cx, self.form, None, &rejection.code).await;
        Outcome::Rejected(rejection)
    }

    pub(super) fn validated(&self) -> Result<CleanData, Vec<AnswerFault>> {
        let validate = |messages: &Map<String, Value>| {
            let rules = self.rules.with_messages(messages, self.local_now);
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
            referer_url: self.stored_address(self.sent.value("_cf_referrer").unwrap_or_default()),
            page_url: self.page_url(),
            submitted_at: now,
            modified_at: now,
            schema_revision: self.form.revision,
            ..Submission::default()
        }
    }

    /// The URL of the page that contains the form. The visitor's script sends it, since the referrer that browsers send
    /// to other sites contains only the origin.
    fn page_url(&self) -> String {
        let sent_page = self.stored_address(self.sent.value("_cf_page").unwrap_or_default());
        if sent_page.is_empty() {
            self.stored_address(self.request.header("referer").unwrap_or_default())
        } else {
            sent_page
        }
    }

    /// The URL of a page as stored, without answers in its query.
    fn stored_address(&self, sent: &str) -> String {
        if !self.form.has_prefill() || !sent.contains('?') {
            return page_address(sent);
        }
        page_address(&without_answers(&self.rules.schema, sent))
    }
}

/// The outcome of a repeat, which equals the outcome of the first submit.
pub(super) fn repeated(answer: &str, submission_id: i64) -> Result<Outcome, Error> {
    let accepted: Accepted = serde_json::from_str(answer)?;
    Ok(Outcome::Accepted(accepted.with_id(submission_id)))
}
