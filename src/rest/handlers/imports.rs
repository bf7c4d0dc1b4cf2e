//! `POST /cf/v1/forms/import`: imports the forms and submissions of a file. The routes under `/cf/v1/imports` are for
//! larger files, which the host stores and passes to this route in parts.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::author::Author;
use super::form_warnings::{MAX_NAMED_TYPES, action_faults, unknown_types};
use super::transfer::{checked, exported};
use crate::action_types::secrets::{SecretCipher, has_secrets};
use crate::action_types::{ActionType, described_types};
use crate::error::Error;
use crate::forms::{self, Form, FormSchema, Source, Status, effective_schema};
use crate::http::Response;
use crate::import::{self, Contents, Draft, Options, Origin, Report, SubmissionDraft, note_losses};
use crate::json;
use crate::markup::parse;
use crate::rest::Call;
use crate::store::meta;
use crate::store::submissions::ImportedBy;
use crate::submissions::import::{Outcome, import as import_submissions};

/// Limit on the unknown forms that the report names.
const MAX_REPORTED_FORMS: usize = 20;

/// A form that the import creates or adds submissions to.
struct Target {
    /// The form's identity in the system that exported the file.
    origin: Origin,
    /// The form; its id is 0 in a preview of a new form.
    form: Form,
    answer: Value,
    schema: Option<FormSchema>,
}

/// Creates forms from a file and stores its submissions. Reports the parts that were not imported, or were imported
/// differently.
pub async fn import(call: Call) -> Result<Response, Error> {
    let mut report = Report::default();
    let arguments = &call.arguments;
    let content = arguments.text("content").unwrap_or_default();
    let mapping = arguments.value("mapping").cloned().unwrap_or_default();
    let zone = arguments.text("time_zone");
    let zone = zone.or_else(|| mapping.get("time_zone")?.as_str());
    let mut options = Options {
        format: arguments.text("format").map(str::to_owned),
        time_zone: zone.unwrap_or_default().to_owned(),
        mapping: mapping.clone(),
        ..Options::default()
    };
    if let Some(id) = arguments.integer("form_id") {
        let form = forms::load_existing(&call.cx, id).await?;
        options
            .forms
            .insert(String::new(), taker(&call, &form).await?);
    }
    let mut contents = read(&call, content, &options, &mut report).await?;
    if import::is_of_submissions(&contents.format) && options.forms.is_empty() {
        // Submissions that name their forms are read a second time, now with the forms' schemas.
        options.forms = takers(&call, &contents).await?;
        options.are_forms_known = true;
        report = Report::default();
        contents = read(&call, content, &options, &mut report).await?;
    }
    let mut unknown = BTreeSet::new();
    let import_id = contents.import_id;
    let targets = if let Some(id) = arguments.integer("form_id") {
        vec![only_target(&call, id, &mut contents).await?]
    } else {
        targets(&call, &mut contents, &mut unknown, &mut report).await?
    };
    let are_reported = import::is_of_submissions(&contents.format);
    let made = add_submissions(
        &call,
        targets,
        contents.submissions,
        are_reported,
        import_id,
        &mut report,
    )
    .await?;
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

/// Reads a file with the importers' module.
async fn read(
    call: &Call,
    content: &str,
    options: &Options,
    report: &mut Report,
) -> Result<Contents, Error> {
    let read = call.cx.read_forms(content, options.clone()).await?;
    import::contents_of(&read, report).map_err(|error| match error.code.as_str() {
        "" => invalid("content", error.message),
        "time_zone" => invalid("time_zone", error.message),
        "form_id" => invalid("form_id", error.message),
        "ambiguous" => Error::AmbiguousFormat(error),
        _ => Error::UnknownFormat(error),
    })
}

/// Describes the form that receives the file's submissions, for the reader of the file: the form's fields, and the
/// field names by the ids that the fields had in the original system.
async fn taker(call: &Call, form: &Form) -> Result<Value, Error> {
    let schema = effective_schema(&call.cx, form)?;
    let stored = meta::get(&call.cx, form.id, meta::IDS).await?;
    let ids: Option<Value> = stored.and_then(|stored| serde_json::from_str(&stored).ok());
    let mut ids = ids.unwrap_or_default();
    // The ids were stored with the first revision, whose names may have changed since.
    let former = schema.former_names_at(1);
    for name in ids.as_object_mut().into_iter().flat_map(Map::values_mut) {
        if let Some(current) = name.as_str().and_then(|name| former.get(name)) {
            *name = Value::from(*current);
        }
    }
    Ok(json!({"fields": schema.fields, "ids": ids}))
}

/// Describes the forms that submissions name, by the forms' ids in the file. Forms that were not imported before are
/// missing.
async fn takers(call: &Call, contents: &Contents) -> Result<Map<String, Value>, Error> {
    let format = import::format_of_forms(&contents.format);
    let (mut origins, mut keys, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
    for origin in contents.submissions.iter().map(|draft| &draft.form) {
        let key = key_of(format, origin);
        if seen.insert(key.clone()) {
            origins.push(origin);
            keys.push(key);
        }
    }
    let known = meta::imported(&call.cx, keys).await?;
    let mut takers = Map::new();
    for (origin, id) in origins.into_iter().zip(known) {
        if let Some(id) = id
            && let Some(form) = forms::load(&call.cx, id).await?
        {
            takers.insert(origin.id.clone(), taker(call, &form).await?);
        }
    }
    Ok(takers)
}

fn invalid(parameter: &str, message: String) -> Error {
    Error::invalid(parameter, "rest_invalid_pattern", message)
}

/// The target if the request names a form, which receives all submissions of the file.
async fn only_target(call: &Call, id: i64, contents: &mut Contents) -> Result<Target, Error> {
    let form = forms::load_existing(&call.cx, id).await?;
    let mut forms = contents
        .submissions
        .iter()
        .map(|submission| &submission.form);
    let first = forms.next();
    // The last part of a file may be empty.
    let is_empty = first.is_none() && contents.import_id == 0;
    if is_empty || forms.any(|other| Some(other) != first) {
        let message = "With form_id, the file must hold submissions of one form.";
        return Err(invalid("form_id", message.to_owned()));
    }
    for submission in &mut contents.submissions {
        submission.form = Origin::default();
    }
    known_target(call, Origin::default(), form)
}

/// The target for an existing form.
fn known_target(call: &Call, origin: Origin, form: Form) -> Result<Target, Error> {
    Ok(Target {
        origin,
        schema: Some((*effective_schema(&call.cx, &form)?).clone()),
        answer: exported(&form)?,
        form,
    })
}

/// The stored key that identifies the origin of an imported form.
fn key_of(format: &str, origin: &Origin) -> String {
    json!([format, origin.id, origin.created_at]).to_string()
}

/// Returns the targets for the forms of the file, and for previously imported forms that have submissions in the file.
/// Creates the forms of the file that have no known target.
async fn targets(
    call: &Call,
    contents: &mut Contents,
    unknown: &mut BTreeSet<String>,
    report: &mut Report,
) -> Result<Vec<Target>, Error> {
    let drafts = std::mem::take(&mut contents.forms);
    let mut targets = known_targets(call, contents, &drafts, report).await?;
    let format = contents.format.as_str();
    let mut types = None;
    let described = described_types(&call.cx).await;
    for draft in drafts {
        if !draft.origin.id.is_empty() && targets.iter().any(|target| target.origin == draft.origin)
        {
            continue;
        }
        let (draft, schema) = checked(call, draft, report);
        if format == "html" {
            // A web page may contain parts that forms do not support.
            let parsed = parse(&draft.markup).map(|parsed| parsed.warnings);
            for warning in parsed.unwrap_or_default() {
                report.note("markup", "markup", &warning.message);
            }
        }
        for what in unknown_types(&call.cx, &draft.settings, &mut types).await {
            let message = ["This is kept, but no plugin provides it here: ", &what, "."].concat();
            report.note("unknown_type", "settings", &message);
            unknown.insert(what);
        }
        note_action_faults(call, &draft, &described, report);
        targets.push(new_target(call, format, draft, schema).await?);
    }
    Ok(targets)
}

/// The targets for previously imported forms that are in the file or have submissions in it. If the ids of forms are
/// unique only within a site (`has_local_ids`), forms in the file count as new.
async fn known_targets(
    call: &Call,
    contents: &Contents,
    drafts: &[Draft],
    report: &mut Report,
) -> Result<Vec<Target>, Error> {
    let format = contents.format.as_str();
    let is_local = import::has_local_ids(format);
    let (mut origins, mut keys, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
    let form_origins = drafts
        .iter()
        .filter(|_| !is_local)
        .map(|draft| &draft.origin);
    for origin in form_origins.chain(contents.submissions.iter().map(|draft| &draft.form)) {
        let key = key_of(import::format_of_forms(format), origin);
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
                let message = "This form was imported before and was left unchanged.";
                report.note("form_known", "", message);
            }
            targets.push(known_target(call, origin, form)?);
        }
    }
    Ok(targets)
}

/// Reports the actions of a form that will be skipped, and their settings that have no effect.
fn note_action_faults(call: &Call, draft: &Draft, described: &[ActionType], report: &mut Report) {
    for fault in action_faults(&call.cx, &draft.settings, described) {
        let (code, message) = if fault.is_skipped {
            ("incomplete_action", "This will not be sent")
        } else {
            ("unknown_setting", "This is kept, but has no effect")
        };
        let place = fault.name.as_deref().unwrap_or(&fault.place);
        report.note(code, place, &format!("{message}: {}.", fault.what));
    }
}

/// The target for a new form. Creates the form unless the request is a preview.
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
        let mut more = Vec::new();
        if !origin.id.is_empty() {
            more.push((meta::ORIGIN, key_of(format, &origin)));
        }
        if !draft.part.is_empty() {
            more.push((meta::PART, draft.part));
        }
        if !draft.ids.is_empty() {
            more.push((meta::IDS, json!(draft.ids).to_string()));
        }
        form = forms::create(&call.cx, form, &more, &call.principal, unfiltered).await?;
        answer = json::with(answer, json!({"slug": form.slug}));
    }
    Ok(Target {
        origin,
        form,
        answer,
        schema,
    })
}

/// Stores the submissions of each target, and returns the targets with the outcome. If `are_reported`, the reader has
/// already reported the parts of submissions that cannot be imported.
async fn add_submissions(
    call: &Call,
    targets: Vec<Target>,
    mut submissions: Vec<SubmissionDraft>,
    are_reported: bool,
    import_id: i64,
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
        let is_of_form = |submission: &SubmissionDraft| submission.form.means(&origin);
        let (drafts, others): (Vec<_>, Vec<_>) = submissions.into_iter().partition(is_of_form);
        submissions = others;
        report.begin(&form.title);
        let (days, now) = (form.settings().retention_days, call.cx.now());
        note_losses(&drafts, schema.as_ref(), days, now, are_reported, report);
        let outcome = if is_preview || drafts.is_empty() {
            Outcome {
                found: drafts.len(),
                ..Outcome::default()
            }
        } else {
            let by = ImportedBy {
                login: &call.principal.login,
                import_id,
            };
            import_submissions(&call.cx, &form, &drafts, &by, report).await?
        };
        let id = Some(form.id).filter(|id| *id > 0);
        let more = json!({"id": id, "submissions": outcome});
        answers.push(json::with(answer, more));
    }
    report.begin("");
    let mut named = Vec::new();
    for submission in &submissions {
        let id = submission.form.id.as_str();
        if named.len() < MAX_REPORTED_FORMS && !named.contains(&id) {
            let message = "These submissions are left out: their form is not in the file and was not imported \
                before. Import the form first, or name the form that receives them in form_id.";
            report.note("form_unknown", id, message);
            named.push(id);
        }
    }
    Ok(answers)
}
