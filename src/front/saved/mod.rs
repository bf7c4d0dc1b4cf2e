//! Save and resume: a visitor saves a form's answers and resumes later, here or on another device. Only the visitor's
//! token decrypts the answers; neither the form's owner nor a copy of the database can.

mod answers;
mod links;

use serde_json::Value;

use super::closing::closing_reason;
use super::input::{self, SAVED_TOKEN as TOKEN, Sent};
use super::outcome::Rejection;
use super::submit::{Received, received, rejected_body};
use super::{claims, page, uploads};
use crate::error::Error;
use crate::forms::{Form, SubmitRules, submit_rules};
use crate::http::{Request, Response};
use crate::security::{AnswerKey, Signer, counted_address, may_be_a_proxy, new_token, token_hash};
use crate::spam;
use crate::store::rate_limits;
use crate::store::saved::{self, NewContent, Saved};
use crate::task::Context;
use answers::{Answers, fill, of_sent};
use model::dates::{DAY_MS, format_moment};

pub use links::{link, mail};

/// The parts of a form's path for saved progress.
pub const SAVED: &str = "saved";
pub const READ: &str = "saved/read";
pub const MAIL: &str = "saved/mail";
pub const FORGET: &str = "saved/forget";

/// The input with the version of the saved progress that the page shows.
pub const VERSION: &str = "_cf_saved_version";

/// Limit on the saves from one IP address within an hour.
const MAX_SAVES: i64 = 600;
/// Limit on the first saves from one IP address within an hour. Each creates a row.
const MAX_NEW: i64 = 30;

/// Delay before a rate-limited IP address may try again, in seconds.
const RETRY_AFTER_SECONDS: i64 = 3_600;

/// The purpose to which encrypted answers are bound.
const ANSWERS: &str = "answers";

/// A request about the saved progress of a form.
struct Call<'a> {
    cx: &'a Context,
    form: &'a Form,
    rules: &'a SubmitRules,
    request: &'a Request,
    signer: Signer,
    sent: Sent,
}

impl Call<'_> {
    fn wants_json(&self) -> bool {
        let accepts = self.request.header("accept").unwrap_or_default();
        self.sent.is_json || accepts.contains("application/json")
    }

    fn token(&self) -> &str {
        self.sent.value(TOKEN).unwrap_or_default()
    }

    /// The saved progress of the request's token, and the key of its answers.
    async fn found(&self) -> Result<Option<(Saved, AnswerKey)>, Error> {
        let token = self.token();
        if token.is_empty() {
            return Ok(None);
        }
        let found = saved::find(self.cx, self.form.id, &token_hash(token)).await?;
        Ok(found.and_then(|saved| {
            let key = AnswerKey::unwrapped(token, &saved.wrapped)?;
            Some((saved, key))
        }))
    }

    fn refused(&self, status: u16, code: &str) -> Response {
        self.rejected(&Rejection::word(self.form, status, code))
    }

    async fn too_often(&self) -> Response {
        let rejection = Rejection::by(self.cx, self.form, 429, "rate_limited").await;
        self.rejected(&Rejection {
            retry_after: Some(RETRY_AFTER_SECONDS),
            ..rejection
        })
    }

    fn rejected(&self, rejection: &Rejection) -> Response {
        if self.wants_json() {
            return rejection.json(false);
        }
        let page = links::notice(self.cx, self.form, rejection.status, &rejection.text);
        rejection.with_headers(page)
    }

    /// The hash of the visitor's IP address; `None` for an address that may be a proxy's, which all visitors may share.
    fn address(&self) -> Option<String> {
        let address = self.request.address.as_deref()?;
        let forwarded_for_is_read = self.cx.shared().configuration().forwarded_for_is_read;
        (!may_be_a_proxy(address, forwarded_for_is_read))
            .then(|| self.signer.hash("address", &counted_address(address)))
    }

    /// Counts a request of a kind for the visitor's IP address. Returns whether the count is within the limit per hour.
    async fn may(&self, kind: &str, limit: i64) -> Result<bool, Error> {
        let Some(address) = self.address() else {
            return Ok(true);
        };
        let bucket = [kind, ":", &address].concat();
        let counts = rate_limits::count(self.cx, &[(0, bucket)], 1).await?;
        Ok(counts.first().is_none_or(|count| *count <= limit))
    }
}

/// `POST /{slug}/saved`: stores or replaces saved progress.
pub async fn save(cx: &Context, form: &Form, request: &mut Request) -> Result<Response, Error> {
    let rules = submit_rules(cx, form)?;
    let sent = match received(cx, form, &rules.settings, request).await? {
        Received::Whole(sent) => sent,
        Received::Rejected(rejection, sent) => {
            return rejected_body(cx, form, &rules, request, &rejection, sent).await;
        }
    };
    let mut call = Call {
        cx,
        form,
        rules: &rules,
        request,
        signer: crate::store::signer(cx).await?,
        sent,
    };
    let response = call.save().await;
    uploads::drop_unkept(cx, &call.sent, &[]).await;
    response
}

impl Call<'_> {
    async fn save(&mut self) -> Result<Response, Error> {
        let (cx, form) = (self.cx, self.form);
        if form.saving() == "off" {
            return Ok(self.refused(403, "saving_off"));
        }
        let closed = closing_reason(cx, form, &self.rules.settings, self.request).await?;
        if let Some(rejection) = closed {
            return Ok(self.rejected(&rejection));
        }
        if !self.may("saves", MAX_SAVES).await? {
            return Ok(self.too_often().await);
        }
        let schema = &self.rules.schema;
        claims::resolve(cx, form, schema, &mut self.sent).await?;
        self.sent.input.use_current_names(schema);
        let expires_at = cx.now() + form.save_days() * DAY_MS;
        let verdict = spam::inspect(&self.signer, form.id, schema, &self.sent.input, cx.now());
        if verdict.is_spam {
            // A bot's answers are not kept, but its response looks like a visitor's.
            return Ok(self.stored(Some(new_token()?), 1, expires_at).await);
        }
        let waiting = claims::Unaccepted {
            form,
            schema,
            request: self.request,
            signer: &self.signer,
            faults: &[],
            is_page: true,
        };
        claims::keep(cx, &waiting, &mut self.sent).await?;
        let Some(answers) = of_sent(schema, &self.sent) else {
            return Ok(self.refused(413, "too_much_to_save"));
        };
        let known = match (self.found().await?, self.sent.value(TOKEN)) {
            (None, Some(_)) => return Ok(self.refused(404, "saved_not_found")),
            (found, _) => found,
        };
        match known {
            Some((saved, key)) => self.saved_again(saved, &key, &answers, expires_at).await,
            None if !self.may("new saves", MAX_NEW).await? => Ok(self.too_often().await),
            None => self.saved_first(&answers, expires_at).await,
        }
    }

    /// Encrypts the answers for storage.
    fn content(
        &self,
        key: &AnswerKey,
        answers: &Answers,
        expires_at: i64,
    ) -> Result<NewContent, Error> {
        let text = answers.to_json().to_string();
        let sealed = key.cipher().seal(ANSWERS, text.as_bytes())?;
        Ok(NewContent {
            sealed: sealed.unwrap_or_default(),
            files: answers
                .files
                .iter()
                .map(|(_, token)| token_hash(token))
                .collect(),
            owners: answers.owners(&self.signer, &self.rules.schema, &self.sent.input),
            expires_at,
        })
    }

    async fn saved_first(&self, answers: &Answers, expires_at: i64) -> Result<Response, Error> {
        let (cx, form) = (self.cx, self.form);
        let (token, key) = (new_token()?, AnswerKey::random()?);
        let content = self.content(&key, answers, expires_at)?;
        let wrapped = key.wrapped(&token)?;
        if !saved::insert(cx, form.id, &token_hash(&token), &wrapped, &content).await? {
            return Ok(self.too_often().await);
        }
        cx.do_action("cf_answers_saved", &[form.id.into()]).await;
        Ok(self.stored(Some(token), 1, expires_at).await)
    }

    async fn saved_again(
        &self,
        saved: Saved,
        key: &AnswerKey,
        answers: &Answers,
        expires_at: i64,
    ) -> Result<Response, Error> {
        let (cx, form) = (self.cx, self.form);
        let sent = self.sent.value(VERSION);
        let is_current = sent.is_none_or(|sent| sent.parse() == Ok(saved.version));
        let content = self.content(key, answers, expires_at)?;
        if is_current && saved::update(cx, &saved, &content).await? {
            cx.do_action("cf_answers_saved", &[form.id.into()]).await;
            return Ok(self.stored(None, saved.version + 1, expires_at).await);
        }
        match self.found().await? {
            Some((newest, _)) => self.elsewhere(&newest).await,
            None => Ok(self.refused(404, "saved_not_found")),
        }
    }

    /// The response after a save. `new` is the token if the progress was saved for the first time.
    async fn stored(&self, new: Option<String>, version: i64, expires_at: i64) -> Response {
        let (cx, form) = (self.cx, self.form);
        let token = new.as_deref().unwrap_or_else(|| self.token());
        let address = links::address(cx, form, token);
        if !self.wants_json() {
            return links::saved_page(cx, form, token, &address, expires_at);
        }
        let mut body = json!({
            "version": version,
            "saved_at": format_moment(cx.now()),
            "expires_at": format_moment(expires_at),
            "resume_url": address,
            "message": {"type": "success", "text": links::about(form, expires_at)},
        });
        let status = if new.is_some() { 201 } else { 200 };
        if let (Some(token), Some(members)) = (new, body.as_object_mut()) {
            members.insert("token".to_owned(), token.into());
        }
        Response::json(status, &body).with_header("cache-control", "no-store")
    }

    /// The response when another device has saved in the meantime. Without script, the page is shown again, and a
    /// second save overwrites that of the other device.
    async fn elsewhere(&self, newest: &Saved) -> Result<Response, Error> {
        let rejection = Rejection::word(self.form, 409, "saved_elsewhere");
        if !self.wants_json() {
            let mut sent = self.sent.clone();
            sent.input.replace(VERSION, &newest.version.to_string());
            return page::show_again(self.cx, self.form, &sent, &rejection).await;
        }
        let facts = json!({
            "version": newest.version,
            "saved_at": format_moment(newest.saved_at),
        });
        let body = json!({"message": {"type": "error", "text": rejection.text}, "code": rejection.code, "errors": []});
        Ok(Response::json(409, &crate::json::with(body, facts)))
    }
}

/// Reads a small body about saved progress.
async fn small_call<'a>(
    cx: &'a Context,
    form: &'a Form,
    rules: &'a SubmitRules,
    request: &'a mut Request,
) -> Result<Call<'a>, Error> {
    request
        .read_body(cx)
        .await
        .map_err(|fault| Error::of_body(&fault))?;
    let sent = input::read(request).unwrap_or_default();
    Ok(Call {
        cx,
        form,
        rules,
        request,
        signer: crate::store::signer(cx).await?,
        sent,
    })
}

/// `POST /{slug}/saved/read`: responds with the answers as JSON, or with the form's page filled in.
pub async fn read(cx: &Context, form: &Form, request: &mut Request) -> Result<Response, Error> {
    let rules = submit_rules(cx, form)?;
    let call = small_call(cx, form, &rules, request).await?;
    let found = call.found().await?;
    let opened = found.and_then(|(saved, key)| {
        let text = key.cipher().open(ANSWERS, &saved.sealed)?;
        Some((
            saved,
            Answers::of_json(&serde_json::from_slice(&text).ok()?),
        ))
    });
    let Some((saved, answers)) = opened else {
        return Ok(call.refused(404, "saved_not_found"));
    };
    saved::count_resumed(cx, form.id).await?;
    let schema = &rules.schema;
    let (values, changed) = answers.still_fitting(schema, &form.messages);
    let mut kept = Sent::of_pairs(answers.files.clone(), Vec::new());
    claims::resolve(cx, form, schema, &mut kept).await?;
    let files = claims::kept_files(&kept, &[]);
    if !call.wants_json() {
        let version = saved.version.to_string();
        let hidden = [(TOKEN, call.token()), (VERSION, version.as_str())];
        return fill(cx, form, &values, &hidden, files, &changed, &answers.step).await;
    }
    let files = files.iter().map(|file| {
        json!({"field": file.field, "name": file.name, "size": file.size, "token": file.token})
    });
    let body = json!({
        "values": values,
        "files": files.collect::<Value>(),
        "step": answers.step,
        "version": saved.version,
        "saved_at": format_moment(saved.saved_at),
        "expires_at": format_moment(saved.expires_at),
        "changed": changed,
    });
    Ok(Response::json(200, &body).with_header("cache-control", "no-store"))
}

/// `POST /{slug}/saved/forget`: removes saved progress. An unknown token gets the same response.
pub async fn forget(cx: &Context, form: &Form, request: &mut Request) -> Result<Response, Error> {
    let rules = submit_rules(cx, form)?;
    let call = small_call(cx, form, &rules, request).await?;
    if !call.token().is_empty() {
        saved::forget(cx, form.id, &token_hash(call.token())).await?;
    }
    if call.wants_json() {
        return Ok(Response::json(200, &json!({"forgotten": true})));
    }
    Ok(links::notice(cx, form, 200, form.word("saved_deleted")))
}
