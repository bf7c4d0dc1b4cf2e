//! The settings of forms, each declared once. The check of clients' values, the defaults and the OpenAPI schema use
//! this table. So do the typed client, the admin's settings screen and the table of `docs/settings.md`. To add a
//! setting, add a row here, and a label to the admin's locales.

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::action_settings;
use crate::front_settings::{self, THEMES};
use crate::ordered::Gather;
use crate::setting_kinds::{Kind, MAX_BYTES, MAX_COUNT, MAX_TEXT_CHARS};
use crate::spam_settings::read_checks;
use crate::web_addresses::{NO_TARGET, is_redirect_target};
use crate::{FORMER_NAMES, HAS_REFERENCE, NAMES_TAKEN};

/// A setting of forms.
pub struct FormSetting {
    /// Name in the `settings` object.
    pub key: &'static str,
    /// Kind of its values.
    pub(crate) kind: Kind,
    /// JSON Schema of the value; empty if the kind's JSON Schema is exact enough.
    schema: &'static str,
    /// Default as JSON; empty for bookkeeping settings, which responses leave out until they are set.
    default: &'static str,
    /// Group of the admin's settings screen.
    pub group: &'static str,
    /// Whether visitors' pages depend on the value.
    pub shapes_pages: bool,
    /// First version of the engine with the setting.
    pub since: &'static str,
    /// Meaning of the value, for developers.
    pub description: &'static str,
}

/// A row of the table.
const fn setting(
    key: &'static str,
    group: &'static str,
    kind: Kind,
    default: &'static str,
    description: &'static str,
) -> FormSetting {
    FormSetting {
        key,
        kind,
        schema: "",
        default,
        group,
        shapes_pages: false,
        since: "0.1.0",
        description: if HAS_REFERENCE { description } else { "" },
    }
}

impl FormSetting {
    const fn of_schema(mut self, schema: &'static str) -> FormSetting {
        if HAS_REFERENCE {
            self.schema = schema;
        }
        self
    }

    const fn on_pages(mut self) -> FormSetting {
        self.shapes_pages = true;
        self
    }

    /// The value of the setting in forms that do not set it; `None` for bookkeeping settings.
    pub fn default(&self) -> Option<Value> {
        serde_json::from_str(self.default).ok()
    }

    /// The setting as a JSON Schema for OpenAPI. `position` is the setting's position in the table.
    fn json_schema(&self, position: usize) -> Value {
        let mut schema: Map<String, Value> = match serde_json::from_str(self.schema) {
            Ok(schema) => schema,
            Err(_) => self.kind.json_schema(),
        };
        let facts = [
            ("description", Value::from(self.description)),
            ("x-cf-kind", Value::from(self.kind.name())),
            ("x-cf-group", Value::from(self.group)),
            ("x-cf-shapes-pages", Value::from(self.shapes_pages)),
            ("x-cf-since", Value::from(self.since)),
            ("x-cf-position", Value::from(position)),
        ];
        schema.extend(facts.map(|(key, value)| (key.to_owned(), value)));
        schema.extend(self.default().map(|value| ("default".to_owned(), value)));
        Value::Object(schema)
    }
}

/// Every setting of forms, in the order of the admin's settings screen.
#[rustfmt::skip]
pub static SETTINGS: [FormSetting; 39] = [
    setting(
        "opens_at",
        "time",
        Kind::Moment,
        r#""""#,
        "Time at which the form opens, in ISO 8601; empty for immediately.",
    )
    .on_pages(),
    setting(
        "closes_at",
        "time",
        Kind::Moment,
        r#""""#,
        "Time at which the form closes, in ISO 8601; empty for never.",
    )
    .on_pages(),
    setting(
        "submission_limit",
        "time",
        Kind::Count(MAX_COUNT),
        "0",
        "Number of submissions after which the form closes; 0 for no limit.",
    )
    .on_pages(),
    setting(
        "hide_after_success",
        "after",
        Kind::Boolean,
        "true",
        "Whether the ending replaces the form after a submit.",
    )
    .on_pages(),
    setting(
        "success_title",
        "after",
        Kind::Text(MAX_TEXT_CHARS),
        r#""""#,
        "Title of the ending. May contain template variables.",
    ),
    setting(
        "success_button",
        "after",
        Kind::Other(front_settings::read_button),
        "{}",
        "Button of the ending; an empty object for none.",
    )
    .of_schema(r##"{"$ref": "#/components/schemas/EndingButton"}"##),
    setting(
        "success_summary",
        "after",
        Kind::Boolean,
        "false",
        "Whether the ending lists the answers.",
    ),
    setting(
        "redirect_url",
        "after",
        Kind::Fitting(is_redirect_target, NO_TARGET),
        r#""""#,
        "Path or http(s) URL to which visitors are redirected after a submit; empty for none. May contain template variables.",
    ),
    setting(
        "endings",
        "after",
        Kind::Other(front_settings::read_endings),
        "[]",
        "Endings with conditions. Visitors see the first whose conditions hold, or else the general ending.",
    )
    .of_schema(r##"{"type": "array", "maxItems": 20, "items": {"$ref": "#/components/schemas/Ending"}}"##),
    setting(
        "require_user_logged_in",
        "who",
        Kind::Boolean,
        "false",
        "Whether visitors must be signed in to submit.",
    )
    .on_pages(),
    setting(
        "prevent_duplicates",
        "who",
        Kind::Boolean,
        "false",
        "Whether a repeated submission is rejected.",
    ),
    setting(
        "rate_limit",
        "who",
        Kind::Count(MAX_COUNT),
        "0",
        "Limit on submissions per hour from one IP address; 0 for no limit.",
    ),
    setting(
        "allowed_origins",
        "who",
        Kind::Other(front_settings::read_origins),
        "[]",
        "Origins whose pages may embed and submit the form. If empty, any page may embed it as an element, but not in a frame.",
    )
    .of_schema(r#"{"type": "array", "maxItems": 20, "items": {"type": "string"}}"#)
    .on_pages(),
    setting(
        "required_fields",
        "fields",
        Kind::Text(MAX_TEXT_CHARS),
        r#""""#,
        "Names of fields that are also required, separated by commas.",
    )
    .on_pages(),
    setting(
        "email_fields",
        "fields",
        Kind::Text(MAX_TEXT_CHARS),
        r#""""#,
        "Names of fields that must also contain an email address, separated by commas.",
    ),
    setting(
        "prefill",
        "fields",
        Kind::Choice(&["visible", "off"]),
        r#""visible""#,
        "The fields that parameters in the page's URL can fill in: `visible` fields, or none (`off`).",
    )
    .on_pages(),
    setting("time_zone", "fields", Kind::Line(64), r#""""#, "Time zone of `today()` in calculations and of times in mails, such as `Europe/Berlin`; empty for UTC.").on_pages(),
    setting("save", "fields", Kind::Choice(&["off", "button", "auto"]), r#""off""#,
        "Whether visitors can save their progress: not at all, with a button, or automatically while they answer.").on_pages(),
    setting("save_days", "fields", Kind::Count(90), "30",
        "Days for which saved progress is kept after the last save, from 1 to 90."),
    setting("save_mail", "fields", Kind::Boolean, "false",
        "Whether visitors can receive the link to their saved progress by mail.").on_pages(),
    setting(
        "review",
        "fields",
        Kind::Boolean,
        "false",
        "Whether visitors review their answers before they submit.",
    )
    .on_pages(),
    setting(
        "auto_advance",
        "fields",
        Kind::Boolean,
        "true",
        "Whether choosing an option shows the next question in a conversational form.",
    )
    .on_pages(),
    setting(
        "save_submissions",
        "keep",
        Kind::Boolean,
        "true",
        "Whether submissions are kept after their actions have run.",
    ),
    setting(
        "retention_days",
        "keep",
        Kind::Count(MAX_COUNT),
        "0",
        "Days after which a submission is deleted; 0 for never.",
    ),
    setting(
        "store_ip",
        "keep",
        Kind::Boolean,
        "true",
        "Whether submissions contain the visitor's IP address.",
    ),
    setting(
        "shorten_ip",
        "keep",
        Kind::Boolean,
        "false",
        "Whether the IP address is stored without its last part, so that it identifies nobody.",
    ),
    setting(
        "store_user_agent",
        "keep",
        Kind::Boolean,
        "true",
        "Whether submissions contain the user agent of the visitor's browser.",
    ),
    setting(
        "file_link_days",
        "keep",
        Kind::Count(MAX_COUNT),
        "7",
        "Days for which links to files in mails work; 0 for no links.",
    ),
    setting(
        "upload_quota",
        "keep",
        Kind::Bytes(MAX_BYTES),
        "1000000000",
        "Maximum total size of the form's files in bytes; 0 for no limit.",
    ),
    setting(
        "run_actions",
        "actions",
        Kind::Choice(&["queue", "inline"]),
        r#""queue""#,
        "When actions run: from the queue after the response, or before the response while the visitor waits.",
    ),
    setting(
        "actions",
        "actions",
        Kind::Other(action_settings::read_actions),
        "[]",
        "Actions that run after a submission, in order.",
    )
    .of_schema(r##"{"type": "array", "maxItems": 100, "items": {"$ref": "#/components/schemas/FormAction"}}"##),
    setting(
        "spam_checks",
        "spam",
        Kind::Other(read_checks),
        "[]",
        "Spam checks in addition to those that every form has.",
    )
    .of_schema(r##"{"type": "array", "maxItems": 20, "items": {"$ref": "#/components/schemas/SpamCheck"}}"##)
    .on_pages(),
    setting(
        "language",
        "look",
        Kind::Fitting(
            front_settings::is_language,
            "This must be a language tag, such as `de`, or `auto`.",
        ),
        r#""""#,
        "Language of the built-in texts, such as `de`; `auto` for the visitor's language; empty for English.",
    )
    .on_pages(),
    setting(
        "theme",
        "look",
        Kind::Fitting(
            |theme| theme.is_empty() || THEMES.contains(&theme),
            "This must be `calm`, `paper`, `bold` or `contrast`.",
        ),
        r#""""#,
        "Preset of the style; empty for `calm`.",
    )
    .of_schema(r#"{"type": "string", "enum": ["", "calm", "paper", "bold", "contrast"]}"#)
    .on_pages(),
    setting(
        "theme_values",
        "look",
        Kind::Other(front_settings::read_theme_values),
        "{}",
        "Values of the style, such as `{\"accent\": \"#1d5c46\"}`, by the names of docs/theming.md.",
    )
    .of_schema(r#"{"type": "object", "additionalProperties": {"type": "string"}}"#)
    .on_pages(),
    setting(
        "logo",
        "look",
        PICTURE,
        r#""""#,
        "URL of an image above the form; empty for none.",
    )
    .on_pages(),
    setting(
        "cover",
        "look",
        PICTURE,
        r#""""#,
        "URL of a wide image at the top of the page; empty for none.",
    )
    .on_pages(),
    // Bookkeeping settings: renames in forms whose source is their HTML.
    setting(FORMER_NAMES, "", NAMES, "", "Former names of fields, by their names."),
    setting(NAMES_TAKEN, "", NAMES, "", "Revisions since which former names belong to other fields."),
];

const PICTURE: Kind = Kind::Fitting(
    |address| address.is_empty() || front_settings::is_picture(address),
    "Enter an https URL or a path on this site.",
);

const NAMES: Kind = Kind::Other(|given| Some(json!(given.object()?)));

/// The setting with a key.
pub fn form_setting(key: &str) -> Option<&'static FormSetting> {
    SETTINGS.iter().find(|setting| setting.key == key)
}

/// The settings of a form that sets nothing.
pub fn default_settings() -> &'static Map<String, Value> {
    static DEFAULTS: LazyLock<Map<String, Value>> = LazyLock::new(|| {
        let defaults = SETTINGS
            .iter()
            .filter_map(|setting| Some((setting.key.to_owned(), setting.default()?)));
        defaults.gather()
    });
    &DEFAULTS
}

/// The JSON Schemas of all settings except bookkeeping, by key.
pub fn setting_schemas() -> Map<String, Value> {
    let rows = SETTINGS.iter().enumerate();
    let shown = rows.filter(|(_, setting)| !setting.group.is_empty());
    shown
        .map(|(position, setting)| (setting.key.to_owned(), setting.json_schema(position)))
        .gather()
}
