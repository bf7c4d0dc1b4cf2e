//! The parameter kinds of a form's members, by which requests are checked.

use serde_json::{Map, Value};

use super::convert::convert;
use super::parameters::{Kind, Parameter};
use crate::error::Error;
use crate::forms::check::parse_schema;
use crate::forms::messages::check_messages;
use crate::forms::settings::check_settings;
use crate::forms::{Among, Status, check_markup};

/// Limit on a form's title, in characters.
pub(super) const MAX_TITLE_CHARS: usize = 200;

pub(super) const TITLE: Kind = Kind::Line(MAX_TITLE_CHARS);
pub(super) const FORM_STATUS: Kind = Kind::Enum(&Status::NAMES);
pub(super) const ANY_FORM_STATUS: Kind =
    Kind::Enum(&["published", "draft", "closed", Among::TRASH]);
pub(super) const SCHEMA: Kind = Kind::Component("FormSchemaMembers", |value| {
    Ok(crate::json::value(&parse_schema(value)?))
});
pub(super) const MARKUP: Kind = Kind::Component("Markup", check_markup);
pub(super) const SETTINGS: Kind = Kind::Component("FormSettingsMembers", |value| {
    check_settings(value).map(Value::Object)
});
pub(super) const MESSAGES: Kind = Kind::Component("FormMessagesMembers", |value| {
    check_messages(value).map(Value::Object)
});
pub(super) const SOURCE: Kind = Kind::Enum(&["markup", "schema"]);

/// Checks those members of a form that are present, like the routes do; `Err` with all faults.
pub(super) fn check_form(members: &Map<String, Value>) -> Result<Map<String, Value>, Error> {
    let (mut checked, mut faults) = (Map::new(), Vec::new());
    for (name, kind) in [
        ("title", TITLE),
        ("markup", MARKUP),
        ("schema", SCHEMA),
        ("settings", SETTINGS),
        ("messages", MESSAGES),
        ("source", SOURCE),
    ] {
        let raw = members.get(name).filter(|value| !value.is_null());
        let raw = raw.map(|raw| convert(&Parameter::body(name, kind, ""), raw.clone()));
        match raw {
            Some(Ok(value)) => drop(checked.insert(name.to_owned(), value)),
            Some(Err(found)) => faults.extend(found),
            None => {}
        }
    }
    match faults.as_slice() {
        [] => Ok(checked),
        _ => Err(Error::InvalidParameters(faults)),
    }
}
