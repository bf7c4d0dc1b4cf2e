//! Warnings in the responses to changes of a form, such as settings without effect, unknown types and removed markup.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::action_types::{self, ActionType};
use crate::error::Fault;
use crate::forms::check::unchecked;
use crate::forms::settings::{Action, Settings};
use crate::forms::spam_settings::missing_setting;
use crate::forms::{self, FormSchema};
use crate::http::Response;
use crate::rest::Call;
use crate::spam;
use crate::task::Context;

/// Limit on the warnings of each kind in a response, such as unknown types or validations that are not enforced.
pub(super) const MAX_NAMED_TYPES: usize = 10;

/// Limit on a setting's name in a warning, in characters, since the warning is part of a header.
const MAX_NAMED_CHARS: usize = 100;

/// Adds `X-CF-Warning` with the validations of a schema that are not enforced.
pub(super) fn with_unchecked<'s>(
    response: Response,
    schema: impl IntoIterator<Item = &'s FormSchema>,
) -> Response {
    let warnings = schema.into_iter().flat_map(unchecked);
    let warnings: Vec<String> = warnings.take(MAX_NAMED_TYPES).collect();
    if warnings.is_empty() {
        return response;
    }
    response.with_header("x-cf-warning", warnings.join(", "))
}

/// Reports spam checks whose secret is a mask but not stored, since such a check would never find spam.
pub(super) fn masks_without_secret(settings: &Map<String, Value>) -> Vec<Fault> {
    let checks = settings.get("spam_checks").and_then(Value::as_array);
    let checks = checks.into_iter().flatten().enumerate();
    let faults = checks.filter_map(|(index, check)| {
        let key = missing_setting(check.as_object()?)?;
        let path = format!("settings.spam_checks[{index}].{key}");
        let message = "The mask stands for a secret that is not stored. Send the secret.";
        Some(Fault::new(path, "rest_property_required", message))
    });
    faults.collect()
}

/// Adds warnings about a stored form: the number of removed parts, controls that no submission can contain, unknown
/// settings, unknown types of actions and spam checks, missing and unused settings of actions, and faint colours.
pub(super) async fn with_warnings(
    call: &Call,
    response: Response,
    (removed, markup): (usize, Option<&str>),
    settings: Option<&Map<String, Value>>,
) -> Response {
    let mut response = response;
    let mut warnings = markup.map(forms::unstored_controls).unwrap_or_default();
    let count = removed + warnings.len();
    if count > 0 {
        response = response.with_header("x-cf-warnings", count.to_string());
    }
    warnings.truncate(MAX_NAMED_TYPES);
    if let Some(settings) = settings {
        let unknown = forms::unknown_settings(&call.cx, settings).await;
        let unknown = unknown.iter().take(MAX_NAMED_TYPES);
        warnings.extend(unknown.map(|key| {
            let start: String = key.chars().take(MAX_NAMED_CHARS).collect();
            format!("unknown setting \"{}\"", start.escape_default())
        }));
        warnings.extend(unknown_types(&call.cx, settings, &mut None).await);
        let described = action_types::described_types(&call.cx).await;
        let faults = action_faults(&call.cx, settings, &described).into_iter();
        warnings.extend(faults.map(|fault| fault.what));
        if settings.get("save_mail") == Some(&Value::Bool(true))
            && call.cx.shared().public_url().is_empty()
        {
            warnings.push("save_mail without effect, since the site has no public URL".to_owned());
        }
        let colours = settings.get("theme_values");
        warnings.extend(model::front_settings::faint_pairs(colours));
    }
    if !warnings.is_empty() {
        response = response.with_header("x-cf-warning", warnings.join(", "));
    }
    response
}

/// A fault of an action.
pub(super) struct ActionFault {
    /// Whether the action will be skipped; otherwise it has a setting without effect.
    pub(super) is_skipped: bool,
    /// The path of the action in the settings.
    pub(super) place: String,
    /// The action's name, if it has one.
    pub(super) name: Option<String>,
    pub(super) what: String,
}

/// Lists the faults of actions: first actions that will be skipped because a required setting is empty, then settings
/// without effect.
pub(super) fn action_faults(
    cx: &Context,
    settings: &Map<String, Value>,
    described: &[ActionType],
) -> Vec<ActionFault> {
    let (mut skipped, mut unread) = (Vec::new(), Vec::new());
    let actions = settings.get("actions").and_then(Value::as_array);
    for (index, action) in actions.into_iter().flatten().enumerate() {
        let Some(action) = action.as_object() else {
            continue;
        };
        let place = format!("actions[{index}]");
        let name = action.get("action_name").and_then(Value::as_str);
        let fault = |is_skipped, what: &str| ActionFault {
            is_skipped,
            what: format!("{what} at {place}"),
            place: place.clone(),
            name: name.map(str::to_owned),
        };
        let kind = action.get("type").and_then(Value::as_str);
        let of_plugin = |kind| described.iter().find(|found| found.kind == kind);
        let kind = kind.and_then(|kind| action_types::built_in(kind).or_else(|| of_plugin(kind)));
        let Some(kind) = kind else { continue };
        if let Some(first) = kind.missing_settings(action).first() {
            let key = first.key.escape_default();
            let what = format!("{} action without \"{key}\"", kind.kind.escape_default());
            skipped.push(fault(true, &what));
        }
        let faults = action_types::setting_faults(cx, kind, action);
        unread.extend(faults.iter().map(|what| fault(false, what)));
    }
    skipped.truncate(MAX_NAMED_TYPES);
    unread.truncate(MAX_NAMED_TYPES);
    skipped.extend(unread);
    skipped
}

/// Lists the unknown types of actions and spam checks in settings. `known` caches the action types, for which plugins
/// are called.
pub(super) async fn unknown_types(
    cx: &Context,
    settings: &Map<String, Value>,
    known: &mut Option<Vec<(String, String)>>,
) -> Vec<String> {
    let mut unknown: BTreeSet<String> = BTreeSet::new();
    // The names become part of a header, so they are escaped and few.
    let actions = Settings::read(settings).actions;
    if !actions.is_empty() {
        let known = match known {
            Some(known) => known,
            None => known.insert(action_types::all_types(cx).await),
        };
        for Action { kind, .. } in actions {
            if !known.iter().any(|(known_kind, _)| *known_kind == kind) {
                unknown.insert(format!("unknown action type \"{}\"", kind.escape_default()));
            }
        }
    }
    let checks = settings.get("spam_checks").and_then(Value::as_array);
    let kinds = checks.into_iter().flatten();
    for kind in kinds.filter_map(|check| check.get("type")?.as_str()) {
        if !spam::is_known(kind) {
            unknown.insert(format!("unknown spam check \"{}\"", kind.escape_default()));
        }
    }
    unknown.into_iter().take(MAX_NAMED_TYPES).collect()
}
