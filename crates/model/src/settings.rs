//! A form's settings (contract, sections 2 and 10): reads stored settings, and checks the settings that a client
//! wants to store. The table in `setting_table.rs` declares all settings. Unknown keys belong to plugins and are
//! kept.

use serde_json::{Map, Value};

pub use super::action_settings::MAX_ACTIONS;
use super::fault::Fault;
use super::given::read_document;
use super::setting_kinds::{MAX_BYTES, meant_boolean, meant_count};
pub use super::setting_table::{default_settings, form_setting};
pub use super::web_addresses::is_redirect_target;
use crate::dates::parse_moment;
use crate::ordered::Gather;

/// The default of a setting.
pub fn default_setting(key: &str) -> Option<&'static Value> {
    default_settings().get(key)
}

/// The default settings, overridden by the stored ones.
pub fn settings_over_defaults(stored: &Map<String, Value>) -> Map<String, Value> {
    let mut settings = default_settings().clone();
    settings.extend(stored.clone());
    fill_actions(&mut settings);
    settings
}

/// Adds the missing members that every action needs: `action_id`, `action_name` and `action_enabled`. An action from
/// a version without ids gets an id from its position.
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

/// Checks the settings that a client wants to store, and normalises them. Null resets a key to its default.
pub fn check_settings(body: &Value) -> Result<Map<String, Value>, Vec<Fault>> {
    read_document(body, |given| {
        let settings = given.object().into_iter().flatten();
        let read = settings.filter_map(|(key, value)| {
            let checked = match (form_setting(key), given.member(key)) {
                (Some(setting), Some(member)) => setting.kind.read(&member)?,
                _ => value.clone(),
            };
            Some((key.clone(), checked))
        });
        read.gather()
    })
}

/// The time at which a form's actions run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunActions {
    /// In the queue, after the visitor has the response.
    #[default]
    Queue,
    /// While the visitor waits.
    Inline,
}

/// One configured action.
#[derive(Clone, Debug, PartialEq)]
pub struct Action {
    /// The type, such as `email`.
    pub kind: String,
    /// The id of the action within its form, independent of its position.
    pub id: String,
    /// Whether the action runs.
    pub enabled: bool,
    /// The whole stored entry, `type` included.
    pub settings: Map<String, Value>,
}

/// A form's settings, typed. A stored value of a wrong type is read as the default, because plugins can store values
/// without the API's checks.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Whether submissions are kept.
    pub save_submissions: bool,
    /// Whether the ending replaces the form.
    pub hide_after_success: bool,
    /// The address that visitors go to after a submit; empty for none. May contain template variables.
    pub redirect_url: String,
    /// The time at which the form opens, in milliseconds UTC; `None`: at once.
    pub opens_at: Option<i64>,
    /// The time at which the form closes, in milliseconds UTC; `None`: never.
    pub closes_at: Option<i64>,
    /// Names of fields that are also required.
    pub required_fields: Vec<String>,
    /// Names of fields whose answers must also be email addresses.
    pub email_fields: Vec<String>,
    /// The number of submissions after which the form closes; 0 for none.
    pub submission_limit: u64,
    /// Whether only people who are signed in may submit.
    pub require_user_logged_in: bool,
    /// The maximum number of submissions per hour from one IP address; 0 for no limit.
    pub rate_limit: u64,
    /// Whether a repeated submission is rejected.
    pub prevent_duplicates: bool,
    /// The time at which actions run.
    pub run_actions: RunActions,
    /// The number of days after which submissions are deleted; 0 for never.
    pub retention_days: u64,
    /// Whether the visitor's IP address is stored with a submission.
    pub store_ip: bool,
    /// Whether the IP address is stored without its last part, so that it identifies nobody.
    pub shorten_ip: bool,
    /// Whether the name of the visitor's browser is stored with a submission.
    pub store_user_agent: bool,
    /// The number of days for which the links to files in a mail work; 0 for no links.
    pub file_link_days: u64,
    /// The maximum total size of the form's files, in bytes; 0 for no limit.
    pub upload_quota: u64,
    /// The actions, in order. Entries without a type are ignored.
    pub actions: Vec<Action>,
}

impl Settings {
    /// Reads stored settings.
    pub fn read(stored: &Map<String, Value>) -> Settings {
        let boolean = |key: &str| {
            let value = stored.get(key).and_then(meant_boolean);
            value
                .or_else(|| default_setting(key)?.as_bool())
                .unwrap_or_default()
        };
        let count = |key: &str| {
            let value = stored.get(key);
            let value = value.and_then(|value| value.as_u64().or_else(|| meant_count(value)));
            let value = value.or_else(|| default_setting(key)?.as_u64());
            value.unwrap_or_default().min(MAX_BYTES)
        };
        let text = |key: &str| stored.get(key).and_then(Value::as_str).unwrap_or_default();
        Settings {
            save_submissions: boolean("save_submissions"),
            hide_after_success: boolean("hide_after_success"),
            redirect_url: Some(text("redirect_url").trim())
                .filter(|address| is_redirect_target(address))
                .unwrap_or_default()
                .to_owned(),
            opens_at: parse_moment(text("opens_at")),
            closes_at: parse_moment(text("closes_at")),
            required_fields: names(text("required_fields")),
            email_fields: names(text("email_fields")),
            submission_limit: count("submission_limit"),
            require_user_logged_in: boolean("require_user_logged_in"),
            rate_limit: count("rate_limit"),
            prevent_duplicates: boolean("prevent_duplicates"),
            run_actions: match text("run_actions") {
                "inline" => RunActions::Inline,
                _ => RunActions::Queue,
            },
            retention_days: count("retention_days"),
            store_ip: boolean("store_ip"),
            shorten_ip: boolean("shorten_ip"),
            store_user_agent: boolean("store_user_agent"),
            file_link_days: count("file_link_days"),
            upload_quota: count("upload_quota"),
            actions: actions(stored.get("actions")),
        }
    }
}

/// The names in a comma-separated list.
fn names(list: &str) -> Vec<String> {
    let names = list.split(',').map(str::trim);
    let names = names.filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

fn actions(value: Option<&Value>) -> Vec<Action> {
    let entries = value.and_then(Value::as_array).into_iter().flatten();
    let actions = entries.zip(1..).filter_map(|(entry, place)| {
        let settings = entry.as_object()?;
        let id = settings.get("action_id").and_then(Value::as_str);
        Some(Action {
            kind: settings.get("type")?.as_str()?.to_owned(),
            id: id.map_or_else(|| format!("action-{place}"), str::to_owned),
            enabled: settings.get("action_enabled") != Some(&Value::Bool(false)),
            settings: settings.clone(),
        })
    });
    actions.take(MAX_ACTIONS).collect()
}
