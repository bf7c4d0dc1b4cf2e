//! One setting of an action type.

use model::FieldOption;
use serde::{Deserialize, Serialize};

/// The input control of a setting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SettingInput {
    /// One line.
    #[default]
    Text,
    /// Several lines.
    Textarea,
    /// One of the options.
    Select,
    /// On or off, stored as `"1"` or `""`.
    Checkbox,
    /// One masked line.
    Password,
}

/// One setting of an action type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// The key in the action's settings; plugins write `name`.
    #[serde(alias = "name")]
    pub key: String,
    /// The label for people.
    pub label: String,
    /// The input control; plugins write `type`.
    #[serde(default, alias = "type")]
    pub input: SettingInput,
    /// The value that applies when the setting is empty; for a checkbox, when the action lacks the setting.
    #[serde(default)]
    pub default: String,
    /// Whether the action needs this setting. While the setting is empty, the action does not run.
    #[serde(default)]
    pub required: bool,
    /// Whether the setting is encrypted at rest and masked on read.
    #[serde(default)]
    pub secret: bool,
    /// The choices of a select.
    #[serde(default)]
    pub options: Vec<FieldOption>,
    /// A hint that the settings form shows after the input.
    #[serde(default)]
    pub help: String,
    /// Whether template variables are replaced in the value of a text setting; plugins may write `false`.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub template: bool,
}

impl Setting {
    /// Whether template variables are replaced in the value. Only text settings that are not secret can have them
    /// replaced.
    pub fn is_template(&self) -> bool {
        let is_text = matches!(self.input, SettingInput::Text | SettingInput::Textarea);
        is_text && self.template && !self.secret
    }

    /// Whether a value is one of the options; true for an empty value, and for a setting without options.
    pub fn offers(&self, value: &str) -> bool {
        let is_free = value.is_empty() || self.options.is_empty();
        is_free || self.options.iter().any(|option| option.value == value)
    }
}

fn yes() -> bool {
    true
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_true(value: &bool) -> bool {
    *value
}
