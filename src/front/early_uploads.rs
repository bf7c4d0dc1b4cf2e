//! `POST /{slug}/files`: stores one file before the submit and responds with its token. `POST /{slug}/files/forget`
//! removes such files.

use super::closing::closing_reason;
use super::input::{self, BodyError, Upload};
use super::outcome::Rejection;
use super::plugins;
use super::upload_limits::Limits;
use super::uploads::{self, Receiver};
use super::visitor_hash::visitor_hash;
use crate::error::Error;
use crate::files::remove_files;
use crate::forms::{Form, SubmitRules, submit_rules};
use crate::http::{Request, Response};
use crate::logic::input::{Input, UploadedFile};
use crate::logic::validate::{AnswerFault, accept_of, is_disabled};
use crate::security::{Signer, new_token, token_hash};
use crate::store::StoreError;
use crate::store::upload_tokens::{self, NewToken, TokenFile};
use crate::task::{Context, PartFile};
use model::dates::format_moment;
use model::file_types::{ANY_BYTES, is_rejected_by_name};

/// Delay before a rate-limited IP address may try again, in seconds.
const RETRY_AFTER_SECONDS: i64 = 3_600;

/// Limit on the tokens that one request forgets.
const MAX_FORGOTTEN: usize = 100;

/// Limit on the name of an unknown field in a response, in characters.
const MAX_SHOWN_CHARS: usize = 200;

/// The reason why a file was rejected.
enum Fault {
    Body(BodyError),
    Rejected(Rejection),
}

impl<E: Into<BodyError>> From<E> for Fault {
    fn from(error: E) -> Fault {
        Fault::Body(error.into())
    }
}

/// An upload before the submit.
struct EarlyUpload<'a> {
    cx: &'a Context,
    form: &'a Form,
    rules: &'a SubmitRules,
    request: &'a Request,
    signer: Signer,
    /// The name of the field, as sent.
    field: String,
    /// The visitor's idempotency key for the upload; empty for none.
    key: String,
}

/// Stores the file of the multipart body, and responds with its token.
pub async fn receive(cx: &Context, form: &Form, request: &Request) -> Result<Response, Error> {
    let rules = submit_rules(cx, form)?;
    if let Some(rejection) = closing_reason(cx, form, &rules.settings, request).await? {
        return Ok(rejection.json(true));
    }
    if !request.body_waits || request.content_type() != "multipart/form-data" {
        let error = if request.too_large {
            BodyError::TooLarge
        } else {
            BodyError::UnknownType
        };
        return Ok(Rejection::body(cx, form, &error, request).await.json(true));
    }
    let mut upload = EarlyUpload {
        cx,
        form,
        rules: &rules,
        request,
        signer: crate::store::signer(cx).await?,
        field: String::new(),
        key: String::new(),
    };
    let rejection = match upload.run().await {
        Ok(response) => return Ok(response),
        Err(Fault::Rejected(rejection)) => rejection,
        Err(Fault::Body(error)) => Rejection::body(cx, form, &error, request).await,
    };
    Ok(rejection.json(true))
}

impl EarlyUpload<'_> {
    async fn run(&mut self) -> Result<Response, Fault> {
        let (cx, form) = (self.cx, self.form);
        let limits = Limits::of(cx, form, self.request, &self.signer).await?;
        let Some(left) = limits.count_file(cx).await? else {
            let rejection = Rejection::by(cx, form, 429, "rate_limited").await;
            return Err(Fault::Rejected(Rejection {
                retry_after: Some(RETRY_AFTER_SECONDS),
                ..rejection
            }));
        };
        if !limits.has_room() {
            return Err(BodyError::NoRoom.into());
        }
        let mut receiver = Receiver::of(cx, form).await?;
        receiver.room = receiver.room.min(left);
        if receiver.room == 0 {
            return Err(BodyError::NoRoom.into());
        }
        let file = self.file(&receiver).await?;
        let token = self.token(&receiver)?;
        if let Some(known) = self.known(&token).await? {
            return self.repeated(&known, &token).await;
        }
        let taken = self.taken(&mut receiver, file).await;
        let stored = receiver.files.pop();
        let key = stored
            .as_ref()
            .and_then(|(_, upload)| upload.stored.as_ref());
        let key = key.map(|stored| stored.key.clone());
        let result = match (taken, stored) {
            (Ok(()), Some((file, upload))) => {
                limits.count_bytes(cx, file.size).await?;
                self.issued(file, upload, &token).await
            }
            (Err(error), _) => Err(error),
            (Ok(()), None) => Err(self.not_taken().await),
        };
        if result.is_err() {
            remove_files(cx, key.as_slice()).await;
        }
        result
    }

    /// Reads the body up to its file, which must belong to a file field. Rejects a wrong type before reading the file's
    /// bytes.
    async fn file(&mut self, receiver: &Receiver<'_>) -> Result<PartFile, Fault> {
        let part = self.cx.next_part().await?;
        if let Some(code) = part.fault {
            return Err(BodyError::of_code(code).into());
        }
        for (name, value) in part.fields {
            match name.as_str() {
                "field" => self.field = value,
                "key" => self.key = value,
                _ => {}
            }
        }
        let name = receiver.current_name(&self.field);
        let field = receiver.schema.field(name);
        let field = field.filter(|field| field.kind.takes_files() && !is_disabled(field));
        let file = part.file.filter(|file| !file.filename.is_empty());
        let (Some(field), Some(file)) = (field, file) else {
            return Err(self.not_taken().await);
        };
        if is_rejected_by_name(&file.filename, accept_of(field)) {
            let uploaded = UploadedFile {
                filename: file.filename,
                ..UploadedFile::default()
            };
            let messages = self.form.all_texts();
            let rules = self.rules.with_messages(&messages, self.cx.now());
            let mut faults = rules.validate_file(field, &uploaded);
            // The size is still unknown.
            faults.retain(|fault| fault.code == "file_type_not_allowed");
            let rejection = Rejection::for_faults(self.cx, self.form, faults).await;
            return Err(Fault::Rejected(rejection));
        }
        let field = self.field.clone();
        Ok(PartFile { field, ..file })
    }

    /// The token of the file. A visitor's key always gives the same token, so that a retry counts as the same upload.
    fn token(&self, receiver: &Receiver<'_>) -> Result<String, Error> {
        if self.key.is_empty() {
            return Ok(new_token()?);
        }
        let field = receiver.current_name(&self.field);
        let visitor = visitor_hash(&self.signer, self.request);
        let text = json!([self.form.id, field, visitor, self.key]).to_string();
        Ok(self.signer.token("upload token", &text))
    }

    async fn known(&self, token: &str) -> Result<Option<TokenFile>, StoreError> {
        if self.key.is_empty() {
            return Ok(None);
        }
        let found = upload_tokens::find(self.cx, &[token_hash(token)]).await?;
        Ok(found.into_iter().next())
    }

    /// Responds to a retry, whose bytes must equal those of the first upload.
    async fn repeated(&self, known: &TokenFile, token: &str) -> Result<Response, Fault> {
        let received = self.cx.receive_file(None, ANY_BYTES, 0).await?;
        self.drained().await?;
        if received.sha256 != known.sha256 {
            return Err(self.not_taken().await);
        }
        Ok(response(known, token))
    }

    /// Reads the file and the rest of the body; skips further files.
    async fn taken(&self, receiver: &mut Receiver<'_>, file: PartFile) -> Result<(), Fault> {
        receiver.file(file).await?;
        if let Some(fault) = receiver.fault.take() {
            return Err(fault.into());
        }
        self.drained().await
    }

    async fn drained(&self) -> Result<(), Fault> {
        loop {
            let part = self.cx.next_part().await?;
            if let Some(code) = part.fault {
                return Err(BodyError::of_code(code).into());
            }
            if part.file.is_none() {
                return Ok(());
            }
            self.cx.receive_file(None, ANY_BYTES, 0).await?;
        }
    }

    /// Checks a file that was read, and gives it the token.
    async fn issued(
        &self,
        file: UploadedFile,
        upload: Upload,
        token: &str,
    ) -> Result<Response, Fault> {
        let (cx, form) = (self.cx, self.form);
        let name = upload.stored.as_ref().map(|stored| stored.field.as_str());
        let field = self.rules.schema.field(name.unwrap_or(&file.field));
        if let Some(field) = field {
            let messages = form.all_texts();
            let rules = self.rules.with_messages(&messages, self.cx.now());
            let faults = rules.validate_file(field, &file);
            if !faults.is_empty() {
                let rejection = Rejection::for_faults(cx, form, faults).await;
                return Err(Fault::Rejected(rejection));
            }
        }
        let Some(stored) = upload.stored else {
            return Err(self.not_taken().await);
        };
        if let Some((code, text)) = plugins::validate_upload(cx, form, &stored).await {
            let fault = AnswerFault::new(&stored.field, field, code.into(), &text);
            let rejection = Rejection::for_faults(cx, form, vec![fault]).await;
            return Err(Fault::Rejected(rejection));
        }
        let new = NewToken {
            file_key: stored.key.clone(),
            token_hash: token_hash(token),
            sha256: upload.sha256.clone(),
            owners: Vec::new(),
        };
        let (expires_at, issued) = upload_tokens::issue(cx, &[new]).await?;
        if !issued.contains(&true) {
            // A concurrent retry was first, or the record was purged.
            return match self.known(token).await? {
                Some(known) if known.sha256 == upload.sha256 => {
                    remove_files(cx, &[stored.key]).await;
                    Ok(response(&known, token))
                }
                _ => Err(self.not_taken().await),
            };
        }
        let known = TokenFile {
            token_hash: String::new(),
            form_id: form.id,
            submission_id: 0,
            field_name: stored.field,
            filename: stored.filename,
            content_type: stored.content_type,
            size: stored.size,
            file_key: stored.key,
            sha256: upload.sha256,
            expires_at,
        };
        Ok(response(&known, token))
    }

    async fn not_taken(&self) -> Fault {
        let field: String = self.field.chars().take(MAX_SHOWN_CHARS).collect();
        let (cx, form, schema) = (self.cx, self.form, &self.rules.schema);
        Fault::Rejected(uploads::not_stored(cx, form, schema, &[field]).await)
    }
}

fn response(file: &TokenFile, token: &str) -> Response {
    let body = json!({
        "token": token,
        "field": file.field_name,
        "name": file.filename,
        "size": file.size,
        "type": file.content_type,
        "expires_at": format_moment(file.expires_at),
    });
    Response::json(201, &body).with_header("cache-control", "no-store")
}

/// Removes unclaimed files by their tokens, and responds with the number of removed files. The body may have any
/// content type, since `sendBeacon` sends JSON as text.
pub async fn forget(cx: &Context, form: &Form, request: &mut Request) -> Result<Response, Error> {
    request
        .read_body(cx)
        .await
        .map_err(|fault| Error::of_body(&fault))?;
    let input = match input::read(request) {
        Ok(sent) => sent.input,
        Err(_) => crate::json::read(&request.body)
            .map(|body| Input::of_json(&body))
            .unwrap_or_default(),
    };
    let tokens = input.all("tokens").unwrap_or_default().iter();
    let hashes: Vec<String> = tokens
        .take(MAX_FORGOTTEN)
        .map(|token| token_hash(token))
        .collect();
    let keys = upload_tokens::forget(cx, form.id, &hashes).await?;
    remove_files(cx, &keys).await;
    Ok(Response::json(200, &json!({"forgotten": keys.len()})))
}
