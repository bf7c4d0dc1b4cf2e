//! `POST /cf/v1/forms/import`: forms of a file, and the submissions in it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::author::Author;
use super::forms::{MAX_NAMED_TYPES, action_faults, unknown_types};
use super::transfer::{checked, exported};
use crate::actions::secrets::{SecretCipher, has_secrets};
use crate::error::Error;
use crate::forms::{self, Form, FormSchema, Source, Status, effective_schema};
use crate::http::Response;
use crate::import::{self, Contents, Draft, Origin, Report, SubmissionDraft, note_losses};
use crate::json;
use crate::markup::parse;
use crate::rest::Call;
use crate::store::meta;
use crate::submissions::import::{Outcome, import as import_submissions};

/// How many unknown forms the report names.
const MAX_NAMED_FORMS: usize = 20;

/// A form of the response.
struct Target {
    /// Its identity in the file.
    origin: Origin,
    /// Its id is 0 in a preview of one that is to be made.
    form: Form,
    answer: Value,
    schema: Option<FormSchema>,
}

/// Makes forms from a file, each that can be made, and stores the submissions in it; reports what
/// did not carry over.
pub async fn import(call: Call) -> Result<Response, Error> {
    let mut report = Report::default();
    let arguments = &call.arguments;
    let content = arguments.text("content").unwrap_or_default();
    let read = (call.cx).read_forms(content, arguments.text("format"));
    let contents = import::contents_of(&read.await?, &mut report);
    let mut contents = contents.map_err(|refusal| match refusal.code.as_str() {
        "" => invalid("content", refusal.message),
        "ambiguous" => Error::AmbiguousFormat(refusal),
        _ => Error::UnknownFormat(refusal),
    })?;
    let mut unknown = BTreeSet::new();
    let targets = if let Some(id) = arguments.integer("form_id") {
        vec![only_target(&call, id, &mut contents).await?]
    } else {
        targets(&call, &mut contents, &mut unknown, &mut report).await?
    };
    let made = add_submissions(&call, targets, contents.submissions, &mut report).await?;
    let notes = report.into_notes();
    let count = notes.len().to_string();
    let body = json!({"format": contents.format, "forms": made, "report": notes});
    let response = Response::json(200, &body).with_header("x-cf-warnings", count);
    if unknown.is_empty() {
        return Ok(response);
    }
    let named: Vec<String> = unknown.into_iter().take(MAX_NAMED_TYPES).collect();
    Ok(response.with_header("x-cf-warning", named.join(", ")))
}

fn invalid(parameter: &str, message: String) -> Error {
    Error::invalid(parameter, "rest_invalid_pattern", message)
}

/// The form that the request names: all submissions of the file go into it.
async fn only_target(call: &Call, id: i64, contents: &mut Contents) -> Result<Target, Error> {
    let form = forms::load_existing(&call.cx, id).await?;
    let mut forms = contents.submissions.iter().map(|own| &own.form);
    let first = forms.next();
    if first.is_none() || forms.any(|own| Some(own) != first) {
        let message = "With form_id, the file must hold submissions of one form.";
        return Err(invalid("form_id", message.to_owned()));
    }
    for submission in &mut contents.submissions {
        submission.form = Origin::default();
    }
    known_target(call, Origin::default(), form)
}

/// A form that is there already.
fn known_target(call: &Call, origin: Origin, form: Form) -> Result<Target, Error> {
    Ok(Target {
        origin,
        schema: Some((*effective_schema(&call.cx, &form)?).clone()),
        answer: exported(&form)?,
        form,
    })
}

/// A key that distinguishes a form of elsewhere from all others.
fn key_of(format: &str, origin: &Origin) -> String {
    json!([format, origin.id, origin.created_at]).to_string()
}

/// The forms of the file, made where they were not imported before, and those imported before that it has
/// submissions of.
async fn targets(
    call: &Call,
    contents: &mut Contents,
    unknown: &mut BTreeSet<String>,
    report: &mut Report,
) -> Result<Vec<Target>, Error> {
    let format = contents.format.as_str();
    let drafts = std::mem::take(&mut contents.forms);
    let (mut origins, mut keys, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
    let own = drafts.iter().map(|draft| &draft.origin);
    for origin in own.chain(contents.submissions.iter().map(|own| &own.form)) {
        let key = key_of(format, origin);
        if !origin.id.is_empty() && seen.insert(key.clone()) {
            origins.push(origin.clone());
            keys.push(key);
        }
    }
    let known = meta::imported(&call.cx, keys).await?;
    let mut targets = Vec::with_capacity(drafts.len());
    for (origin, id) in origins.into_iter().zip(known) {
        if let Some(id) = id
            && let Some(form) = forms::load(&call.cx, id).await?
        {
            report.begin(&form.title);
            if drafts.iter().any(|draft| draft.origin == origin) {
                let message = "The form was imported before: it is left as it is now.";
                report.note("form_known", "", message);
            }
            targets.push(known_target(call, origin, form)?);
        }
    }
    let mut types = None;
    for draft in drafts {
        if !draft.origin.id.is_empty() && targets.iter().any(|own| own.origin == draft.origin) {
            continue;
        }
        let (draft, schema) = checked(call, draft, report);
        if format == "html" {
            // Nobody has looked at this markup here before.
            let parsed = parse(&draft.markup).map(|parsed| parsed.warnings);
            for warning in parsed.unwrap_or_default() {
                report.note("markup", "markup", &warning.message);
            }
        }
        for what in unknown_types(&call.cx, &draft.settings, &mut types).await {
            let message = ["This is kept, but nobody offers it here: ", &what, "."].concat();
            report.note("unknown_type", "settings", &message);
            unknown.insert(what);
        }
        for fault in action_faults(&call.cx, &draft.settings) {
            let (code, message) = if fault.is_skipped {
                ("incomplete_action", "This will not be sent")
            } else {
                ("unknown_setting", "This is kept, but nothing reads it")
            };
            report.note(code, &fault.place, &format!("{message}: {}.", fault.what));
        }
        targets.push(new_target(call, format, draft, schema).await?);
    }
    Ok(targets)
}

/// A form that is made, but in a preview.
async fn new_target(
    call: &Call,
    format: &str,
    draft: Draft,
    schema: Option<FormSchema>,
) -> Result<Target, Error> {
    let origin = draft.origin;
    let source = if draft.from_schema {
        Source::Schema
    } else {
        Source::Markup
    };
    let mut form = Form {
        title: draft.title,
        slug: draft.slug,
        markup: draft.markup,
        status: Status::read(&draft.status),
        source,
        settings: draft.settings,
        messages: draft.messages,
        ..Form::default()
    };
    if let Some(schema) = &schema {
        form.keep_schema(schema)?;
    }
    let mut answer = exported(&form)?;
    if !call.arguments.flag("preview") {
        if has_secrets(&form.settings) {
            let cipher = SecretCipher::of(&call.cx).await?;
            cipher.seal_settings(&mut form.settings, &Map::new())?;
        }
        let unfiltered = Author::of(call).and(call.arguments.flag("keep_scripts"));
        let unfiltered = unfiltered.is_unfiltered;
        let key = (!origin.id.is_empty()).then(|| key_of(format, &origin));
        form = forms::create(&call.cx, form, key.as_deref(), &call.principal, unfiltered).await?;
        answer = json::with(answer, json!({"slug": form.slug}));
    }
    Ok(Target {
        origin,
        form,
        answer,
        schema,
    })
}

/// Stores the submissions with their forms, and returns each form with what became of them.
async fn add_submissions(
    call: &Call,
    targets: Vec<Target>,
    mut submissions: Vec<SubmissionDraft>,
    report: &mut Report,
) -> Result<Vec<Value>, Error> {
    let is_preview = call.arguments.flag("preview");
    let mut answers = Vec::with_capacity(targets.len());
    for Target {
        origin,
        form,
        answer,
        schema,
    } in targets
    {
        let is_own = |own: &SubmissionDraft| own.form.means(&origin);
        let (own, others): (Vec<_>, Vec<_>) = submissions.into_iter().partition(is_own);
        submissions = others;
        report.begin(&form.title);
        let (days, now) = (form.settings().retention_days, call.cx.now());
        note_losses(&own, schema.as_ref(), days, now, report);
        let outcome = if is_preview || own.is_empty() {
            Outcome {
                found: own.len(),
                ..Outcome::default()
            }
        } else {
            import_submissions(&call.cx, &form, &own, &call.principal.login, report).await?
        };
        let id = Some(form.id).filter(|id| *id > 0);
        let more = json!({"id": id, "submissions": outcome});
        answers.push(json::with(answer, more));
    }
    report.begin("");
    let mut named = Vec::new();
    for submission in &submissions {
        let id = submission.form.id.as_str();
        if named.len() < MAX_NAMED_FORMS && !named.contains(&id) {
            let message = "Its submissions are left out: the form is not in the file and was not imported \
                before. Import it first, or name the form that takes them by form_id.";
            report.note("form_unknown", id, message);
            named.push(id);
        }
    }
    Ok(answers)
}
