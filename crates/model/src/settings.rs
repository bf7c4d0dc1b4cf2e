//! A form's settings (contract, section 2): their defaults, reading them, checking what a client
//! wants to store. Keys that the service does not know are kept: they belong to plugins.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::check::read_conditions;
use super::fault::{At, Fault, FaultCode, Faults};
use super::spam_settings::read_check;
use crate::dates::{format_moment, parse_moment};
use crate::front_settings::{FrontKind, NO_TARGET, check_front, front_kind};

/// The most actions of one form.
pub const MAX_ACTIONS: usize = 100;

/// The most spam checks of one form.
pub const MAX_SPAM_CHECKS: usize = 20;

/// The longest type of an action or a spam check, in characters.
pub const MAX_ACTION_TYPE_CHARS: usize = 50;

/// The longest id and name of an action, in characters.
const MAX_ACTION_ID_CHARS: usize = 100;
const MAX_ACTION_NAME_CHARS: usize = 200;

/// The longest redirect address and list of names, in characters.
const MAX_TEXT_CHARS: usize = 10_000;

/// The longest moment, in characters.
const MAX_MOMENT_CHARS: usize = 40;

/// The greatest limit that can be set.
const MAX_COUNT: u64 = 1_000_000_000;

/// The greatest number of bytes that can be set.
const MAX_BYTES: u64 = 1 << 50;

/// How many days a mail's links to files work.
const FILE_LINK_DAYS: u64 = 7;

/// How many bytes the files of a form may take together.
const UPLOAD_QUOTA: u64 = 1_000_000_000;

/// What a known setting holds.
#[derive(Clone, Copy)]
enum Kind {
    Boolean,
    Count,
    Bytes,
    Names,
    RedirectUrl,
    Moment,
    RunActions,
    Actions,
    SpamChecks,
    Front(FrontKind),
}

/// The kind of a known setting.
fn kind_of(key: &str) -> Option<Kind> {
    Some(match key {
        "save_submissions"
        | "hide_after_success"
        | "require_user_logged_in"
        | "prevent_duplicates"
        | "store_ip"
        | "shorten_ip"
        | "success_summary"
        | "review" => Kind::Boolean,
        "submission_limit" | "rate_limit" | "retention_days" | "file_link_days" => Kind::Count,
        "upload_quota" => Kind::Bytes,
        "required_fields" | "email_fields" => Kind::Names,
        "redirect_url" => Kind::RedirectUrl,
        "opens_at" | "closes_at" => Kind::Moment,
        "run_actions" => Kind::RunActions,
        "actions" => Kind::Actions,
        "spam_checks" => Kind::SpamChecks,
        _ => Kind::Front(front_kind(key)?),
    })
}

/// The settings of a form that has set nothing.
pub fn default_settings() -> Map<String, Value> {
    let defaults = json!({
        "save_submissions": true,
        "hide_after_success": true,
        "redirect_url": "",
        "required_fields": "",
        "email_fields": "",
        "opens_at": "",
        "closes_at": "",
        "submission_limit": 0,
        "require_user_logged_in": false,
        "rate_limit": 0,
        "prevent_duplicates": false,
        "run_actions": "queue",
        "retention_days": 0,
        "store_ip": true,
        "shorten_ip": false,
        "file_link_days": FILE_LINK_DAYS,
        "upload_quota": UPLOAD_QUOTA,
        "actions": [],
    });
    match defaults {
        Value::Object(defaults) => defaults,
        _ => Map::new(),
    }
}

/// The default of a setting.
pub fn default_setting(key: &str) -> Option<&'static Value> {
    static DEFAULTS: LazyLock<Map<String, Value>> = LazyLock::new(default_settings);
    DEFAULTS.get(key)
}

/// The stored settings over the defaults.
pub fn settings_over_defaults(stored: &Map<String, Value>) -> Map<String, Value> {
    let mut settings = default_settings();
    for (key, value) in stored {
        settings.insert(key.clone(), value.clone());
    }
    fill_actions(&mut settings);
    settings
}

/// Gives the actions of settings the members that each has: an id, a name and a switch. One that was stored
/// before there were ids is called by its place.
pub fn fill_actions(settings: &mut Map<String, Value>) {
    let actions = settings.get_mut("actions").and_then(Value::as_array_mut);
    for (place, action) in actions.into_iter().flatten().enumerate() {
        if let Value::Object(action) = action {
            let id = format!("action-{}", place + 1);
            action.entry("action_id").or_insert_with(|| id.into());
            action.entry("action_name").or_insert_with(|| "".into());
            action.entry("action_enabled").or_insert(Value::Bool(true));
        }
    }
}

/// Checks the settings that a client wants to store. Booleans and counts may come as `"1"`,
/// `"true"`, `0` and the like, as forms of the platform send them; they are stored as what they
/// mean. Null stays: it takes a key back to its default.
pub fn check_settings(body: &Value) -> Result<Map<String, Value>, Vec<Fault>> {
    let mut faults = Faults::default();
    let mut settings = Map::new();
    if let Some(entries) = faults.object(body, &At::Root) {
        for (key, value) in entries {
            let at = At::Root.member(key);
            let checked = match kind_of(key) {
                Some(kind) if !value.is_null() => check_setting(kind, value, &at, &mut faults),
                _ => Some(value.clone()),
            };
            if let Some(value) = checked {
                settings.insert(key.clone(), value);
            }
        }
    }
    faults.unless_any(settings)
}

fn check_setting(kind: Kind, value: &Value, at: &At<'_>, faults: &mut Faults) -> Option<Value> {
    match kind {
        Kind::Boolean => match meant_boolean(value) {
            Some(boolean) => Some(Value::from(boolean)),
            None => faults.boolean(value, at).map(Value::from),
        },
        Kind::Count => check_count(value, at, MAX_COUNT, faults),
        Kind::Bytes => check_count(value, at, MAX_BYTES, faults),
        Kind::Names => faults.text(value, at, MAX_TEXT_CHARS).map(Value::from),
        Kind::RedirectUrl => {
            let address = faults.text(value, at, MAX_TEXT_CHARS)?;
            let address = address.trim();
            if !is_redirect_target(address) {
                faults.add(at, FaultCode::InvalidPattern, NO_TARGET);
            }
            Some(Value::from(address))
        }
        Kind::Moment => {
            let text = faults.text(value, at, MAX_MOMENT_CHARS)?;
            let text = text.trim();
            let moment = parse_moment(text);
            if moment.is_none() && !text.is_empty() {
                let message = "This must be a moment such as 2026-01-02T03:04:05Z, or empty.";
                faults.add(at, FaultCode::InvalidPattern, message);
            }
            Some(Value::from(moment.map(format_moment).unwrap_or_default()))
        }
        Kind::RunActions => {
            let known = matches!(value.as_str(), Some("queue" | "inline"));
            if !known {
                faults.add(
                    at,
                    FaultCode::NotInEnum,
                    "This must be `queue` or `inline`.",
                );
            }
            known.then(|| value.clone())
        }
        Kind::Actions => {
            let actions = faults.list(value, at, MAX_ACTIONS)?.iter().enumerate();
            let read = actions.map(|(index, action)| read_action(action, &at.item(index), faults));
            Some(read.collect())
        }
        Kind::Front(kind) => check_front(kind, value, at, faults),
        Kind::SpamChecks => {
            let checks = faults.list(value, at, MAX_SPAM_CHECKS)?.iter().enumerate();
            let read = checks.map(|(index, check)| {
                let at = at.item(index);
                let settings = check_type(check, &at, faults);
                settings.map_or(Value::Null, |settings| read_check(settings, &at, faults))
            });
            Some(read.collect())
        }
    }
}

fn check_count(value: &Value, at: &At<'_>, most: u64, faults: &mut Faults) -> Option<Value> {
    let meant = meant_count(value).map(Value::from);
    let count = faults.count(meant.as_ref().unwrap_or(value), at, most);
    count.map(Value::from)
}

/// An action as it is stored: as it came, but for its conditions, which are stored as the list
/// that they mean.
fn read_action(action: &Value, at: &At<'_>, faults: &mut Faults) -> Value {
    let Some(settings) = check_type(action, at, faults) else {
        return Value::Null;
    };
    let mut settings = settings.clone();
    for (key, most) in [
        ("action_id", MAX_ACTION_ID_CHARS),
        ("action_name", MAX_ACTION_NAME_CHARS),
    ] {
        match settings.get(key) {
            None => {}
            Some(Value::Null) => drop(settings.remove(key)),
            Some(text) => drop(faults.line(text, &at.member(key), most)),
        }
    }
    if let Some(enabled) = settings.get_mut("action_enabled") {
        match meant_boolean(enabled) {
            Some(boolean) => *enabled = Value::Bool(boolean),
            None => drop(faults.boolean(enabled, &at.member("action_enabled"))),
        }
    }
    if let Some(conditions) = settings.get_mut("conditions") {
        let read = read_conditions(conditions, &at.member("conditions"), faults);
        *conditions = json!(read);
    }
    Value::Object(settings)
}

/// An entry of a list whose entries say by `type` what they are; `None` where it is none.
fn check_type<'v>(
    entry: &'v Value,
    at: &At<'_>,
    faults: &mut Faults,
) -> Option<&'v Map<String, Value>> {
    let settings = faults.object(entry, at)?;
    let type_at = at.member("type");
    match settings.get("type") {
        None => faults.add(&type_at, FaultCode::PropertyRequired, "This needs a type."),
        Some(kind) => {
            let kind = faults.line(kind, &type_at, MAX_ACTION_TYPE_CHARS);
            if kind.is_some_and(|kind| kind.is_empty()) {
                faults.add(&type_at, FaultCode::TooShort, "This needs a type.");
            }
        }
    }
    Some(settings)
}

pub(super) fn meant_boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(boolean) => Some(*boolean),
        Value::Number(number) => match number.as_u64() {
            Some(0) => Some(false),
            Some(1) => Some(true),
            _ => None,
        },
        Value::String(text) => match text.as_str() {
            "1" | "true" => Some(true),
            "0" | "false" | "" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

fn meant_count(value: &Value) -> Option<u64> {
    match value.as_str()? {
        "" => Some(0),
        digits => digits.parse().ok(),
    }
}

/// Whether visitors may be sent there: a path, or an address that begins with `http:` or
/// `https:`. Control characters would hide a scheme from this check, since browsers drop them.
pub fn is_redirect_target(address: &str) -> bool {
    if address
        .chars()
        .any(|character| character.is_control() || character == ' ')
    {
        return false;
    }
    // Browsers read `//host`, and `\` for `/`, as another site.
    if address.starts_with("//") || address.contains('\\') {
        return false;
    }
    let before_path = address.split(['/', '?', '#']).next().unwrap_or_default();
    match before_path.split_once(':') {
        Some((scheme, rest)) => {
            let is_web =
                scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
            let after_scheme = address.get(scheme.len() + 1..).unwrap_or_default();
            is_web && rest.is_empty() && after_scheme.starts_with("//")
        }
        None => true,
    }
}

/// How a form's actions run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunActions {
    /// By the queue, after the visitor has the answer.
    #[default]
    Queue,
    /// While the visitor waits.
    Inline,
}

/// One configured action.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// The identifier of its type.
    pub kind: String,
    /// Which of the form's actions it is, wherever it stands among them.
    pub id: String,
    /// Whether it runs.
    pub enabled: bool,
    /// The whole entry, `type` included.
    pub settings: Map<String, Value>,
}

/// A form's settings, typed. What is stored with a wrong type (by a plugin that wrote around the
/// API) reads as the default.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Whether submissions are kept.
    pub save_submissions: bool,
    /// Whether the form disappears once it was sent.
    pub hide_after_success: bool,
    /// Where visitors go after a success; empty for nowhere. May hold template variables.
    pub redirect_url: String,
    /// When the form begins to take submissions, in milliseconds UTC; at once without it.
    pub opens_at: Option<i64>,
    /// When it takes none any more; never without it.
    pub closes_at: Option<i64>,
    /// Names of fields that are required besides those the schema requires.
    pub required_fields: Vec<String>,
    /// Names of fields that hold an email address besides those of that type.
    pub email_fields: Vec<String>,
    /// After how many submissions the form closes; 0 for never.
    pub submission_limit: u64,
    /// Whether only people who are signed in may send the form.
    pub require_user_logged_in: bool,
    /// How many submissions one address may send in an hour; 0 for any number.
    pub rate_limit: u64,
    /// Whether a repeated submission is refused.
    pub prevent_duplicates: bool,
    /// How actions run.
    pub run_actions: RunActions,
    /// After how many days submissions are deleted; 0 for never.
    pub retention_days: u64,
    /// Whether the visitor's address is stored with a submission.
    pub store_ip: bool,
    /// Whether it is stored without its last part, so that it names nobody.
    pub shorten_ip: bool,
    /// How many days a mail's links to files work; 0 for no links.
    pub file_link_days: u64,
    /// How many bytes the files of the form may take together; 0 for any number.
    pub upload_quota: u64,
    /// The actions, in order. Entries without a type are left out.
    pub actions: Vec<Action>,
}

impl Settings {
    /// Reads stored settings.
    pub fn read(stored: &Map<String, Value>) -> Settings {
        let boolean =
            |key: &str, default: bool| stored.get(key).and_then(meant_boolean).unwrap_or(default);
        let set = |key: &str| {
            let value = stored.get(key)?;
            value.as_u64().or_else(|| meant_count(value))
        };
        let count = |key: &str| set(key).unwrap_or(0);
        let text = |key: &str| stored.get(key).and_then(Value::as_str).unwrap_or_default();
        Settings {
            save_submissions: boolean("save_submissions", true),
            hide_after_success: boolean("hide_after_success", true),
            redirect_url: Some(text("redirect_url").trim())
                .filter(|address| is_redirect_target(address))
                .unwrap_or_default()
                .to_owned(),
            opens_at: parse_moment(text("opens_at")),
            closes_at: parse_moment(text("closes_at")),
            required_fields: names(text("required_fields")),
            email_fields: names(text("email_fields")),
            submission_limit: count("submission_limit"),
            require_user_logged_in: boolean("require_user_logged_in", false),
            rate_limit: count("rate_limit"),
            prevent_duplicates: boolean("prevent_duplicates", false),
            run_actions: match text("run_actions") {
                "inline" => RunActions::Inline,
                _ => RunActions::Queue,
            },
            retention_days: count("retention_days"),
            store_ip: boolean("store_ip", true),
            shorten_ip: boolean("shorten_ip", false),
            file_link_days: set("file_link_days").unwrap_or(FILE_LINK_DAYS),
            upload_quota: set("upload_quota").unwrap_or(UPLOAD_QUOTA),
            actions: actions(stored.get("actions")),
        }
    }
}

/// The names of a comma list.
fn names(list: &str) -> Vec<String> {
    list.split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn actions(value: Option<&Value>) -> Vec<Action> {
    let entries = value.and_then(Value::as_array).map(Vec::as_slice);
    entries
        .unwrap_or_default()
        .iter()
        .zip(1..)
        .filter_map(|(entry, place)| {
            let settings = entry.as_object()?;
            let kind = settings.get("type")?.as_str()?.to_owned();
            let id = settings.get("action_id").and_then(Value::as_str);
            Some(Action {
                kind,
                id: id.map_or_else(|| format!("action-{place}"), str::to_owned),
                enabled: settings.get("action_enabled") != Some(&Value::Bool(false)),
                settings: settings.clone(),
            })
        })
        .take(MAX_ACTIONS)
        .collect()
}
