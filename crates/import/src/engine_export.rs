//! Reads this project's own export (`GET /forms/export`).

use serde_json::Value;

use super::values::{entries, member, text};
use super::{Draft, Report};

/// The members of a form in this project's own export. Those after `messages` describe the form on the exporting site;
/// the import ignores them.
const EXPORT_MEMBERS: [&str; 15] = [
    "title",
    "slug",
    "markup",
    "status",
    "source",
    "schema",
    "settings",
    "messages",
    "id",
    "url",
    "has_schema",
    "revision",
    "submission_count",
    "created_at",
    "updated_at",
];

/// Converts a form to a draft.
pub fn draft(form: &Value, report: &mut Report) -> Draft {
    report.begin(text(form, "title"));
    let has = |name: &&str| !member(form, name).is_null();
    let names = entries(form).into_iter().map(|(name, _)| name);
    for name in names
        .filter(has)
        .filter(|name| !EXPORT_MEMBERS.contains(name))
    {
        report.remark("unknown_setting", name, "");
    }
    let object = |name: &str| member(form, name).as_object().cloned().unwrap_or_default();
    let string = |name: &str| text(form, name).to_owned();
    let schema = member(form, "schema");
    Draft {
        title: string("title"),
        slug: string("slug"),
        markup: string("markup"),
        status: string("status"),
        schema: schema.is_object().then(|| schema.clone()),
        from_schema: text(form, "source") == "schema",
        settings: object("settings"),
        messages: object("messages"),
        ..Draft::default()
    }
}
