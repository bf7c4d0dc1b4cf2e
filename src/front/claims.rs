//! Files stored before the submit. A submit refers to them by tokens; a page that is shown again keeps them.

use std::collections::BTreeSet;

use super::input::{Sent, Upload};
use super::upload_limits::Limits;
use crate::error::Error;
use crate::files::remove_files;
use crate::forms::{Form, FormSchema};
use crate::http::Request;
use crate::logic::input::UploadedFile;
use crate::logic::validate::{AnswerFault, MAX_FILES, unchecked_data};
use crate::pages::{KeptFile, REMOVED};
use crate::security::{Signer, new_token, token_hash};
use crate::store::StoreError;
use crate::store::upload_tokens::{self, NewToken, TokenFile};
use crate::submissions::{StoredFile, Submission};
use crate::task::Context;
use model::file_types::Content;

/// Limit on the files of one submit that may get new tokens.
const MAX_KEPT: usize = 40;

/// A token in a submit.
struct SentToken {
    /// The name under which the token was sent.
    name: String,
    /// The current name of the field.
    field: String,
    token: String,
    hash: String,
}

/// Replaces the tokens in a submit by their files, and puts these before the files in the submit's body. A token
/// without a usable file becomes a file marked as unusable, which validation reports.
pub async fn resolve(
    cx: &Context,
    form: &Form,
    schema: &FormSchema,
    sent: &mut Sent,
) -> Result<(), StoreError> {
    if !schema.takes_files() {
        return Ok(());
    }
    let tokens = tokens(schema, sent);
    if tokens.is_empty() {
        return Ok(());
    }
    let hashes: Vec<String> = tokens.iter().map(|token| token.hash.clone()).collect();
    let known = upload_tokens::find(cx, &hashes).await?;
    let former = schema.former_names();
    let mut used = BTreeSet::new();
    let mut claimed = Vec::with_capacity(tokens.len());
    for token in tokens {
        let found = known.iter().find(|file| file.token_hash == token.hash);
        let found = found.filter(|file| file.form_id == form.id);
        let is_usable = found.is_some_and(|file| {
            let field = former.get(file.field_name.as_str());
            let field = field.copied().unwrap_or(&file.field_name);
            field == token.field
                && file.submission_id == 0
                && file.expires_at > cx.now()
                && used.insert(file.file_key.clone())
        });
        claimed.push(claim(token, found, is_usable));
    }
    let files = std::mem::take(&mut sent.input.files);
    let uploads = std::mem::take(&mut sent.uploads);
    claimed.extend(files.into_iter().zip(uploads));
    (sent.input.files, sent.uploads) = claimed.into_iter().unzip();
    Ok(())
}

/// Takes the tokens out of a submit. In a field for one file, a file in the body replaces the token of an earlier file.
fn tokens(schema: &FormSchema, sent: &mut Sent) -> Vec<SentToken> {
    let removed = sent.input.all(REMOVED).unwrap_or_default().to_vec();
    let former = schema.former_names();
    let mut tokens = Vec::new();
    let fields = schema.answer_fields();
    for field in fields.filter(|field| field.kind.takes_files()) {
        let mut names = former.iter().filter(|(_, name)| **name == field.name);
        let names: Vec<String> = std::iter::once(field.name.clone())
            .chain(names.by_ref().map(|(former, _)| (*former).to_owned()))
            .collect();
        for name in names {
            let mut found = sent.input.take_tokens(&name);
            found.retain(|token| !removed.contains(token));
            found.truncate(MAX_FILES + 1);
            if !field.is_multiple() && sent.input.files_of(&name).next().is_some() {
                continue;
            }
            tokens.extend(found.into_iter().map(|token| SentToken {
                name: name.clone(),
                field: field.name.clone(),
                hash: token_hash(&token),
                token,
            }));
        }
    }
    tokens
}

/// Builds the file of a token. A used token still gives its file's hash, so that a repeat of its submit is recognized.
fn claim(token: SentToken, found: Option<&TokenFile>, is_usable: bool) -> (UploadedFile, Upload) {
    let mut file = UploadedFile {
        field: token.name,
        is_unusable: !is_usable,
        ..UploadedFile::default()
    };
    let mut upload = Upload {
        sha256: token.hash,
        ..Upload::default()
    };
    if let Some(found) = found {
        upload.sha256.clone_from(&found.sha256);
    }
    if let Some(found) = found.filter(|_| is_usable) {
        file.filename.clone_from(&found.filename);
        file.content_type.clone_from(&found.content_type);
        file.size = found.size;
        file.content = Content::of_stored_type(&found.content_type);
        upload.token = Some(token.token);
        upload.stored = Some(StoredFile {
            field: token.field,
            filename: found.filename.clone(),
            content_type: found.content_type.clone(),
            size: found.size,
            key: found.file_key.clone(),
            ..StoredFile::default()
        });
    }
    (file, upload)
}

/// Removes the files that an accepted submit claimed but did not keep. Files that another submit has claimed stay.
pub async fn drop_leftover(cx: &Context, sent: &Sent, kept: &[String]) -> Result<(), StoreError> {
    let claimed = sent.uploads.iter().filter(|upload| upload.token.is_some());
    let stored = claimed.filter_map(|upload| upload.stored.as_ref());
    let left: Vec<String> = stored
        .map(|file| file.key.clone())
        .filter(|key| !kept.contains(key))
        .collect();
    let left = upload_tokens::abandon(cx, &left).await?;
    remove_files(cx, &left).await;
    Ok(())
}

/// A submit that was not accepted, and its context.
pub struct Unaccepted<'a> {
    pub form: &'a Form,
    pub schema: &'a FormSchema,
    pub request: &'a Request,
    pub signer: &'a Signer,
    pub faults: &'a [AnswerFault],
    /// Whether the response is a page with the form, which cannot contain the files themselves.
    pub is_page: bool,
}

/// Keeps the files of a submit that was not accepted. If the response is a page, files get tokens, except in fields
/// with faults. Also records the email addresses in the answers, hashed, as owners of the claimed files.
pub async fn keep(cx: &Context, submit: &Unaccepted<'_>, sent: &mut Sent) -> Result<(), Error> {
    let answers = unchecked_data(submit.schema, &sent.input).answers;
    let owners = submit.signer.address_hashes(&Submission {
        data: answers,
        ..Submission::default()
    });
    let claimed = sent.uploads.iter().filter(|upload| upload.token.is_some());
    let claimed = claimed.filter_map(|upload| upload.stored.as_ref());
    let claimed: Vec<String> = claimed.map(|file| file.key.clone()).collect();
    upload_tokens::note_owners(cx, &claimed, &owners).await?;
    if !submit.is_page {
        return Ok(());
    }
    let mut limits = Limits::of(cx, submit.form, submit.request, submit.signer).await?;
    let mut tokens = Vec::new();
    let files = sent.input.files.iter().zip(&mut sent.uploads);
    for (file, upload) in files.take(MAX_KEPT) {
        let is_faulty = submit.faults.iter().any(|fault| fault.field == file.field);
        let Some(stored) = upload.stored.as_ref().filter(|_| !is_faulty) else {
            continue;
        };
        if upload.token.is_some() || !limits.admit(cx, stored.size).await? {
            continue;
        }
        let token = new_token()?;
        tokens.push(NewToken {
            file_key: stored.key.clone(),
            token_hash: token_hash(&token),
            sha256: upload.sha256.clone(),
            owners: owners.clone(),
        });
        upload.token = Some(token);
    }
    if tokens.is_empty() {
        return Ok(());
    }
    let issued = upload_tokens::issue(cx, &tokens).await;
    let issued = issued.map(|(_, issued)| issued);
    let has_failed = |key: &str| match &issued {
        Ok(issued) => {
            let mut pairs = tokens.iter().zip(issued);
            pairs.any(|(token, is_issued)| token.file_key == key && !is_issued)
        }
        Err(_) => tokens.iter().any(|token| token.file_key == key),
    };
    for upload in &mut sent.uploads {
        let key = upload.stored.as_ref().map(|stored| stored.key.as_str());
        if key.is_some_and(has_failed) {
            upload.token = None;
        }
    }
    issued.map(drop).map_err(Error::from)
}

/// The files that the page of a form keeps: those with a token, except in fields with faults.
pub fn kept_files(sent: &Sent, faults: &[AnswerFault]) -> Vec<KeptFile> {
    let files = sent.input.files.iter().zip(&sent.uploads);
    let kept = files.filter_map(|(file, upload)| {
        let is_faulty = faults.iter().any(|fault| fault.field == file.field);
        let token = upload.token.clone().filter(|_| !is_faulty)?;
        let stored = upload.stored.as_ref()?;
        Some(KeptFile {
            field: file.field.clone(),
            name: stored.filename.clone(),
            size: stored.size,
            token,
        })
    });
    kept.collect()
}
