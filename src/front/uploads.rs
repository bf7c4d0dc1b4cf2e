//! Uploaded files. Each file is recorded before its first byte, streamed to the host, and removed if its submit does
//! not keep it.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::input::{BodyError, MAX_PAIRS, Sent, Upload};
use super::outcome::Rejection;
use crate::error::Error;
use crate::files::remove_files;
use crate::forms::{Form, FormSchema, effective_schema};
use crate::logic::input::UploadedFile;
use crate::logic::validate::{AnswerFault, MAX_FILES, clean_filename};
use crate::ordered::Gather;
use crate::pages;
use crate::store::uploads::{self, Recorded};
use crate::submissions::{StoredFile, UploadLease};
use crate::task::{Context, PartFile, Port, Received};
use model::file_types::{ANY_BYTES, Content, stored_type};

/// Minimum size in bytes of a file whose size a message shows: 0.1 MB.
const MIN_SHOWN_SIZE: u64 = (1 << 20) / 10;

/// Reads a multipart body as it arrives. Stores files for the form's file fields, and skips other files. After a fault,
/// no further file is stored, but the answers are still read.
pub async fn receive(cx: &Context, form: &Form) -> (Sent, Option<BodyError>) {
    let mut receiver = match Receiver::of(cx, form).await {
        Ok(receiver) => receiver,
        Err(error) => return (Sent::default(), Some(error.into())),
    };
    if receiver.room == 0 {
        receiver.fault = Some(BodyError::NoRoom);
    }
    if let Err(fault) = receiver.read().await {
        receiver.fault.get_or_insert(fault);
    }
    let mut sent = Sent::of_pairs(receiver.pairs, receiver.files);
    sent.lease = Some(Rc::new(receiver.lease));
    if receiver.fault.is_some() {
        drop_unkept(cx, &sent, &[]).await;
    }
    (sent, receiver.fault)
}

/// The state of reading a multipart body.
pub(super) struct Receiver<'a> {
    cx: &'a Context,
    form_id: i64,
    pub(super) schema: Rc<FormSchema>,
    /// The current names of fields by their former names.
    former: BTreeMap<String, String>,
    /// The folder of this body's files.
    folder: String,
    /// Limit on the bytes of the form's files; 0 for no limit.
    quota: u64,
    /// The bytes of the quota that are left for this body.
    pub(super) room: u64,
    /// The reason why the body is rejected; once it is set, no file is stored.
    pub(super) fault: Option<BodyError>,
    pairs: Vec<(String, String)>,
    pub(super) files: Vec<(UploadedFile, Upload)>,
    lease: UploadLease,
}

impl<'a> Receiver<'a> {
    pub(super) async fn of(cx: &'a Context, form: &Form) -> Result<Receiver<'a>, Error> {
        let quota = form.settings().upload_quota;
        let schema = effective_schema(cx, form)?;
        let former = schema.former_names().into_iter();
        let former = former.map(|(former, name)| (former.to_owned(), name.to_owned()));
        let mut receiver = Receiver {
            cx,
            form_id: form.id,
            former: former.gather(),
            schema,
            folder: crate::security::random::uuid_at(cx.now())?,
            quota,
            room: u64::MAX,
            fault: None,
            pairs: Vec::new(),
            files: Vec::new(),
            lease: UploadLease::new(cx),
        };
        match uploads::total(cx, form.id).await {
            Ok(taken) if quota > 0 => receiver.room = quota.saturating_sub(taken),
            Ok(_) => {}
            Err(error) => receiver.fault = Some(error.into()),
        }
        Ok(receiver)
    }

    async fn read(&mut self) -> Result<(), BodyError> {
        loop {
            let part = self.cx.next_part().await?;
            self.pairs.extend(part.fields);
            if let Some(code) = part.fault {
                self.fault.get_or_insert(BodyError::of_code(code));
            }
            if self.pairs.len() + self.files.len() >= MAX_PAIRS {
                return Err(BodyError::TooManyFields);
            }
            let Some(file) = part.file else {
                return Ok(());
            };
            self.file(file).await?;
        }
    }

    /// Reads a file to its end.
    pub(super) async fn file(&mut self, file: PartFile) -> Result<(), BodyError> {
        let cx = self.cx;
        let mut stored = self.place(&file)?;
        if let Some(place) = &stored {
            match uploads::record(cx, self.form_id, place).await {
                Ok(()) => self.lease.add(cx, &place.key),
                Err(error) => {
                    self.fault = Some(error.into());
                    stored = None;
                }
            }
        }
        let max_size = self.max_size(&file.field);
        let key = stored.as_ref().map(|stored| stored.key.clone());
        let limit = max_size.min(self.room);
        // The content type is generic. A server that delivers the host's files must never deliver an upload as active
        // content.
        let received = match cx.receive_file(key, ANY_BYTES, limit).await {
            Ok(received) => received,
            Err(fault) => {
                let upload = Upload {
                    stored,
                    ..Upload::default()
                };
                self.add(file, 0, None, upload);
                return Err(fault.into());
            }
        };
        let size = received.size;
        let is_full = received.full;
        let error = received.error.clone().unwrap_or_default();
        let content = Some(Content::of(&received.first));
        if let Some(reason) = &received.error {
            log_failure(cx, &file.field, reason).await;
        }
        let upload = self.settled(received, stored).await;
        let is_stored = upload.stored.is_some();
        self.add(file, size, content, upload);
        if is_full {
            self.fault.get_or_insert(BodyError::disk_full(error));
        } else if !is_stored && size > limit && size <= max_size {
            self.fault.get_or_insert(BodyError::NoRoom);
        }
        Ok(())
    }

    /// Ends the upload of a file: records its size, or removes it if it was not stored.
    async fn settled(&mut self, received: Received, place: Option<StoredFile>) -> Upload {
        let mut upload = Upload {
            sha256: received.sha256,
            ..Upload::default()
        };
        let Some(mut stored) = place else {
            return upload;
        };
        if !received.stored {
            remove_files(self.cx, &[stored.key]).await;
            return upload;
        }
        stored.size = received.size;
        let content = Some(Content::of(&received.first));
        stored_type(&stored.filename, content).clone_into(&mut stored.content_type);
        match uploads::received(self.cx, self.form_id, &stored, self.quota).await {
            // A missing record is reported when the submission is stored.
            Ok(Recorded::Counted | Recorded::Gone) => {}
            Ok(Recorded::NoRoom) => _ = self.fault.get_or_insert(BodyError::NoRoom),
            Err(error) => self.fault = Some(error.into()),
        }
        self.room = self.room.saturating_sub(received.size);
        upload.stored = Some(stored);
        upload
    }

    fn add(&mut self, file: PartFile, size: u64, content: Option<Content>, upload: Upload) {
        let uploaded = UploadedFile {
            field: file.field,
            filename: file.filename,
            content_type: file.content_type,
            size,
            content,
            is_unusable: false,
        };
        self.files.push((uploaded, upload));
    }

    /// The record of a file to store; `None` if the file belongs to no file field or must not be stored.
    fn place(&self, file: &PartFile) -> Result<Option<StoredFile>, Error> {
        let name = self.current_name(&file.field);
        let field = self.schema.field(name);
        let is_taken = field.is_some_and(|field| field.kind.takes_files());
        let others = self.files.iter();
        let others = others.filter(|(file, _)| self.current_name(&file.field) == name);
        let has_room = others.count() <= MAX_FILES;
        let is_rejected = self.fault.is_some() || file.filename.is_empty() || !is_taken;
        if is_rejected || !has_room || !self.cx.has(Port::Files) {
            return Ok(None);
        }
        let token = crate::security::random::token(8)?;
        Ok(Some(StoredFile {
            field: name.to_owned(),
            filename: clean_filename(&file.filename),
            content_type: stored_type(&file.filename, None).to_owned(),
            key: format!("submissions/{}/{token}", self.folder),
            ..StoredFile::default()
        }))
    }

    /// The current name of the field that an input belongs to, which may have been renamed.
    pub(super) fn current_name<'n>(&'n self, input: &'n str) -> &'n str {
        let name = field_name(input);
        self.former.get(name).map_or(name, String::as_str)
    }

    /// Limit on the bytes of a field's file.
    fn max_size(&self, field: &str) -> u64 {
        let field = self.schema.field(self.current_name(field));
        let max_size = field.and_then(|field| field.validation.max.as_ref()?.as_u64());
        max_size.unwrap_or(u64::MAX)
    }
}

fn field_name(input: &str) -> &str {
    input.strip_suffix("[]").unwrap_or(input)
}

/// Returns the stored files at these indexes; `Err` with the field of a file that could not be stored.
pub async fn stored(
    cx: &Context,
    sent: &Sent,
    places: &[usize],
) -> Result<Vec<StoredFile>, String> {
    let mut files = Vec::with_capacity(places.len());
    for place in places {
        match sent.uploads.get(*place).map(|upload| &upload.stored) {
            Some(Some(file)) => files.push(file.clone()),
            _ => {
                let field = sent.input.files.get(*place).map(|file| file.field.clone());
                let field = field.unwrap_or_default();
                if !cx.has(Port::Files) {
                    log_failure(cx, &field, "this host stores no files").await;
                }
                return Err(field);
            }
        }
    }
    Ok(files)
}

/// Removes the files of a submit that are not in `kept` and have no token for a later submit.
pub async fn drop_unkept(cx: &Context, sent: &Sent, kept: &[String]) {
    let uploads = sent.uploads.iter().filter(|upload| upload.token.is_none());
    let keys = uploads.filter_map(|upload| Some(upload.stored.as_ref()?.key.clone()));
    let unkept: Vec<String> = keys.filter(|key| !kept.contains(key)).collect();
    remove_files(cx, &unkept).await;
}

/// The rejection of a submit whose files in these fields could not be stored.
pub async fn not_stored(
    cx: &Context,
    form: &Form,
    schema: &FormSchema,
    fields: &[String],
) -> Rejection {
    let code = "file_upload_error";
    let text = pages::message(cx, form, code).await;
    let fault = |field: &String| AnswerFault::new(field, schema.field(field), code.into(), &text);
    Rejection::for_faults(cx, form, fields.iter().map(fault).collect()).await
}

/// The rejection of a submit whose files in these fields were purged before it could be stored.
pub async fn purged(
    cx: &Context,
    form: &Form,
    schema: &FormSchema,
    fields: &[String],
) -> Rejection {
    for field in fields {
        log_failure(cx, field, "its record was purged before the submit ended").await;
    }
    not_stored(cx, form, schema, fields).await
}

/// Adds to the faults of a rejection a fault for each field whose files must be chosen again.
pub async fn to_choose_again(
    cx: &Context,
    form: &Form,
    schema: &FormSchema,
    sent: &Sent,
    rejection: &Rejection,
) -> Vec<AnswerFault> {
    let mut faults = rejection.faults.clone();
    let is_too_large = matches!(rejection.status, 413 | 507);
    let mut lost: Vec<(&str, Vec<String>)> = Vec::new();
    for (file, upload) in sent.input.files.iter().zip(&sent.uploads) {
        let name = field_name(&file.field);
        let field = schema.field(name);
        if upload.token.is_some() {
            continue;
        }
        if file.filename.is_empty() || field.is_none_or(|field| !field.kind.takes_files()) {
            continue;
        }
        let mut shown = clean_filename(&file.filename);
        if is_too_large && file.size >= MIN_SHOWN_SIZE {
            shown += &format!(" ({} MB)", pages::megabytes(file.size, form));
        }
        match lost.iter_mut().find(|(lost_field, _)| *lost_field == name) {
            Some((_, files)) => files.push(shown),
            None => lost.push((name, vec![shown])),
        }
    }
    if lost.is_empty() {
        return faults;
    }
    let text = pages::message(cx, form, "choose_files_again").await;
    for (name, mut files) in lost {
        files.truncate(MAX_FILES);
        let files = files.join(", ");
        let mut again =
            AnswerFault::new(name, schema.field(name), "choose_files_again".into(), &text);
        again.message = again.message.replace("{files}", &files);
        again.short = again.short.replace("{files}", &files);
        match faults.iter_mut().find(|fault| fault.field == name) {
            // A field shows only one message.
            Some(fault) => {
                fault.message += &format!(" {}", again.short);
                fault.short += &format!(" {}", again.short);
            }
            None => faults.push(again),
        }
    }
    faults
}

/// The keys of stored files.
pub fn keys(files: &[StoredFile]) -> Vec<String> {
    files.iter().map(|file| file.key.clone()).collect()
}

async fn log_failure(cx: &Context, field: &str, reason: &str) {
    let fields = json!({"field": field, "error": reason});
    cx.log("error", "an uploaded file could not be stored", fields)
        .await;
}
