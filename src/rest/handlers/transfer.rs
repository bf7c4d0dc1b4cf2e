//! Forms as files: `GET /cf/v1/forms/export`, and the checks of imported forms.

use serde_json::{Map, Value};

use super::author::Author;
use super::{JSON, download};
use crate::action_types::secrets::{LISTS, MASK, SPAM_CHECKS, mask_settings};
use crate::error::{Error, Fault};
use crate::forms::check::{MAX_FIELDS, parse_schema};
use crate::forms::messages::check_messages;
use crate::forms::settings::check_settings;
use crate::forms::slug::{is_slug, slug_of};
use crate::forms::spam_settings::missing_setting;
use crate::forms::{self, Form, FormSchema, check_markup};
use crate::http::Response;
use crate::import::{Draft, Report};
use crate::json;
use crate::markup::Warning;
use crate::ordered;
use crate::rest::Call;
use crate::rest::form_members::MAX_TITLE_CHARS;
use crate::store::forms::{existing, next_id};
use crate::task::Context;

/// Limit on the forms in one piece of the streamed file.
const BATCH_SIZE: usize = 10;

/// Limit on the rounds of checking a schema and removing its invalid parts. Each removal may make other parts invalid.
const MAX_ROUNDS: usize = 6;

/// Exports forms with their schemas, as a streamed file.
pub async fn export(call: Call) -> Result<Response, Error> {
    let mut ids = call.arguments.integers("ids");
    ordered::sort_by(&mut ids, Ord::cmp);
    ids.dedup();
    // Missing forms must be reported before the file begins.
    let known = existing(&call.cx, &ids).await?;
    let missing: Vec<i64> = ids
        .iter()
        .filter(|id| !known.contains(id))
        .copied()
        .collect();
    if !missing.is_empty() {
        return Err(Error::NoSuchForms(missing));
    }
    let mut export = Export {
        wanted: (!ids.is_empty()).then(|| ids.into_iter()),
        after: 0,
        separator: "{\"format\":\"cf-forms\",\"version\":1,\"forms\":[",
    };
    let next = async move |cx: &Context| export.next(cx).await;
    download(call.cx, JSON, "cf-forms.json", next).await
}

struct Export {
    /// The remaining requested ids; `None` for all forms.
    wanted: Option<std::vec::IntoIter<i64>>,
    after: i64,
    /// The text before the next form.
    separator: &'static str,
}

impl Export {
    /// Returns the next forms; after the last form, the document's end.
    async fn next(&mut self, cx: &Context) -> Result<(Vec<u8>, bool), Error> {
        let mut out = String::new();
        for _ in 0..BATCH_SIZE {
            let Some(id) = self.next_id(cx).await? else {
                out += self.separator.trim_matches([',', '\n']);
                out += "]}";
                return Ok((out.into_bytes(), true));
            };
            if let Some(form) = forms::load(cx, id).await? {
                out += std::mem::replace(&mut self.separator, ",\n");
                out += &exported(&form)?.to_string();
            }
        }
        Ok((out.into_bytes(), false))
    }

    async fn next_id(&mut self, cx: &Context) -> Result<Option<i64>, Error> {
        if let Some(wanted) = &mut self.wanted {
            return Ok(wanted.next());
        }
        let id = next_id(cx, self.after).await?;
        self.after = id.unwrap_or(self.after);
        Ok(id)
    }
}

/// A form as part of an export.
pub(super) fn exported(form: &Form) -> Result<Value, Error> {
    let mut settings = form.settings.clone();
    mask_settings(&mut settings);
    // State the effective value, since an import treats a missing member as false.
    let hides = form.settings().hide_after_success;
    settings.insert("hide_after_success".to_owned(), json!(hides));
    Ok(json!({
        "title": form.title,
        "slug": form.slug,
        "markup": form.markup,
        "status": form.status,
        "source": form.source,
        "schema": json::value(&form.schema()?),
        "settings": settings,
        "messages": form.messages,
    }))
}

/// Checks an imported form and returns its valid parts. Imported files are untrusted input.
pub(super) fn checked(
    call: &Call,
    mut draft: Draft,
    report: &mut Report,
) -> (Draft, Option<FormSchema>) {
    let title = draft.title.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = title.chars().filter(|c| !c.is_control());
    draft.title = title.take(MAX_TITLE_CHARS).collect();
    if draft.title.is_empty() {
        "Imported form".clone_into(&mut draft.title);
    }
    report.begin(&draft.title);
    if !is_slug(&draft.slug) {
        draft.slug = slug_of(&draft.title);
    }
    // Anybody may have written the file, so scripts are kept only on request.
    let author = Author::of(call).and(call.arguments.flag("keep_scripts"));
    if let Ok((cleaned, warnings)) = author.markup(&draft.markup) {
        note_removed(&warnings, "markup", report);
        draft.markup = cleaned;
    } else {
        let message = "The markup is ambiguous: a script may hide in it.";
        report.note("removed", "markup", message);
        draft.markup = String::new();
    }
    if let Err(faults) = check_markup(&json!(draft.markup)) {
        note_faults(&faults, "markup", report);
        draft.markup = String::new();
    }
    // Imported forms stay visible after a success by default.
    let hide = draft.settings.entry("hide_after_success");
    hide.or_insert(json!(false));
    note_removed(
        &author.settings(None, &mut draft.settings),
        "settings",
        report,
    );
    note_removed(
        &author.messages(None, &mut draft.messages),
        "messages",
        report,
    );
    drop_secrets(&mut draft.settings, report);
    draft.settings = each(&draft.settings, check_settings, "settings", report);
    draft.messages = each(&draft.messages, check_messages, "messages", report);
    let schema = draft.schema.take();
    let schema = schema.and_then(|schema| checked_schema(schema, report));
    let schema = schema.map(|schema| match author.schema(None, schema.clone()) {
        Ok((cleaned, warnings)) => {
            note_removed(&warnings, "schema", report);
            cleaned
        }
        Err(_) => schema,
    });
    draft.from_schema = draft.from_schema && schema.is_some();
    (draft, schema)
}

/// A function that checks members and converts them to their stored form.
type Members = fn(&Value) -> Result<Map<String, Value>, Vec<Fault>>;

/// Returns the members that pass a check, and reports the others.
fn each(
    members: &Map<String, Value>,
    check: Members,
    place: &str,
    report: &mut Report,
) -> Map<String, Value> {
    let mut passed = Map::new();
    for (name, value) in members {
        let mut value = value.clone();
        if let Value::Array(items) = &mut value {
            // Check items separately, so that one invalid action does not remove the others.
            items.retain(|item| match check(&json!({name: [item]})) {
                Ok(_) => true,
                Err(faults) => {
                    note_faults(&faults, place, report);
                    false
                }
            });
        }
        match check(&json!({name: value})) {
            Ok(checked) => passed.extend(checked),
            Err(faults) => note_faults(&faults, place, report),
        }
    }
    passed
}

fn note_removed(warnings: &[Warning], place: &str, report: &mut Report) {
    for warning in warnings {
        report.note("removed", place, &warning.message);
    }
}

/// Removes the masks that replace secrets in an export, and switches off spam checks that lack a setting.
fn drop_secrets(settings: &mut Map<String, Value>, report: &mut Report) {
    for list in LISTS {
        let entries = settings.get_mut(list).and_then(Value::as_array_mut);
        for (index, entry) in entries.into_iter().flatten().enumerate() {
            let Some(members) = entry.as_object_mut() else {
                continue;
            };
            members.retain(|name, value| {
                let is_mask = value.as_str().is_some_and(|text| text.contains(MASK));
                if is_mask {
                    let place = [list, "[", &index.to_string(), "].", name].concat();
                    let message = "The file doesn’t include this secret. Enter it again.";
                    report.note("secret", &place, message);
                }
                !is_mask
            });
            if list == SPAM_CHECKS && missing_setting(members).is_some() {
                // Without the setting, the check would silently find no spam.
                members.insert("enabled".to_owned(), json!(false));
                let place = [list, "[", &index.to_string(), "]"].concat();
                let message = "This check is off because a setting is missing. Fill it in, then turn the check on.";
                report.note("check_off", &place, message);
            }
        }
    }
}

/// Returns the schema without its invalid parts. `None`, with a note in the report, if nothing valid is left.
fn checked_schema(mut schema: Value, report: &mut Report) -> Option<FormSchema> {
    let fields = schema.get_mut("fields").and_then(Value::as_array_mut);
    if let Some(fields) = fields {
        report.keep_first(fields, MAX_FIELDS, "too_many_fields");
    }
    let passed = passed_schema(schema, report);
    if passed.is_none() {
        report.note("left_out", "schema", "The schema is left out.");
    }
    passed
}

/// Removes the invalid parts of a schema: an attribute if possible, else the whole field, and else the layout.
fn passed_schema(mut schema: Value, report: &mut Report) -> Option<FormSchema> {
    for _ in 0..MAX_ROUNDS {
        let faults = match parse_schema(&schema) {
            Ok(schema) => return Some(schema),
            Err(faults) => faults,
        };
        note_faults(&faults, "schema", report);
        let members = schema.as_object_mut()?;
        let faulty = faults.iter().filter_map(|fault| place_of(&fault.path));
        let mut faulty: Vec<(usize, Option<&str>)> = faulty.collect();
        if faulty.is_empty() {
            // No fault is in a field, so the layout is invalid, for example because it names a removed field.
            members.remove("layout")?;
            continue;
        }
        let fields = members.get_mut("fields")?.as_array_mut()?;
        // Begin with the last field, so that the other indexes stay valid.
        ordered::sort_by(&mut faulty, |(one, _), (other, _)| other.cmp(one));
        for faults in faulty.chunk_by(|(one, _), (other, _)| one == other) {
            let index = faults.first().map_or(0, |(index, _)| *index);
            let Some(field) = fields.get_mut(index) else {
                continue;
            };
            let mut names = faults.iter().map(|(_, name)| name);
            if !names.all(|name| name.is_some_and(|name| drop_attribute(field, name))) {
                let name = field.get("name").and_then(Value::as_str);
                let message = ["The field `", name.unwrap_or_default(), "` is left out."].concat();
                let place = ["schema.fields[", &index.to_string(), "]"].concat();
                report.note("left_out", &place, &message);
                fields.remove(index);
            }
        }
    }
    None
}

/// The index of the field in a fault's path, and the attribute if the path names one.
fn place_of(path: &str) -> Option<(usize, Option<&str>)> {
    let (index, rest) = path.strip_prefix("fields[")?.split_once(']')?;
    Some((index.parse().ok()?, rest.strip_prefix(".attributes.")))
}

/// Removes an attribute from a field, by its name in any case. Returns whether the attribute existed. Unknown members
/// of a field count as attributes.
fn drop_attribute(field: &mut Value, name: &str) -> bool {
    let Some(members) = field.as_object_mut() else {
        return false;
    };
    let drop = |from: &mut Map<String, Value>| {
        let before = from.len();
        from.retain(|key, _| !key.eq_ignore_ascii_case(name));
        from.len() < before
    };
    let attributes = members.get_mut("attributes").and_then(Value::as_object_mut);
    attributes.is_some_and(drop) || drop(members)
}

fn note_faults(faults: &[Fault], place: &str, report: &mut Report) {
    for fault in faults {
        let at = format!("{place}.{}", fault.path);
        let at = at.trim_end_matches('.');
        report.note("left_out", at, &fault.message);
    }
}
